// The organisation's money, for those whose role may read it.

import { queryOptions } from "@tanstack/react-query";
import { answer, api } from "@/api/client";
import { pagesOf } from "./pages";

const METER_MS = 10_000;

export const walletQuery = queryOptions({
  queryKey: ["wallet"],
  queryFn: ({ signal }) => answer(api.GET("/v1/wallet", { signal })),
  refetchInterval: METER_MS,
});

export const entriesQuery = pagesOf(["wallet", "entries"], (cursor, signal) =>
  answer(api.GET("/v1/wallet/entries", { params: { query: { cursor } }, signal })),
);

export const holdsQuery = pagesOf(["wallet", "holds"], (cursor, signal) =>
  answer(api.GET("/v1/wallet/holds", { params: { query: { cursor } }, signal })),
);

export interface Period {
  from?: string;
  to?: string;
}

export function usageQuery(period: Period) {
  return pagesOf(["wallet", "usage", period], (cursor, signal) =>
    answer(api.GET("/v1/usage", { params: { query: { ...period, cursor } }, signal })),
  );
}
