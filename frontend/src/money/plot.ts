// Where on a chart an amount lies. The number is geometry only: it is never shown, sent or added to another.

export function plotted(amount: string | null | undefined): number | null {
  if (amount === null || amount === undefined) return null;
  const value = Number.parseFloat(amount);
  return Number.isFinite(value) ? value : null;
}
