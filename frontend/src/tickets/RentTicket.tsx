export function RentTicket(_: { offer: unknown; onClose: () => void }) {
  return null;
}
