// Splits typed filters into the API's `field op value` pieces. Values of `in` and `notin` hold commas themselves.

const STARTS_A_FILTER = /^\s*[a-z_0-9]+\s+(eq|neq|gt|gte|lt|lte|in|notin)\s/i;

export function splitFilters(text: string): string[] {
  const filters: string[] = [];
  for (const piece of text.split(",")) {
    if (STARTS_A_FILTER.test(`${piece} `) || filters.length === 0) filters.push(piece.trim());
    else filters[filters.length - 1] += `,${piece.trim()}`;
  }
  return filters.filter((filter) => filter !== "");
}
