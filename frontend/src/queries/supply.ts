// What the caller's organisation offers: providers, nodes, earnings.

import { queryOptions } from "@tanstack/react-query";
import { answer, api } from "@/api/client";
import { everyItem, pagesOf } from "./pages";

export const providersQuery = queryOptions({
  queryKey: ["providers"],
  queryFn: ({ signal }) =>
    everyItem((cursor) => answer(api.GET("/v1/providers", { params: { query: { cursor } }, signal }))),
});

export function nodesQuery(provider: string) {
  return pagesOf(
    ["providers", provider, "nodes"],
    (cursor, signal) =>
      answer(api.GET("/v1/providers/{id}/nodes", { params: { path: { id: provider }, query: { cursor } }, signal })),
    { refetchInterval: 15_000 },
  );
}

export function earningsQuery(provider: string, days: number) {
  return queryOptions({
    queryKey: ["providers", provider, "earnings", days],
    queryFn: ({ signal }) => {
      const query = { from: new Date(Date.now() - days * 86_400_000).toISOString() };
      return answer(api.GET("/v1/providers/{id}/earnings", { params: { path: { id: provider }, query }, signal }));
    },
  });
}
