import { Injectable } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { CasesService } from "../conversations/cases/cases.service.js";
import { ViewsService } from "../conversations/views/views.service.js";
import { DraftsService } from "../conversations/drafts/drafts.service.js";
import { system } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import { sql, TENANT } from "../platform/database/sql.js";
import { globalQuery, type NoArgs, query } from "../platform/database/statements.js";
import { JobRunner } from "../platform/jobs/job-runner.js";
import type { PeriodicJob } from "../platform/jobs/periodic-job.js";

/** Conversations, or cases, unassigned in one transaction. Small enough that a request for one of them does not wait for long. */
const BATCH = 500;
interface FormerMember {
  tenantId: string;
  memberId: string;
  queuedAt: string;
}

const WHOLE_TENANT = { unrestricted: "the member is removed from the whole tenant" } as const;

const QUEUE = globalQuery<NoArgs, FormerMember>()(
  "former-members.queue",
  "everywhere",
  () => sql`select tenant_id as "tenantId", member_id as "memberId", queued_at::text as "queuedAt" from release_queue`,
);

const LEAVE_QUEUE = globalQuery<FormerMember>()(
  "former-members.leave-queue",
  "tenant",
  ({ tenantId, memberId, queuedAt }) => sql`
    delete from release_queue
    where tenant_id = ${tenantId} and member_id = ${memberId} and queued_at = ${queuedAt}::timestamptz`,
);

const FIND_ASSIGNED = query<{ memberId: string }>()(
  "former-members.find-assigned",
  WHOLE_TENANT,
  ({ memberId }) => sql`
    select id from conversation
    where tenant_id = ${TENANT} and assignee_id = ${memberId} and status <> 'resolved' order by id`,
);

const UNASSIGN = query<{ memberId: string; ids: readonly string[] }>()(
  "former-members.unassign",
  WHOLE_TENANT,
  ({ memberId, ids }) => sql`
    with due as (
      select c.id from conversation c
      where c.tenant_id = ${TENANT} and c.id = any(${ids}::uuid[]) and c.assignee_id = ${memberId} and c.status <> 'resolved'
      order by c.id for no key update
    ) update conversation c set assignee_id = null, last_activity_at = now(), updated_at = now() from due
    where c.tenant_id = ${TENANT} and c.id = due.id`,
);

/**
 * Unassigns members who were removed or deactivated from their unresolved conversations and cases, and deletes their
 * drafts. The database prevents new assignments; resolved ones stay, as the record of who worked on them. One process at
 * a time.
 */
@Injectable()
export class UnassignFormerMembersJob {
  private readonly job: PeriodicJob;

  constructor(
    private readonly jobs: JobRunner,
    private readonly db: Database,
    private readonly cases: CasesService,
    private readonly drafts: DraftsService,
    private readonly views: ViewsService,
  ) {
    this.job = jobs.periodic("release", () => this.run());
  }

  @Interval(1_000)
  tick(): Promise<void> {
    return this.job.tick();
  }

  async run(): Promise<void> {
    const waiting = await this.jobs.acrossTenants(QUEUE);
    if (!waiting.length) return;
    await this.db.exclusively("parley release", () =>
      this.job.forEach(waiting, async (member) => {
        await this.unassign(member);
        // The row stays if the member came back and left again in the meantime.
        await this.db.globalOf(member.tenantId, LEAVE_QUEUE, member);
      }),
    );
  }

  private async unassign({ tenantId, memberId }: FormerMember): Promise<void> {
    const caller = system("release", tenantId, "live");
    const assigned = await this.db.transaction(caller, (tx) => tx.query(FIND_ASSIGNED, { memberId }));
    for (let first = 0; first < assigned.length; first += BATCH) {
      const ids = assigned.slice(first, first + BATCH).map(({ id }) => id);
      await this.db.transaction(caller, (tx) => tx.query(UNASSIGN, { memberId, ids }));
    }
    await this.db.transaction(caller, async (tx) => {
      await this.drafts.forgetMember(tx, memberId);
      await this.views.forgetMember(tx, memberId);
    });
    while ((await this.db.transaction(caller, (tx) => this.cases.release(tx, memberId, BATCH))) === BATCH);
  }
}
