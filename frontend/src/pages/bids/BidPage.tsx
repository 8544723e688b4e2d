// One bid: where it stands, and why.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Bid } from "@/api/types";
import { Actions } from "@/design/Actions";
import { Amount } from "@/design/Amount";
import { StateChip } from "@/design/Chip";
import { Command, Id } from "@/design/Copy";
import { Empty, Loading, ProblemNotice } from "@/design/Feedback";
import { Moment } from "@/design/Moment";
import { Page } from "@/design/Page";
import { Fact, Facts, Figure, Figures, Panel } from "@/design/Panel";
import classes from "@/design/Stack.module.css";
import { usePoolEvents } from "@/events/subscribe";
import { useClassNames } from "@/market/className";
import { Explained } from "@/market/Explained";
import { PER_GPU_HOUR } from "@/money/format";
import { bidAction } from "@/queries/actions";
import { bidQuery } from "@/queries/demand";
import { may } from "@/session/roles";
import { useSession } from "@/session/session";
import { BID_STATES } from "@/states/demand";

const route = getRouteApi("/own/bids/$id");

export function BidPage() {
  const { id } = route.useParams();
  const bid = useQuery(bidQuery(id));
  if (bid.data === undefined) {
    return (
      <Page title="Bid">
        {bid.isError ? (
          <ProblemNotice error={bid.error} retry={() => bid.refetch()} />
        ) : (
          <Panel>
            <Loading rows={6} what="Loading the bid" />
          </Panel>
        )}
      </Page>
    );
  }
  return <BidSheet bid={bid.data} />;
}

function BidSheet({ bid }: { bid: Bid }) {
  const client = useQueryClient();
  const role = useSession()?.role;
  const nameOf = useClassNames();
  usePoolEvents(bid.closed_at === null ? bid.pool_id : "");
  return (
    <Page
      title={bid.gpu}
      above={<Link to="/bids">Bids</Link>}
      lead={
        <span className={classes.inline}>
          <StateChip table={BID_STATES} state={bid.state} />
          <Id value={bid.id} />
          {bid.rental_id && (
            <Link to="/rentals/$id" params={{ id: bid.rental_id }}>
              Open its rental
            </Link>
          )}
        </span>
      }
      actions={
        may(role, "demand") && (
          <Actions
            actions={bid.actions}
            subject={`bid ${bid.id.slice(-6)}`}
            send={bidAction(bid.id)}
            onDone={() => client.invalidateQueries({ queryKey: ["bids"] })}
          />
        )
      }
    >
      <Panel>
        <Figures>
          <Figure label="Your limit" note="the most you pay">
            <Amount value={bid.limit_per_gpu_hour} currency={bid.currency} per={PER_GPU_HOUR} size="lg" />
          </Figure>
          {bid.market_prices.map((price) => (
            <Figure key={price.class_id} label="Price now" note={nameOf(price.class_id)}>
              <Amount value={price.price_per_gpu_hour} currency={bid.currency} per={PER_GPU_HOUR} size="lg" />
            </Figure>
          ))}
          <Figure label="Held" note="returned when it closes">
            <Amount value={bid.hold} currency={bid.currency} size="lg" />
          </Figure>
          <Figure label="Gang" note="all or nothing">
            {bid.gang}
          </Figure>
        </Figures>
      </Panel>
      <Panel title="Why">
        {bid.explanation ? (
          <Explained explanation={bid.explanation} />
        ) : (
          <Empty title="No round has seen this bid yet.">The next one decides; its reasons show here at once.</Empty>
        )}
      </Panel>
      <Panel title="Terms">
        <Facts>
          <Fact label="Classes that would do">{bid.class_ids.map((one) => nameOf(one)).join(", ")}</Fact>
          <Fact label="When outbid">{bid.reenter ? "goes back to the book" : "closes"}</Fact>
          <Fact label="Placed">
            <Moment at={bid.created_at} />
          </Fact>
          <Fact label="Ends">
            <Moment at={bid.ends_at} absent="when you cancel it" />
          </Fact>
          {bid.closed_at && (
            <Fact label="Closed">
              <Moment at={bid.closed_at} />
            </Fact>
          )}
        </Facts>
        {bid.command && (
          <div style={{ marginTop: 16 }}>
            <Command text={bid.command} />
          </div>
        )}
      </Panel>
    </Page>
  );
}
