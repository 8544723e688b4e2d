// The rho axis: the line at 1 and some air around it are always in view, and however far a job is off, there are few lines.

const LINES_MAX = 8;
const LOW = 0.7;
const HIGH = 1.2;

export interface RhoScale {
  low: number;
  high: number;
  lines: number[];
}

export function rhoScale(values: number[]): RhoScale {
  const [least, most] = [Math.min(LOW, ...values), Math.max(HIGH, ...values)];
  const step = niceStep((most - least) / LINES_MAX);
  const first = Math.floor(least / step + 1e-9);
  const last = Math.ceil(most / step - 1e-9);
  const lines = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return { low: first * step - step / 2, high: last * step, lines };
}

/** The next of 0.1, 0.2, 0.5, 1, 2, 5, ... */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 0.1)));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least - 1e-9) ?? 10 * power;
}
