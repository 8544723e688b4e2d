// When a bid may end by itself.

const HOUR_MS = 3_600_000;

export const ENDS = [
  { value: "open", label: "When I cancel it", hours: null },
  { value: "1", label: "In 1 hour", hours: 1 },
  { value: "8", label: "In 8 hours", hours: 8 },
  { value: "24", label: "In 1 day", hours: 24 },
  { value: "168", label: "In 7 days", hours: 168 },
] as const;

export function endOf(value: string): string | undefined {
  const hours = ENDS.find((end) => end.value === value)?.hours ?? null;
  return hours === null ? undefined : new Date(Date.now() + hours * HOUR_MS).toISOString();
}
