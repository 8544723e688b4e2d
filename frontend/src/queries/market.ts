// Public market data: pools, prices, depth, offers, rounds, fairness.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answer, api } from "@/api/client";
import { everyItem, pagesOf } from "./pages";

const MINUTE_MS = 60_000;

export const poolsQuery = queryOptions({
  queryKey: ["pools"],
  queryFn: ({ signal }) =>
    everyItem((cursor) => answer(api.GET("/v1/pools", { params: { query: { cursor } }, signal }))),
});

export function poolQuery(id: string) {
  return queryOptions({
    queryKey: ["pools", id],
    queryFn: ({ signal }) => answer(api.GET("/v1/pools/{id}", { params: { path: { id } }, signal })),
    enabled: id !== "",
  });
}

export interface PriceRange {
  label: string;
  seconds: number;
  step_seconds: number;
}

export const PRICE_RANGES = [
  { label: "1 h", seconds: 3600, step_seconds: 60 },
  { label: "6 h", seconds: 6 * 3600, step_seconds: 300 },
  { label: "24 h", seconds: 86_400, step_seconds: 900 },
  { label: "7 d", seconds: 7 * 86_400, step_seconds: 3600 },
] as const satisfies PriceRange[];

export function pricesQuery(pool: string, classId: string, range: PriceRange) {
  return queryOptions({
    queryKey: ["pools", pool, "prices", classId, range.seconds],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - range.seconds * 1000).toISOString();
      const query = { class: classId, from, step_seconds: range.step_seconds };
      return answer(api.GET("/v1/pools/{id}/prices", { params: { path: { id: pool }, query }, signal }));
    },
    enabled: pool !== "" && classId !== "",
    placeholderData: keepPreviousData,
  });
}

export function depthQuery(pool: string, classId: string) {
  return queryOptions({
    queryKey: ["pools", pool, "depth", classId],
    queryFn: ({ signal }) =>
      answer(api.GET("/v1/pools/{id}/depth", { params: { path: { id: pool }, query: { class: classId } }, signal })),
    enabled: pool !== "" && classId !== "",
    placeholderData: keepPreviousData,
  });
}

export interface OfferSearch {
  pool?: string;
  gpu?: string;
  filter?: string[];
  order?: string;
}

export function offersQuery(search: OfferSearch) {
  return {
    ...pagesOf(["offers", search], (cursor, signal) =>
      answer(api.GET("/v1/offers", { params: { query: { ...search, cursor } }, signal })),
    ),
    placeholderData: keepPreviousData,
  };
}

export function roundsQuery(pool: string) {
  return pagesOf(
    ["pools", pool, "rounds"],
    (cursor, signal) =>
      answer(api.GET("/v1/pools/{id}/rounds", { params: { path: { id: pool }, query: { cursor } }, signal })),
    { enabled: pool !== "" },
  );
}

export function roundQuery(pool: string, number: number) {
  return queryOptions({
    queryKey: ["round", pool, number],
    queryFn: ({ signal }) =>
      answer(api.GET("/v1/pools/{id}/rounds/{number}", { params: { path: { id: pool, number } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function fairnessQuery(pool: string) {
  return queryOptions({
    queryKey: ["pools", pool, "fairness"],
    queryFn: ({ signal }) => answer(api.GET("/v1/pools/{id}/fairness", { params: { path: { id: pool } }, signal })),
    enabled: pool !== "",
  });
}

export const deviceClassesQuery = queryOptions({
  queryKey: ["device-classes"],
  queryFn: async ({ signal }) => (await answer(api.GET("/v1/device-classes", { signal }))).items,
  staleTime: 10 * MINUTE_MS,
});

export const profilesQuery = queryOptions({
  queryKey: ["profiles"],
  queryFn: ({ signal }) =>
    everyItem((cursor) => answer(api.GET("/v1/profiles", { params: { query: { cursor, limit: 200 } }, signal }))),
  staleTime: 10 * MINUTE_MS,
});
