// The figures of a rental, its way through its states, and its devices.

import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Rental } from "@/api/types";
import { Amount } from "@/design/Amount";
import { StateChip } from "@/design/Chip";
import { Command, Id } from "@/design/Copy";
import { Fact, Facts, Figure, Figures, Panel } from "@/design/Panel";
import classes from "@/design/Stack.module.css";
import { useClassNames } from "@/market/className";
import { money, PER_GPU_HOUR, PER_HOUR } from "@/money/format";
import { BILLING_CLASSES, END_REASONS, RENTAL_KINDS } from "@/states/demand";
import { duration } from "@/time/format";
import { RentalDevices } from "./RentalDevices";
import { RunningTotal } from "./RunningTotal";
import { RentalTimeline } from "./RentalTimeline";

export function RentalOverview({ rental }: { rental: Rental }) {
  const nameOf = useClassNames();
  const { currency } = rental;
  return (
    <div className={classes.stack}>
      <Panel>
        <Figures>
          <Figure
            label="Price now"
            note={`${money(rental.price_per_gpu_hour, currency)} ${PER_GPU_HOUR} while it runs`}
          >
            <Amount value={rental.price_per_hour} currency={currency} per={PER_HOUR} size="lg" />
          </Figure>
          <Figure label="Cost so far" note={`${money(rental.charged, currency)} of it billed`}>
            <RunningTotal rental={rental} size="lg" />
          </Figure>
          <Figure label="Held" note="returned when it ends">
            <Amount value={rental.hold} currency={currency} size="lg" />
          </Figure>
          <Figure label="The wallet lasts" note="at what runs now">
            {rental.runway_seconds === null ? "—" : duration(rental.runway_seconds)}
          </Figure>
          <Figure label="Billing">
            <StateChip table={BILLING_CLASSES} state={rental.billing_class} />
          </Figure>
        </Figures>
      </Panel>
      <Panel title="State" note={rental.reason ? `Ended: ${END_REASONS[rental.reason]}.` : undefined}>
        <RentalTimeline rental={rental} />
      </Panel>
      <Panel title="Where and what">
        <Facts>
          <Fact label="Kind">
            {RENTAL_KINDS[rental.kind] ?? rental.kind} <Origin rental={rental} />
          </Fact>
          <Fact label="Class">{nameOf(rental.class_id)}</Fact>
          <Fact label="Provider">{rental.provider?.name ?? "not placed yet"}</Fact>
          <Fact label="Node">{rental.node_name ?? "not placed yet"}</Fact>
          <Fact label="Rental">
            <Id value={rental.id} />
          </Fact>
        </Facts>
        {rental.command && (
          <div style={{ marginTop: 16 }}>
            <Command text={rental.command} />
          </div>
        )}
      </Panel>
      {rental.devices.length > 0 && (
        <Panel title="Devices" flush>
          <RentalDevices devices={rental.devices} />
        </Panel>
      )}
    </div>
  );
}

const ORIGINS: Record<Rental["kind"], (id: string) => ReactNode> = {
  on_demand: () => null,
  bid: (id) => (
    <Link to="/bids/$id" params={{ id }}>
      see the bid
    </Link>
  ),
  job: (id) => (
    <Link to="/jobs/$id" params={{ id }}>
      see the job
    </Link>
  ),
};

function Origin({ rental }: { rental: Rental }) {
  return <>{ORIGINS[rental.kind]?.(rental.origin_id)}</>;
}
