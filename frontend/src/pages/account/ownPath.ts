// Where to go after signing in: an address of this app and nothing else, whatever the link said.

export function ownPath(next: string | undefined): string {
  return next?.startsWith("/") && !next.startsWith("//") && !next.startsWith("/\\") ? next : "/";
}
