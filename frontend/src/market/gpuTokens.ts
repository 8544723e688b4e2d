// The count inside a GPU request (`H100:80GB:4`): read it, or put another in its place, leaving the rest as typed.
// Whether the request makes sense is the server's to say.

const COUNT = /^\d+(\.\.\d*)?$/;

export function countIn(gpu: string): string | null {
  return gpu.split(":").find((token) => COUNT.test(token.trim())) ?? null;
}

export function withCount(gpu: string, count: number): string {
  const tokens = gpu.split(":").filter((token) => token.trim() !== "");
  const at = tokens.findIndex((token) => COUNT.test(token.trim()));
  if (at < 0) return [...tokens, count].join(":");
  return tokens.map((token, index) => (index === at ? String(count) : token)).join(":");
}
