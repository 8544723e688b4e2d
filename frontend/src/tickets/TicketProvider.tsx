// Tickets are the two ways to take devices: a bid, and a rental at the posted price. Any page can open one; each is
// loaded when first wanted.

import { useHotkeys } from "@mantine/hooks";
import { createContext, lazy, type ReactNode, Suspense, useContext, useMemo, useState } from "react";
import type { Offer } from "@/api/types";

export interface BidDraft {
  pool?: string;
  gpu?: string;
  limit?: string;
}

interface Tickets {
  openBid: (draft: BidDraft) => void;
  openRent: (offer: Offer) => void;
}

const TicketContext = createContext<Tickets>({ openBid: () => undefined, openRent: () => undefined });

const BidTicket = lazy(() => import("./BidTicket").then((module) => ({ default: module.BidTicket })));
const RentTicket = lazy(() => import("./RentTicket").then((module) => ({ default: module.RentTicket })));

export function useTicket(): Tickets {
  return useContext(TicketContext);
}

export function TicketProvider({ children }: { children: ReactNode }) {
  const [draft, setDraft] = useState<BidDraft | null>(null);
  const [offer, setOffer] = useState<Offer | null>(null);
  useHotkeys([["b", () => setDraft((now) => now ?? {})]]);
  const tickets = useMemo(() => ({ openBid: setDraft, openRent: setOffer }), []);
  return (
    <TicketContext.Provider value={tickets}>
      {children}
      <Suspense fallback={null}>
        {draft !== null && <BidTicket draft={draft} onClose={() => setDraft(null)} />}
        {offer !== null && <RentTicket offer={offer} onClose={() => setOffer(null)} />}
      </Suspense>
    </TicketContext.Provider>
  );
}
