// What operators watch.

import { queryOptions } from "@tanstack/react-query";
import { answer, api } from "@/api/client";
import { pagesOf } from "./pages";

const WATCH_MS = 10_000;

export const overviewQuery = queryOptions({
  queryKey: ["admin", "overview"],
  queryFn: ({ signal }) => answer(api.GET("/v1/admin/overview", { signal })),
  refetchInterval: WATCH_MS,
});

export const alertsQuery = pagesOf(
  ["admin", "alerts"],
  (cursor, signal) => answer(api.GET("/v1/admin/alerts", { params: { query: { cursor } }, signal })),
  { refetchInterval: WATCH_MS },
);

export const adminOrganisationsQuery = pagesOf(["admin", "organisations"], (cursor, signal) =>
  answer(api.GET("/v1/admin/organisations", { params: { query: { cursor } }, signal })),
);
