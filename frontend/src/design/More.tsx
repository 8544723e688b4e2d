// The foot of a paged list.

import { Button } from "@mantine/core";

interface Props {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

export function More({ query }: Props) {
  if (!query.hasNextPage) return null;
  return (
    <div style={{ padding: "10px 20px 14px" }}>
      <Button variant="default" size="xs" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
        Show more
      </Button>
    </div>
  );
}
