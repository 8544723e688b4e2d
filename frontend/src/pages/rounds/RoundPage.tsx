// One round, as it is on record.

import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { getRouteApi } from "@tanstack/react-router";
import type { Round } from "@/api/types";
import { Loading, ProblemNotice } from "@/design/Feedback";
import { Moment } from "@/design/Moment";
import { Page } from "@/design/Page";
import { Figure, Figures, Panel } from "@/design/Panel";
import stack from "@/design/Stack.module.css";
import { fairnessQuery, poolQuery, roundQuery } from "@/queries/market";
import { CAUSES } from "@/states/market";
import { Evictions, Explanations, Grants } from "./Decisions";
import { ExchangePanel } from "./ExchangePanel";
import { FairnessPanel } from "./FairnessPanel";
import { HashChain } from "./HashChain";
import { Outcomes } from "./Outcomes";
import { RoundClasses } from "./RoundClasses";

const route = getRouteApi("/rounds/$pool/$number");

export function RoundPage() {
  const { pool, number } = route.useParams();
  const round = useQuery(roundQuery(pool, Number(number)));
  if (round.data === undefined) {
    return (
      <Page title={`Round ${number}`}>
        {round.isError ? (
          <ProblemNotice error={round.error} retry={() => round.refetch()} />
        ) : (
          <Panel>
            <Loading rows={8} what="Loading the round" />
          </Panel>
        )}
      </Page>
    );
  }
  return <RoundSheet pool={pool} round={round.data} />;
}

function RoundSheet({ pool, round }: { pool: string; round: Round }) {
  const poolData = useQuery(poolQuery(pool)).data;
  const fairness = useQuery(fairnessQuery(pool)).data;
  const currency = poolData?.currency ?? "";
  const last = poolData?.last_round?.number ?? round.number;
  const record = `/v1/pools/${encodeURIComponent(pool)}/rounds/${round.number}/record`;
  return (
    <Page
      title={`Round ${round.number}`}
      above={
        <Link to="/rounds" search={{ pool }}>
          Rounds{poolData ? ` of ${poolData.name}` : ""}
        </Link>
      }
      lead={
        <>
          Cleared <Moment at={round.cleared_at} />, {CAUSES[round.cause]}.
        </>
      }
      actions={
        <>
          <Neighbour pool={pool} number={round.number - 1} label="Earlier" there={round.number > 1} />
          <Neighbour pool={pool} number={round.number + 1} label="Later" there={round.number < last} />
          <Button
            component="a"
            href={record}
            download={`round-${round.number}.json`}
            leftSection={<IconDownload size={15} aria-hidden />}
          >
            Download the record
          </Button>
        </>
      }
    >
      <Panel>
        <Figures>
          <Figure label="Demands">{round.demands}</Figure>
          <Figure label="Granted">{round.granted}</Figure>
          <Figure label="Evicted" note="with notice">
            {round.evicted}
          </Figure>
          <Figure label="Planned in">{round.plan_milliseconds} ms</Figure>
        </Figures>
      </Panel>
      <Panel title="Prices" note="One per class, for everyone who was granted by the market." flush>
        <RoundClasses classes={round.classes} currency={currency} />
      </Panel>
      {round.exchange && <ExchangePanel exchange={round.exchange} round={round} currency={currency} />}
      <div className={stack.columns}>
        <Panel title="Outcomes" note="What became of every demand.">
          <Outcomes outcomes={round.outcomes} />
        </Panel>
        <Panel
          title="Hash chain"
          note="Each record’s hash covers the one before, so no past round can be changed unseen."
        >
          <HashChain round={round} />
        </Panel>
      </div>
      {fairness?.round_number === round.number && <FairnessPanel fairness={fairness} />}
      <Grants round={round} currency={currency} />
      <Evictions round={round} />
      <Explanations round={round} />
    </Page>
  );
}

function Neighbour({ pool, number, label, there }: { pool: string; number: number; label: string; there: boolean }) {
  if (!there) return null;
  return (
    <Button
      variant="default"
      renderRoot={(props) => <Link to="/rounds/$pool/$number" params={{ pool, number: String(number) }} {...props} />}
    >
      {label}
    </Button>
  );
}
