import { ConflictException, type HttpException } from "@nestjs/common";
import { joined, type Parameters, quoted, type Sql, sql, TENANT } from "../platform/database/sql.js";
import type { Checked } from "../platform/database/row-types.js";
import { type Query, query, REACHABLE } from "../platform/database/statements.js";
import type { Tx } from "../platform/database/transaction.js";
import { ERASED, notFound } from "../platform/http/errors.js";

interface ChangeParts {
  /** The assignments to the conversation `c`. `t` is its previous state, and `t.at` is the time of the change. */
  set: Sql;
  /**
   * Whether there is anything to change in `t`. If not, the action succeeds without a change, whatever the checks
   * say.
   */
  changes: Sql;
  /** Conditions that must hold, by name. Null counts as false. */
  checks?: Record<string, Sql>;
  /** More common table expressions, based on the changed conversation `changed`. */
  also?: Sql;
}

/** The result of a change, and of each check by its name. */
interface Outcome {
  workspaceId: string;
  erased: boolean;
  changes: boolean;
  [check: string]: string | boolean | null;
}
/** The error for each check that fails. */
export type Refusals = Record<string, () => HttpException>;

export type ConversationChange<Args> = Query<Args & { id: string }, Outcome>;

/**
 * One change of a conversation that the caller has access to, in one statement that covers every case. No row means
 * that there is no such conversation. The statement waits for other changes of the same conversation and checks the
 * state that they left.
 */
export const conversationChange =
  <Args = object>() =>
  <const Name extends string>(
    name: Name & Checked<Name, Args & { id: string }, Outcome, never>,
    build: (parameters: Parameters<Args & { id: string }>) => ChangeParts,
  ): ConversationChange<Args> =>
    // Checked above, where the arguments are known.
    query<Args & { id: string }, Outcome>()(name as never, "restricted", (p) => {
      const { set, changes, checks = {}, also = sql`` } = build(p);
      const { id } = p as Parameters<{ id: string }>;
      const checked = joined(
        Object.entries(checks).map(([check, condition]) => sql`, ${condition} as ${quoted(check)}`),
        "",
      );
      const names = Object.keys(checks).map((check) => sql`t.${quoted(check)}`);
      return sql`
      with target as (
        select c.* from conversation c join workspace w on w.tenant_id = c.tenant_id and w.id = c.workspace_id
        where c.tenant_id = ${TENANT} and c.id = ${id} and ${REACHABLE}
        for no key update of c
      ), timed as (
        select *, clock_timestamp() as at from target
      ), checked as (
        select t.*, ${changes} as changes${checked} from timed t
      ), changed as (
        update conversation c set ${set}, last_activity_at = t.at, updated_at = t.at
        from checked t
        where c.tenant_id = ${TENANT} and c.id = t.id
          and ${joined([sql`t.changes`, sql`t.redacted_at is null`, ...names], " and ")}
        returning c.*
      )${also}
      select ${joined([sql`t.workspace_id as "workspaceId"`, sql`t.redacted_at is not null as erased`, sql`t.changes`, ...names], ", ")}
      from checked t`;
    });

/** Changes a conversation. Does nothing if it is like that already; throws if the change is not allowed. */
export async function applyChange<Args>(
  tx: Tx,
  change: ConversationChange<Args>,
  args: Args & { id: string },
  refusals: Refusals = {},
): Promise<void> {
  const [found] = await tx.query<Args & { id: string }, Outcome>(change, args);
  if (!found) throw notFound();
  // An unknown member is 404, even if nothing would change.
  if (found.able === null) throw notFound("memberId");
  if (!found.changes) {
    tx.changesNothingVisible();
    return;
  }
  if (found.erased) throw new ConflictException(ERASED);
  for (const [check, refusal] of Object.entries(refusals)) if (!found[check]) throw refusal();
  tx.changesWorkspace(found.workspaceId);
}
