import { time } from "../../platform/database/statement.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { IdentitySettingsDto } from "../settings/identity-settings.dto.js";

/** The caller ID of a conversation `c`, hashed with a key of ours; null where it is withheld: it shares no count with others. */
export const CALLER_HASH = `sha256(:pepper::bytea || convert_to(c.tenant_id::text || c.caller_id, 'UTF8'))`;

/** Who is trying: what wrong answers are counted by. */
export interface Subject {
  conversationId: string;
  contactId: string;
  callerHash: Buffer | null;
}
type Caps = Pick<IdentitySettingsDto, "maxWrongPerConversation" | "maxWrongPerIdentity24h" | "maxWrongPerCallerId24h">;

export type AxisName = "conversation" | "identity" | "callerId";
interface Axis {
  condition: string;
  cap: keyof Caps;
}
const WINDOW = `a.at > clock_timestamp() - interval '24 hours'`;
const AXES: Record<AxisName, Axis> = {
  conversation: { condition: "a.conversation_id = :conversationId", cap: "maxWrongPerConversation" },
  identity: { condition: `a.contact_id = :contactId and ${WINDOW}`, cap: "maxWrongPerIdentity24h" },
  callerId: { condition: `a.caller_hash = :callerHash and ${WINDOW}`, cap: "maxWrongPerCallerId24h" },
};
const NAMES = Object.keys(AXES) as AxisName[];
const counted = (name: AxisName, of = "count(*)", more = ""): string =>
  `(select ${of} from verification_attempt a where a.tenant_id = :tenant and a.forgiven_at is null and ${AXES[name].condition}${more})`;

/**
 * One after the other on each axis, on all processes: whoever counts has the count for as long as the transaction lasts.
 * Always in the same order, so that two never wait for each other.
 */
async function alone(tx: Tx, { conversationId, contactId, callerHash }: Subject): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock(place) from (
      select distinct hashtextextended(name, 0) as place from unnest(:names::text[]) name order by 1) places`,
    {
      names: [`c${conversationId}`, `i${contactId}`, ...(callerHash ? [`a${callerHash.toString("hex")}`] : [])].map(
        (name) => `verification ${tx.caller.tenantId} ${name}`,
      ),
    },
  );
}

/** The locks of a conversation `c` under the settings `v`, as JSON; `:pepper` hashes the caller ID. */
export const LOCKS = `json_build_object(${NAMES.map(
  (name) => `'${name}', (select case when cardinality(times) >= v."${AXES[name].cap}" then json_build_object('until',
    ${name === "conversation" ? "null" : time(`(times[v."${AXES[name].cap}"] + interval '24 hours')`)}) end
  from (select array_agg(a.at order by a.at desc) as times from verification_attempt a where a.tenant_id = c.tenant_id and a.forgiven_at is null
    and ${AXES[name].condition.replace(":conversationId", "c.id").replace(":contactId", "c.contact_id").replace(":callerHash", CALLER_HASH)}) t)`,
).join(", ")})`;

/** How many more wrong answers it takes until a cap is reached. */
export async function remaining(tx: Tx, subject: Subject, caps: Caps): Promise<number> {
  const [row] = await tx.query<{ left: number }>(
    `select least(${NAMES.map((name) => `:${AXES[name].cap}::int - ${counted(name)}`).join(", ")})::int as left`,
    { ...subject, ...caps },
  );
  return Math.max(0, row!.left);
}

export const LOCKED =
  "Verification is locked after too many wrong answers; an owner or admin can unlock it, and another kind of proof stays open";

/**
 * Takes one attempt on every axis, before anything is compared, in a transaction of its own: whatever becomes of the
 * comparison, it stays taken.
 * @returns `answered`: the question is not open any more; `locked`: a cap is reached. Nothing was taken then.
 */
export async function takeAttempt(
  tx: Tx,
  questionId: string,
  subject: Subject,
  caps: Caps,
): Promise<"taken" | "answered" | "locked"> {
  await alone(tx, subject);
  if ((await remaining(tx, subject, caps)) < 1) return "locked";
  const taken = await tx.query(
    `with open as (
      update verification_question set answered_at = clock_timestamp()
      where tenant_id = :tenant and id = :questionId and conversation_id = :conversationId and answered_at is null returning id)
    insert into verification_attempt (tenant_id, id, conversation_id, contact_id, caller_hash)
    select :tenant, open.id, :conversationId, :contactId, :callerHash from open returning id`,
    { questionId, ...subject },
  );
  return taken.length === 1 ? "taken" : "answered";
}

/** A right answer gives its attempt back. */
export async function giveBack(tx: Tx, questionId: string): Promise<void> {
  await tx.query("delete from verification_attempt where tenant_id = :tenant and id = :questionId", { questionId });
}

/** @returns the axes on which this wrong answer is the one that reaches the cap */
export async function countWrong(tx: Tx, questionId: string, subject: Subject, caps: Caps): Promise<AxisName[]> {
  await alone(tx, subject);
  await tx.query("update verification_attempt set wrong = true where tenant_id = :tenant and id = :questionId", {
    questionId,
  });
  const [row] = await tx.query<Record<AxisName, boolean>>(
    `select ${NAMES.map((name) => `${counted(name, "count(*)", " and a.wrong")} = :${AXES[name].cap}::int as "${name}"`).join(", ")}`,
    { ...subject, ...caps },
  );
  return NAMES.filter((name) => row![name]);
}

/** Forgives what stands against the subject. @returns how many attempts, and the axes that were locked by them */
export async function forgive(
  tx: Tx,
  subject: Subject,
  caps: Caps,
  by: string | null,
): Promise<{ attempts: number; locked: AxisName[] }> {
  await alone(tx, subject);
  const [row] = await tx.query<Record<AxisName, boolean>>(
    `select ${NAMES.map((name) => `${counted(name)} >= :${AXES[name].cap}::int as "${name}"`).join(", ")}`,
    { ...subject, ...caps },
  );
  const forgiven = await tx.query(
    `update verification_attempt a set forgiven_at = clock_timestamp(), forgiven_by = :by
    where a.tenant_id = :tenant and a.forgiven_at is null and (${NAMES.map((name) => `(${AXES[name].condition})`).join(" or ")}) returning a.id`,
    { ...subject, by },
  );
  return { attempts: forgiven.length, locked: NAMES.filter((name) => row![name]) };
}
