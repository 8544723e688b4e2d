// What an entry or a hold is for, linked where this app has a page for it.

import { Link } from "@tanstack/react-router";
import { Id } from "@/design/Copy";

const PAGES = {
  bid: { to: "/bids/$id", name: "Bid" },
  job: { to: "/jobs/$id", name: "Job" },
  rnt: { to: "/rentals/$id", name: "Rental" },
} as const;

export function Subject({ id }: { id: string | null }) {
  if (id === null || id === "") return <>—</>;
  const kind = id.split("_", 1)[0] ?? "";
  const page = kind in PAGES ? PAGES[kind as keyof typeof PAGES] : undefined;
  if (page === undefined) return <Id value={id} />;
  return (
    <Link to={page.to} params={{ id }}>
      {page.name} <code>…{id.slice(-6)}</code>
    </Link>
  );
}
