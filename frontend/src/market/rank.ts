// What strangers' demands are called in a round: their kind and their rank by age, such as `bid 7`.

export function rankText(pseudonym: string): string {
  const [kind = "", digits = ""] = pseudonym.split("_");
  const rank = Number.parseInt(digits, 16);
  return Number.isSafeInteger(rank) ? `${kind} ${rank}` : pseudonym;
}
