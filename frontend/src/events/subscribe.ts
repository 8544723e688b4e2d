// The app's two streams: the organisation's own events, and the public ones of the pool on screen.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useSession } from "@/session/session";
import { announce, sentenceFor } from "./announce";
import { invalidator } from "./invalidate";
import { openStream, type StreamState } from "./stream";
import { noteTransition } from "./transitions";

/** Sent when this reader was away for longer than events are kept: whatever is on screen may be old. */
const GAP = "gap";

interface EventBody {
  kind: string;
  subject: string;
  created_at: string;
}

/** Follows the signed-in organisation: refreshes what changed and says so. */
export function useOrganisationEvents(): void {
  const organisation = useSession()?.organisation.id;
  const client = useQueryClient();
  useEffect(() => {
    if (organisation === undefined) return;
    const invalidate = invalidator(client);
    return openStream({
      path: "/v1/events",
      onEvent: ({ kind, data }) => {
        if (kind === GAP) {
          void client.invalidateQueries();
          return;
        }
        invalidate(kind);
        const { subject, created_at } = JSON.parse(data) as EventBody;
        noteTransition(subject, kind, created_at);
        const sentence = sentenceFor(kind, subject);
        if (sentence !== null) announce(sentence);
      },
    });
  }, [organisation, client]);
}

/** Follows a pool's rounds and prices; answers how live the page is. */
export function usePoolEvents(pool: string): StreamState {
  const client = useQueryClient();
  const [state, setState] = useState<StreamState>("connecting");
  useEffect(() => {
    if (pool === "") return;
    const invalidate = invalidator(client);
    return openStream({
      path: `/v1/pools/${encodeURIComponent(pool)}/events`,
      onEvent: ({ kind }) => (kind === GAP ? void client.invalidateQueries() : invalidate(kind)),
      onState: setState,
    });
  }, [pool, client]);
  return state;
}
