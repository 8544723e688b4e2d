export function BidTicket(_: { draft: unknown; onClose: () => void }) {
  return null;
}
