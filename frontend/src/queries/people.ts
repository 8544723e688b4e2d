// Organisations, members and keys.

import { queryOptions } from "@tanstack/react-query";
import { answer, api } from "@/api/client";
import { everyItem } from "./pages";

export const organisationsQuery = queryOptions({
  queryKey: ["organisations"],
  queryFn: ({ signal }) =>
    everyItem((cursor) => answer(api.GET("/v1/organisations", { params: { query: { cursor } }, signal }))),
});

export function membersQuery(organisation: string) {
  return queryOptions({
    queryKey: ["members", organisation],
    queryFn: ({ signal }) =>
      everyItem((cursor) =>
        answer(
          api.GET("/v1/organisations/{id}/members", {
            params: { path: { id: organisation }, query: { cursor } },
            signal,
          }),
        ),
      ),
  });
}

export const apiKeysQuery = queryOptions({
  queryKey: ["api-keys"],
  queryFn: ({ signal }) =>
    everyItem((cursor) => answer(api.GET("/v1/api-keys", { params: { query: { cursor } }, signal }))),
});

export const sshKeysQuery = queryOptions({
  queryKey: ["ssh-keys"],
  queryFn: ({ signal }) =>
    everyItem((cursor) => answer(api.GET("/v1/ssh-keys", { params: { query: { cursor } }, signal }))),
});
