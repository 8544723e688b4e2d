// Sends one of an object's actions. Each action is a route of its own, so each is named here once.

import { answer, api } from "@/api/client";

type Header = { "Idempotency-Key": string };
type Send = (id: string, header: Header) => Promise<unknown>;

const RENTAL: Record<string, Send> = {
  stop: (id, header) => answer(api.POST("/v1/rentals/{id}/stop", { params: { path: { id }, header } })),
  start: (id, header) => answer(api.POST("/v1/rentals/{id}/start", { params: { path: { id }, header } })),
  end: (id, header) => answer(api.POST("/v1/rentals/{id}/end", { params: { path: { id }, header } })),
};
const BID: Record<string, Send> = {
  cancel: (id, header) => answer(api.POST("/v1/bids/{id}/cancel", { params: { path: { id }, header } })),
};
const JOB: Record<string, Send> = {
  cancel: (id, header) => answer(api.POST("/v1/jobs/{id}/cancel", { params: { path: { id }, header } })),
};
const NODE: Record<string, Send> = {
  drain: (id) => answer(api.POST("/v1/nodes/{id}/drain", { params: { path: { id } } })),
  resume: (id) => answer(api.POST("/v1/nodes/{id}/resume", { params: { path: { id } } })),
};

function sender(table: Record<string, Send>) {
  return (id: string) =>
    (action: string, header: Header): Promise<unknown> => {
      const send = table[action];
      return send === undefined ? Promise.reject(new Error(`no route for ${action}`)) : send(id, header);
    };
}

export const rentalAction = sender(RENTAL);
export const bidAction = sender(BID);
export const jobAction = sender(JOB);
export const nodeAction = sender(NODE);
