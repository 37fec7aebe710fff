import { ConflictException, type HttpException } from "@nestjs/common";
import { REACHABLE } from "../../platform/database/statement.js";
import type { Tx } from "../../platform/database/transaction.js";
import { ERASED, notFound } from "../../platform/http/errors.js";

interface ChangeParts {
  /** What becomes of the conversation `c`; `t` is how it was, `t.at` the time of the change. */
  set: string;
  /** Whether there is anything to change in `t`. Otherwise nothing happens, and nothing is refused. */
  moves: string;
  /** Conditions without which it is refused; each is told by its name, and null is as good as false. */
  checks?: Record<string, string>;
  /** Common table expressions for what else follows, from the changed conversation `moved`. */
  also?: string;
}

/** What became of a change, and each check by its name. */
interface Outcome {
  workspaceId: string;
  erased: boolean;
  moves: boolean;
  [check: string]: string | boolean | null;
}
/** What each check that is not met is answered with. */
export type Refusals = Record<string, () => HttpException>;

/**
 * One change of a conversation within reach, `:id`, in one statement that knows every case. No row: there is no such
 * conversation. Whoever else is changing it is waited for, and what is decided on is what they left.
 */
export function change({ set, moves, checks = {}, also = "" }: ChangeParts): string {
  const judged = Object.entries(checks)
    .map(([name, condition]) => `, ${condition} as "${name}"`)
    .join("");
  const names = Object.keys(checks).map((name) => `t."${name}"`);
  return `with target as (
    select c.* from conversation c join workspace w on w.tenant_id = c.tenant_id and w.id = c.workspace_id
    where c.tenant_id = :tenant and c.id = :id and ${REACHABLE} for no key update of c
  ), timed as (
    select *, clock_timestamp() as at from target
  ), judged as (
    select t.*, ${moves} as moves${judged} from timed t
  ), moved as (
    update conversation c set ${set}, last_activity_at = t.at, updated_at = t.at from judged t
    where c.tenant_id = t.tenant_id and c.id = t.id and ${["t.moves", "t.redacted_at is null", ...names].join(" and ")}
    returning c.*
  )${also}
  select ${['t.workspace_id as "workspaceId"', "t.redacted_at is not null as erased", "t.moves", ...names].join(", ")} from judged t`;
}

/** Makes a change of a conversation, or finds that there is nothing to change, or refuses. */
export async function settle(tx: Tx, statement: string, args: object, refusals: Refusals = {}): Promise<void> {
  const [found] = await tx.query<Outcome>(statement, args);
  if (!found) throw notFound();
  // A member that is not there is so even where nothing would change.
  if (found.able === null) throw notFound();
  if (!found.moves) {
    tx.unseen();
    return;
  }
  if (found.erased) throw new ConflictException(ERASED);
  for (const [check, refusal] of Object.entries(refusals)) if (!found[check]) throw refusal();
  tx.within(found.workspaceId);
}
