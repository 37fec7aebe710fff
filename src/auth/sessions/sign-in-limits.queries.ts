import { literal, sql } from "../../platform/database/sql.js";
import { globalQuery } from "../../platform/database/statements.js";

/** Failed sign-ins of one account from one client address, in a window. */
export const MAX_FAILURES_OF_PAIR = 10;
/** Failed sign-ins from one client address, for all accounts together. A whole office can sit behind one address. */
export const MAX_FAILURES_OF_ADDRESS = 50;
const WINDOW = sql`interval '15 minutes'`;
const MAX_OF_PAIR = literal(`${MAX_FAILURES_OF_PAIR}`);

/** Also one that began while the clock was ahead, and would go on until it is there again. */
const IS_OVER = sql`a.started_at not between now() - ${WINDOW} and now() + ${WINDOW}`;
const WAIT = sql`ceil(extract(epoch from started_at + ${WINDOW} - now()))::int as wait`;
const ONE_MORE = sql`
  on conflict (subject) do update set
    attempts = case when ${IS_OVER} then 1 else a.attempts + 1 end,
    started_at = case when ${IS_OVER} then now() else a.started_at end`;

export interface Counted {
  attempts: number;
  /** Seconds until the window ends. */
  wait: number;
}

/**
 * Counts an attempt for the pair of account and address, and for the address unless the pair is over its limit: who is
 * locked out of one account and goes on trying does not use up what others at the same address have left.
 */
export const COUNT_ATTEMPT = globalQuery<
  { pair: string; address: string },
  { pair: Counted; address: Counted | null }
>()(
  "signInLimits.count",
  "control",
  ({ pair, address }) => sql`
    with of_pair as (
      insert into login_attempt as a (subject, attempts, started_at) values (${pair}, 1, now()) ${ONE_MORE}
      returning attempts, ${WAIT}
    ), of_address as (
      insert into login_attempt as a (subject, attempts, started_at)
      select ${address}, 1, now() from of_pair where of_pair.attempts <= ${MAX_OF_PAIR}::integer ${ONE_MORE}
      returning attempts, ${WAIT}
    )
    select row_to_json(of_pair) as pair, (select row_to_json(of_address) from of_address) as address from of_pair`,
);

/**
 * A right password forgets the failures of the pair. From the address it takes only what it was counted for itself. The pair
 * comes first, as it does in `COUNT_ATTEMPT`: in the other order the two deadlock. PostgreSQL would run an expression
 * that nothing reads last.
 */
export const FORGET_ATTEMPT = globalQuery<{ pair: string; address: string }>()(
  "signInLimits.forget",
  "control",
  ({ pair, address }) => sql`
    with of_pair as (delete from login_attempt where subject = ${pair} returning subject)
    update login_attempt set attempts = attempts - 1
    where (select count(*) from of_pair) >= 0 and subject = ${address} and attempts > 0`,
);

/** Takes back what `COUNT_ATTEMPT` counted, in its order. */
export const UNCOUNT_ATTEMPT = globalQuery<{ pair: string; address: string }>()(
  "signInLimits.uncountAttempt",
  "control",
  ({ pair, address }) => sql`
    with of_pair as (
      update login_attempt set attempts = attempts - 1 where subject = ${pair} and attempts > 0 returning subject
    )
    update login_attempt set attempts = attempts - 1
    where (select count(*) from of_pair) >= 0 and subject = ${address} and attempts > 0`,
);

export const UNCOUNT_ADDRESS = globalQuery<{ address: string }>()(
  "signInLimits.uncountAddress",
  "control",
  ({ address }) => sql`update login_attempt set attempts = attempts - 1 where subject = ${address} and attempts > 0`,
);

/** Counts a failure for the account, from whatever address. It refuses nothing. */
export const COUNT_FAILURE = globalQuery<{ account: string }>()(
  "signInLimits.countFailure",
  "control",
  ({ account }) => sql`
    insert into login_attempt as a (subject, attempts, started_at) values (${account}, 1, now()) ${ONE_MORE}
    returning attempts`,
);
