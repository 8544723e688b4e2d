// Lists come in pages behind an opaque cursor: the one shape every list query has.

import { infiniteQueryOptions, type QueryKey } from "@tanstack/react-query";

interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

type Extra = { refetchInterval?: number; enabled?: boolean };

export function pagesOf<T, P extends Page<T>>(
  queryKey: QueryKey,
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<P & Page<T>>,
  extra: Extra = {},
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    ...extra,
  });
}

const PAGES_MAX = 50;

/** Every item of a list that is short by nature (pools, classes, keys): all its pages, up to a bound. */
export async function everyItem<T>(fetchPage: (cursor: string | undefined) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const { items: more, next_cursor } = await fetchPage(cursor);
    items.push(...more);
    if (next_cursor === null) break;
    cursor = next_cursor;
  }
  return items;
}
