// Amounts of work as people read them.

const UNITS: Record<string, string> = { steps: "steps", gpu_hours: "GPU·h" };

export function unitWord(unit: string): string {
  return UNITS[unit] ?? unit.replaceAll("_", " ");
}

/** Work done, cut after two places: it moves all the time. */
export function quantity(decimal: string): string {
  const [whole = "0", fraction = ""] = decimal.split(".");
  const kept = fraction.slice(0, 2).replace(/0+$/, "");
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${kept === "" ? "" : `.${kept}`}`;
}
