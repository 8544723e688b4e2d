// Lists come in pages behind an opaque cursor: the one shape every list query has.

import { infiniteQueryOptions, type QueryKey } from "@tanstack/react-query";
import { Problem } from "@/api/problem";

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

const PAGES_MAX = 200;

/** Every item of a list that is short by nature or wanted whole. A list beyond the bound is refused, never cut. */
export async function everyItem<T>(fetchPage: (cursor: string | undefined) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const { items: more, next_cursor } = await fetchPage(cursor);
    items.push(...more);
    if (next_cursor === null) return items;
    cursor = next_cursor;
  }
  throw new Problem({
    status: 422,
    code: "list_too_long",
    title: "The list is too long for one page",
    detail: `It has more than ${items.length} items. Choose a shorter span, or read it through the API.`,
    field: null,
    request_id: null,
  });
}
