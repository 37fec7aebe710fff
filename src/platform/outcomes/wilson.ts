import { type Sql, sql } from "../database/sql.js";

/** The two-sided 95 % of the normal distribution. */
const Z = 1.959963984540054;
const Z2 = Z * Z;

export interface Share {
  share: number;
  low: number;
  high: number;
}

/**
 * A share with its Wilson interval of 95 %, which holds for few outcomes and for shares near 0 and 1, where "± 2 standard
 * errors" does not.
 * @param total at least 1
 */
export function wilson(successes: number, total: number): Share {
  const share = successes / total;
  const middle = (successes + Z2 / 2) / (total + Z2);
  const reach = (Z / (total + Z2)) * Math.sqrt(share * (1 - share) * total + Z2 / 4);
  // At 0 and 1 the formula gives the share itself, except for the last binary digit.
  return {
    share,
    low: successes === 0 ? 0 : Math.max(middle - reach, 0),
    high: successes === total ? 1 : Math.min(middle + reach, 1),
  };
}

/** The same in SQL, to four digits. `total` must not be 0. */
export function wilsonSql(successes: Sql, total: Sql): Record<keyof Share, Sql> {
  const [k, n] = [sql`(${successes})::float8`, sql`(${total})::float8`];
  const constant = (value: number): Sql => sql([String(value)]);
  const bound = (sign: Sql): Sql => sql`
    (${k} + ${constant(Z2 / 2)} ${sign} ${constant(Z)}
      * sqrt(greatest(${k} * (1 - ${k} / ${n}), 0) + ${constant(Z2 / 4)})) / (${n} + ${constant(Z2)})`;
  const digits = (value: Sql): Sql => sql`round((${value})::numeric, 4)::float8`;
  return {
    share: digits(sql`${k} / ${n}`),
    low: digits(sql`greatest(${bound(sql`-`)}, 0)`),
    high: digits(sql`least(${bound(sql`+`)}, 1)`),
  };
}
