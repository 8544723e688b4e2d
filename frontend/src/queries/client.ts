// The query cache and its habits: what is fresh, what is tried again.

import { QueryClient } from "@tanstack/react-query";
import { asProblem } from "@/api/problem";

const RETRIES = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => !asProblem(error).definite && failures < RETRIES,
      retryDelay: (attempt, error) => {
        const after = asProblem(error).retry_after_seconds;
        return after === null ? Math.min(1000 * 2 ** attempt, 8000) : after * 1000;
      },
    },
    mutations: { retry: false },
  },
});
