// Money as text. Amounts arrive as decimal strings and leave as decimal strings: nothing here adds, multiplies or rounds.

const SYMBOLS: Record<string, string> = { USD: "$", EUR: "€", GBP: "£", JPY: "¥" };
const NARROW = "\u2009";

/** Places after the point that line market prices up in columns. */
export const PRICE_PLACES = 4;

/** `"1234.5"` as `$1,234.50`; every digit the server sent is kept, never fewer than `places` after the point. */
export function money(amount: string, currency: string, places = 2): string {
  const negative = amount.startsWith("-");
  const [whole = "0", fraction = ""] = amount.replace(/^[+-]/, "").split(".");
  const digits = fraction.replace(/0+$/, "").padEnd(places, "0");
  const text = `${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${digits}`;
  const symbol = SYMBOLS[currency];
  return `${negative ? "−" : ""}${symbol === undefined ? `${currency}${NARROW}${text}` : `${symbol}${text}`}`;
}

/** A signed amount with its sign always shown. */
export function signedMoney(amount: string, currency: string): string {
  return isNegative(amount) ? money(amount, currency) : `+${money(amount, currency)}`;
}

export function isNegative(amount: string): boolean {
  return amount.startsWith("-");
}

/** Whether a person has typed a decimal number the API could accept (it decides on limits and precision). */
export function isDecimal(text: string): boolean {
  return /^\d{1,12}(\.\d{1,6})?$/.test(text);
}

export const PER_GPU_HOUR = "/ GPU·h";
export const PER_HOUR = "/ h";

/** The same cut (not rounded) after two places, for where room is short and the whole figure is a click away. */
export function moneyInBrief(amount: string, currency: string): string {
  const [whole = "0", fraction = ""] = amount.split(".");
  return money(`${whole}.${fraction.slice(0, 2)}`, currency);
}
