// A long list that shows its first lines until one asks for all.

import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";

interface Props<T> {
  items: T[];
  /** How many are shown at first. */
  first?: number;
  /** What the items are called, in plural. */
  what: string;
  children: (shown: T[]) => ReactNode;
}

export function Abridged<T>({ items, first = 20, what, children }: Props<T>) {
  const [whole, setWhole] = useState(false);
  const shown = whole ? items : items.slice(0, first);
  return (
    <>
      {children(shown)}
      {shown.length < items.length && (
        <div style={{ padding: "10px 20px 14px" }}>
          <Button variant="default" size="xs" onClick={() => setWhole(true)}>
            Show all {items.length} {what}
          </Button>
        </div>
      )}
    </>
  );
}
