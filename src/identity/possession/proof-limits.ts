import { type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import { RetryLater } from "../../platform/http/errors.js";

/** At most this many links and codes are sent to one contact in this many minutes, to protect its mailbox. */
const MAX_SENT = 5;
const WINDOW_MINUTES = 10;
/** At most this many codes are sent to one contact in a day, so that nobody guesses one of six digits in the long run. */
const MAX_CODES_A_DAY = 20;
const DAY_MINUTES = 1_440;

/** Makes concurrent requests for one contact wait for each other, also from different conversations. */
const LOCK_CONTACT = query<{ contactId: string }>()(
  "possession.lockContact",
  { unrestricted: "it takes an advisory lock and reads no rows" },
  ({ contactId }) =>
    sql`select pg_advisory_xact_lock(hashtextextended('proofs ' || ${TENANT}::text || ' ' || ${contactId}::text, 0))`,
);

interface Limit {
  contactId: string;
  minutes: number;
  max: number;
}
/** If `max` of them were sent in the last `minutes`: in how many seconds the first of these is that old. */
const findWait = (name: `possession.findWait${"" | "ForCodes"}`, sent: (contactId: Sql) => Sql) =>
  query<Limit, { seconds: number }>()(
    name,
    "checked",
    ({ contactId, minutes, max }) => sql`
      select greatest(1, ceil(extract(epoch from
        l.created_at + make_interval(mins => ${minutes}::int) - clock_timestamp())))::int as seconds
      from (${sent(sql`${contactId}`)}) l
      where l.created_at > clock_timestamp() - make_interval(mins => ${minutes}::int)
      order by l.created_at desc
      offset ${max} - 1
      limit 1`,
  );
const codes = (contactId: Sql): Sql =>
  sql`select o.created_at from one_time_code o where o.tenant_id = ${TENANT} and o.contact_id = ${contactId}`;
const links = (contactId: Sql): Sql =>
  sql`select m.created_at from magic_link m where m.tenant_id = ${TENANT} and m.contact_id = ${contactId}`;
const FIND_WAIT = findWait(
  "possession.findWait",
  (contactId) => sql`${links(contactId)} union all ${codes(contactId)}`,
);
const FIND_WAIT_FOR_CODES = findWait("possession.findWaitForCodes", codes);

/**
 * Holds the contact's count until the transaction ends.
 * @throws RetryLater
 */
export async function assertNotTooMany(tx: Tx, contactId: string): Promise<void> {
  await tx.query(LOCK_CONTACT, { contactId });
  const [full] = await tx.query(FIND_WAIT, { contactId, minutes: WINDOW_MINUTES, max: MAX_SENT });
  if (full)
    throw new RetryLater(
      `At most ${MAX_SENT} links and codes are sent to one contact in ${WINDOW_MINUTES} minutes`,
      full.seconds,
    );
}

/**
 * The same for codes, which have a limit for the day as well.
 * @throws RetryLater
 */
export async function assertNotTooManyCodes(tx: Tx, contactId: string): Promise<void> {
  await assertNotTooMany(tx, contactId);
  const [full] = await tx.query(FIND_WAIT_FOR_CODES, { contactId, minutes: DAY_MINUTES, max: MAX_CODES_A_DAY });
  if (full) throw new RetryLater(`At most ${MAX_CODES_A_DAY} codes are sent to one contact in 24 hours`, full.seconds);
}
