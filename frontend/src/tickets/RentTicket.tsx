// The rent ticket: an offer, how many of its devices, and the whole price before anything is agreed.

import { Modal, NumberInput, Textarea, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { answer, api } from "@/api/client";
import type { Offer, RentalRequest } from "@/api/types";
import { Form, fieldError } from "@/design/Form";
import { className } from "@/market/className";
import { isDecimal } from "@/money/format";
import { quoteQuery } from "@/queries/demand";
import { useSubmit } from "@/queries/submit";
import { may } from "@/session/roles";
import { useSession } from "@/session/session";
import { QuoteView } from "./QuoteView";
import { SignInFirst } from "./SignInFirst";
import classes from "./Ticket.module.css";

const FIELDS = ["devices", "command", "max_duration_seconds", "max_spend"];
const HOUR_SECONDS = 3600;

export function RentTicket({ offer, onClose }: { offer: Offer; onClose: () => void }) {
  const session = useSession();
  const name = className({ ...offer, memory_mib: offer.vram_mib });
  return (
    <Modal opened onClose={onClose} size={520} title={`Rent ${name}`} classNames={{ title: classes.title }}>
      {may(session?.role, "demand") ? (
        <RentForm offer={offer} onClose={onClose} />
      ) : (
        <SignInFirst signedIn={session !== null} onClose={onClose} />
      )}
    </Modal>
  );
}

function RentForm({ offer, onClose }: { offer: Offer; onClose: () => void }) {
  const navigate = useNavigate();
  const [devices, setDevices] = useState<number | string>(offer.min_chunk);
  const [hours, setHours] = useState<number | string>("");
  const [spend, setSpend] = useState("");
  const [command, setCommand] = useState("");
  const count = typeof devices === "number" ? devices : null;
  const [quoted] = useDebouncedValue(count, 250);
  const quote = useQuery({ ...quoteQuery(offer.ask_id, quoted ?? 0), enabled: quoted !== null });
  const rent = useSubmit(
    (body: RentalRequest, header) => answer(api.POST("/v1/rentals", { body, params: { header } })),
    (rental) => {
      onClose();
      void navigate({ to: "/rentals/$id", params: { id: rental.id } });
    },
  );
  const problem = rent.error ?? quote.error;
  const spendIsWrong = spend !== "" && !isDecimal(spend.trim());
  const fresh = quote.data?.devices === count ? quote.data : undefined;
  return (
    <Form
      submit="Rent now"
      pending={rent.isPending}
      error={problem}
      fields={FIELDS}
      disabled={count === null || fresh === undefined || spendIsWrong}
      onSubmit={() =>
        count !== null &&
        rent.mutate({
          ask_id: offer.ask_id,
          devices: count,
          quote_id: fresh?.id,
          command: command.trim() || undefined,
          max_duration_seconds: typeof hours === "number" ? Math.round(hours * HOUR_SECONDS) : undefined,
          max_spend: spend.trim() || undefined,
        })
      }
      aside={<span className={classes.hint}>Billed per second from when it is usable.</span>}
    >
      <p className={classes.hint}>
        {offer.provider.name} · {offer.region} · {offer.devices_free} of {offer.devices_total} devices free
      </p>
      <NumberInput
        label="Devices"
        min={offer.min_chunk}
        max={offer.largest_block}
        step={offer.min_chunk}
        allowDecimal={false}
        allowNegative={false}
        value={devices}
        onChange={setDevices}
        description={`${offer.min_chunk} to ${offer.largest_block} in one block`}
        error={fieldError(problem, "devices")}
        data-autofocus
      />
      <QuoteView quote={fresh} pending={quote.isFetching} />
      <div className={classes.pair}>
        <NumberInput
          label="End after"
          placeholder="no limit"
          suffix=" h"
          min={0}
          allowNegative={false}
          value={hours}
          onChange={setHours}
          error={fieldError(problem, "max_duration_seconds")}
        />
        <TextInput
          label="Spend at most"
          placeholder="no limit"
          inputMode="decimal"
          leftSection={<span className={classes.unit}>{offer.currency}</span>}
          leftSectionWidth={52}
          value={spend}
          onChange={(event) => setSpend(event.currentTarget.value.replace(",", "."))}
          error={spendIsWrong ? "A decimal number such as 25.00." : fieldError(problem, "max_spend")}
        />
      </div>
      <Textarea
        label="Command"
        description="Empty: open a shell when it runs."
        autosize
        minRows={2}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mono)" } }}
        value={command}
        onChange={(event) => setCommand(event.currentTarget.value)}
        error={fieldError(problem, "command")}
      />
    </Form>
  );
}
