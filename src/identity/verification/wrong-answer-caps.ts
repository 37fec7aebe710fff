import {
  joined,
  literal,
  type Parameter,
  type Parameters,
  quoted,
  type Sql,
  sql,
  TENANT,
} from "../../platform/database/sql.js";
import { query, time } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { IdentitySettingsDto } from "../settings/identity-settings.dto.js";
import { VerificationAttemptEntity } from "./verification.entity.js";

/**
 * The caps on wrong answers: per conversation, per identity in 24 hours, per caller ID in 24 hours.
 *
 * Each answer takes one attempt before it is compared, and a right answer gives it back. The attempts are counted under
 * locks, so no number of concurrent requests or processes gets more wrong answers compared than a cap allows.
 * See docs/decisions/0016-attempts.md.
 */
export type Cap = "conversation" | "identity" | "callerId";

/** What attempts are counted by. */
export interface AttemptSubject {
  conversationId: string;
  contactId: string;
  /** See `callerHash`. */
  callerHash: Buffer | null;
}
type CapSettings = Pick<
  IdentitySettingsDto,
  "maxWrongPerConversation" | "maxWrongPerIdentity24h" | "maxWrongPerCallerId24h"
>;
type SubjectValues = Record<keyof AttemptSubject, Parameter | Sql>;

const LAST_24_HOURS = sql`a.at > clock_timestamp() - interval '24 hours'`;
/** For each cap, the attempts `a` that count towards it, and the setting that limits them. */
const CAPS: Record<Cap, { attempts: (subject: SubjectValues) => Sql; setting: keyof CapSettings }> = {
  conversation: {
    attempts: ({ conversationId }) => sql`a.conversation_id = ${conversationId}`,
    setting: "maxWrongPerConversation",
  },
  identity: {
    attempts: ({ contactId }) => sql`a.contact_id = ${contactId} and ${LAST_24_HOURS}`,
    setting: "maxWrongPerIdentity24h",
  },
  callerId: {
    attempts: ({ callerHash }) => sql`a.caller_hash = ${callerHash} and ${LAST_24_HOURS}`,
    setting: "maxWrongPerCallerId24h",
  },
};
const CAP_NAMES = Object.keys(CAPS) as Cap[];

type CountArgs = AttemptSubject & CapSettings;
const NO_CONDITION = sql`true`;
const countOf = (cap: Cap, args: Parameters<CountArgs>, condition = NO_CONDITION): Sql => sql`(
  select count(*)
  from verification_attempt a
  where a.tenant_id = ${TENANT} and a.forgiven_at is null and ${CAPS[cap].attempts(args)} and ${condition}
)`;
/** One column for each cap. */
const forEachCap = (expression: (cap: Cap) => Sql): Sql =>
  joined(
    CAP_NAMES.map((cap) => sql`${expression(cap)} as ${quoted(cap)}`),
    ", ",
  );

/**
 * The keyed hash of the caller ID of a conversation `c`. It is null if the caller ID is withheld, so that calls with a
 * withheld number share no count.
 * @param pepper goes in front of what is hashed
 */
export const callerHash = (pepper: Parameter): Sql =>
  sql`sha256(${pepper}::bytea || convert_to(c.tenant_id::text || c.caller_id, 'UTF8'))`;

/** The locks of a conversation `c` under the settings `v`, as JSON: for each cap that is reached, until when. */
export const locks = (pepper: Parameter): Sql => {
  const subject = { conversationId: sql`c.id`, contactId: sql`c.contact_id`, callerHash: callerHash(pepper) };
  const lock = (cap: Cap): Sql => {
    const { attempts, setting } = CAPS[cap];
    const max = sql`v.${quoted(setting)}`;
    // The attempt that has to leave the window of 24 hours before another one is allowed.
    const until = cap === "conversation" ? sql`null` : time(sql`(times[${max}] + interval '24 hours')`);
    return sql`${literal(cap)}, (
      select case when cardinality(times) >= ${max} then json_build_object('until', ${until}) end
      from (
        select array_agg(a.at order by a.at desc) as times
        from verification_attempt a
        where a.tenant_id = ${TENANT} and a.forgiven_at is null and ${attempts(subject)}
      ) t
    )`;
  };
  return sql`json_build_object(${joined(CAP_NAMES.map(lock), ", ")})`;
};

const NO_ROWS_OF_WORKSPACES = { unrestricted: "it takes advisory locks and reads no rows" };
const LOCK_COUNTS = query<{ names: readonly string[] }>()(
  "wrongAnswerCaps.lockCounts",
  NO_ROWS_OF_WORKSPACES,
  ({ names }) => sql`
    select pg_advisory_xact_lock(key)
    from (
      select distinct hashtextextended('verification ' || ${TENANT}::text || ' ' || name, 0) as key
      from unnest(${names}::text[]) name
      order by 1
    ) keys`,
);

const REMAINING = query<CountArgs, { remaining: number }>()("wrongAnswerCaps.remaining", "checked", (args) => {
  const left = CAP_NAMES.map((cap) => sql`${args[CAPS[cap].setting]}::int - ${countOf(cap, args)}`);
  return sql`select least(${joined(left, ", ")})::int as remaining`;
});

const TAKE_ATTEMPT = query<AttemptSubject & { questionId: string }>()(
  "wrongAnswerCaps.takeAttempt",
  "checked",
  ({ questionId, conversationId, contactId, callerHash }) => sql`
    with open as (
      update verification_question set answered_at = clock_timestamp()
      where tenant_id = ${TENANT} and id = ${questionId} and conversation_id = ${conversationId}
        and answered_at is null
      returning id
    )
    insert into verification_attempt (tenant_id, id, conversation_id, contact_id, caller_hash)
    select ${TENANT}, open.id, ${conversationId}, ${contactId}, ${callerHash}
    from open
    returning id`,
);

const CAPS_JUST_REACHED = query<CountArgs, Record<Cap, boolean>>()(
  "wrongAnswerCaps.justReached",
  "checked",
  (args) =>
    sql`select ${forEachCap((cap) => sql`${countOf(cap, args, sql`a.wrong`)} = ${args[CAPS[cap].setting]}::int`)}`,
);

const CAPS_REACHED = query<CountArgs, Record<Cap, boolean>>()(
  "wrongAnswerCaps.reached",
  "checked",
  (args) => sql`select ${forEachCap((cap) => sql`${countOf(cap, args)} >= ${args[CAPS[cap].setting]}::int`)}`,
);

const FORGIVE = query<AttemptSubject & { by: string | null }>()(
  "wrongAnswerCaps.forgive",
  "checked",
  (args) => sql`
    update verification_attempt a
    set forgiven_at = clock_timestamp(), forgiven_by = ${args.by}
    where a.tenant_id = ${TENANT} and a.forgiven_at is null and (
      ${joined(
        CAP_NAMES.map((cap) => sql`(${CAPS[cap].attempts(args)})`),
        " or ",
      )}
    )
    returning a.id`,
);

/**
 * Holds the subject's counts until the end of the transaction, across all processes. The locks are always taken in the
 * same order, so two transactions never wait for each other.
 */
async function lockCounts(tx: Tx, { conversationId, contactId, callerHash }: AttemptSubject): Promise<void> {
  await tx.query(LOCK_COUNTS, {
    names: [`c${conversationId}`, `i${contactId}`, ...(callerHash ? [`a${callerHash.toString("hex")}`] : [])],
  });
}

/** How many wrong answers are left until the first cap is reached, 0 or more. */
export async function remainingAttempts(tx: Tx, subject: AttemptSubject, settings: CapSettings): Promise<number> {
  const [row] = await tx.query(REMAINING, { ...subject, ...settings });
  return Math.max(0, row!.remaining);
}

export const LOCKED =
  "Verification is locked after too many wrong answers. An owner or admin can unlock it. Other kinds of proof still work";

/**
 * Takes one attempt towards every cap, before anything is compared. Do this in a transaction of its own: the attempt
 * stays taken whatever happens to the comparison.
 * @returns `answered` if the question was answered before, `locked` if a cap is reached. In both cases nothing is taken.
 */
export async function takeAttempt(
  tx: Tx,
  questionId: string,
  subject: AttemptSubject,
  settings: CapSettings,
): Promise<"taken" | "answered" | "locked"> {
  await lockCounts(tx, subject);
  if ((await remainingAttempts(tx, subject, settings)) < 1) return "locked";
  const taken = await tx.query(TAKE_ATTEMPT, { questionId, ...subject });
  return taken.length === 1 ? "taken" : "answered";
}

/** Gives the attempt of a right answer back. */
export async function giveBackAttempt(tx: Tx, questionId: string): Promise<void> {
  await tx.delete(VerificationAttemptEntity, { id: questionId });
}

/**
 * Marks the attempt as a wrong answer.
 * @returns the caps that this wrong answer reaches
 */
export async function countWrongAnswer(
  tx: Tx,
  questionId: string,
  subject: AttemptSubject,
  settings: CapSettings,
): Promise<Cap[]> {
  await lockCounts(tx, subject);
  await tx.update(VerificationAttemptEntity, { id: questionId }, { wrong: true });
  const [reached] = await tx.query(CAPS_JUST_REACHED, { ...subject, ...settings });
  return CAP_NAMES.filter((cap) => reached![cap]);
}

/**
 * Forgives the attempts that count against the subject.
 * @returns how many attempts, and the caps that they had reached
 */
export async function forgiveAttempts(
  tx: Tx,
  subject: AttemptSubject,
  settings: CapSettings,
  by: string | null,
): Promise<{ attempts: number; reached: Cap[] }> {
  await lockCounts(tx, subject);
  const [reached] = await tx.query(CAPS_REACHED, { ...subject, ...settings });
  const forgiven = await tx.query(FORGIVE, { ...subject, by });
  return { attempts: forgiven.length, reached: CAP_NAMES.filter((cap) => reached![cap]) };
}
