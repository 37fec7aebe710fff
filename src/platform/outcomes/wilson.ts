/** The two-sided 95 % of the normal distribution. */
const Z = 1.959963984540054;
const Z2 = Z * Z;

export interface Share {
  share: number;
  low: number;
  high: number;
}

/**
 * A share with its Wilson interval of 95 %: honest for few outcomes and for shares near 0 and 1, where "± 2 standard errors" is not.
 * @param total at least 1
 */
export function wilson(successes: number, total: number): Share {
  const share = successes / total;
  const middle = (successes + Z2 / 2) / (total + Z2);
  const reach = (Z / (total + Z2)) * Math.sqrt(share * (1 - share) * total + Z2 / 4);
  // At the ends the formula gives the share itself, but for the last binary digit.
  return {
    share,
    low: successes === 0 ? 0 : Math.max(middle - reach, 0),
    high: successes === total ? 1 : Math.min(middle + reach, 1),
  };
}

/** The same in SQL, to four digits. `total` must not be 0. */
export function wilsonSql(successes: string, total: string): Record<keyof Share, string> {
  const [k, n] = [`(${successes})::float8`, `(${total})::float8`];
  const bound = (sign: "-" | "+"): string =>
    `(${k} + ${Z2 / 2} ${sign} ${Z} * sqrt(greatest(${k} * (1 - ${k} / ${n}), 0) + ${Z2 / 4})) / (${n} + ${Z2})`;
  const digits = (value: string): string => `round((${value})::numeric, 4)::float8`;
  return {
    share: digits(`${k} / ${n}`),
    low: digits(`greatest(${bound("-")}, 0)`),
    high: digits(`least(${bound("+")}, 1)`),
  };
}
