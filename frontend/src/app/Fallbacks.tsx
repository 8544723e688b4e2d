// What a person sees at an address that does not exist, or when a page breaks.

import { Button } from "@mantine/core";
import { Link, useRouter } from "@tanstack/react-router";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { Page } from "@/design/Page";
import page from "@/design/Page.module.css";

export function NotFound() {
  return (
    <Page title="Not here" narrow>
      <Empty title="There is no such page, or it is not yours to see." action={<Link to="/">Go to the market</Link>}>
        Ids of another organisation look the same as ids that do not exist. If it is yours, switch the organisation.
      </Empty>
    </Page>
  );
}

export function PendingPage() {
  return (
    <div className={page.page}>
      <Loading rows={6} what="Loading the page" />
    </div>
  );
}

export function RouteProblem({ error }: { error: unknown }) {
  const router = useRouter();
  return (
    <Page title="Something broke" narrow>
      <ProblemNotice error={error} />
      <div>
        <Button onClick={() => router.invalidate()}>Load the page again</Button>
      </div>
    </Page>
  );
}
