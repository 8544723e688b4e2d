// What the caller's organisation asks of the market: bids, jobs, rentals and their papers.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answer, api } from "@/api/client";
import type { BidRequest, JobRequest } from "@/api/types";
import { pagesOf } from "./pages";

/** Charges grow while a rental runs; no event says so. */
const METER_MS = 5_000;

export function bidsQuery() {
  return pagesOf(["bids", "list"], (cursor, signal) =>
    answer(api.GET("/v1/bids", { params: { query: { cursor } }, signal })),
  );
}

export function bidQuery(id: string) {
  return queryOptions({
    queryKey: ["bids", id],
    queryFn: ({ signal }) => answer(api.GET("/v1/bids/{id}", { params: { path: { id } }, signal })),
  });
}

export function dryRunQuery(request: BidRequest | null) {
  return queryOptions({
    queryKey: ["dry-run", request],
    queryFn: ({ signal }) => answer(api.POST("/v1/bids/dry-run", { body: request as BidRequest, signal })),
    enabled: request !== null,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    gcTime: 30_000,
    retry: false,
  });
}

export function jobDryRunQuery(request: JobRequest | null) {
  return queryOptions({
    queryKey: ["dry-run", "job", request],
    queryFn: ({ signal }) => answer(api.POST("/v1/jobs/dry-run", { body: request as JobRequest, signal })),
    enabled: request !== null,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    gcTime: 30_000,
    retry: false,
  });
}

export function jobsQuery() {
  return pagesOf(["jobs", "list"], (cursor, signal) =>
    answer(api.GET("/v1/jobs", { params: { query: { cursor } }, signal })),
  );
}

export function jobQuery(id: string) {
  return queryOptions({
    queryKey: ["jobs", id],
    queryFn: ({ signal }) => answer(api.GET("/v1/jobs/{id}", { params: { path: { id } }, signal })),
  });
}

export function rentalsQuery() {
  return pagesOf(
    ["rentals", "list"],
    (cursor, signal) => answer(api.GET("/v1/rentals", { params: { query: { cursor } }, signal })),
    { refetchInterval: METER_MS },
  );
}

export function rentalQuery(id: string) {
  return queryOptions({
    queryKey: ["rentals", id],
    queryFn: ({ signal }) => answer(api.GET("/v1/rentals/{id}", { params: { path: { id } }, signal })),
    refetchInterval: (query) => (query.state.data?.ended_at ? false : METER_MS),
  });
}

export function rentalUsageQuery(id: string, ended: boolean) {
  return pagesOf(
    ["rentals", id, "usage"],
    (cursor, signal) =>
      answer(api.GET("/v1/rentals/{id}/usage", { params: { path: { id }, query: { cursor, limit: 200 } }, signal })),
    ended ? {} : { refetchInterval: 2 * METER_MS },
  );
}

export function rentalLogsQuery(id: string, ended: boolean) {
  return queryOptions({
    queryKey: ["rentals", id, "logs"],
    queryFn: ({ signal }) => answer(api.GET("/v1/rentals/{id}/logs", { params: { path: { id } }, signal })),
    refetchInterval: ended ? false : METER_MS,
  });
}

export function quoteQuery(askId: string, devices: number) {
  return queryOptions({
    queryKey: ["quotes", askId, devices],
    queryFn: ({ signal }) => answer(api.POST("/v1/quotes", { body: { ask_id: askId, devices }, signal })),
    placeholderData: keepPreviousData,
    staleTime: 20_000,
    gcTime: 0,
    // A quote on screen is renewed shortly before it lapses.
    refetchInterval: ({ state }) =>
      state.data ? Math.max(5_000, Date.parse(state.data.expires_at) - Date.now() - 5_000) : false,
    retry: false,
  });
}
