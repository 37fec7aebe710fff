import { Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { raiseAbout } from "../conversations/attention/raise.js";
import type { SystemCaller } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import { sql } from "../platform/database/sql.js";
import { globalQuery } from "../platform/database/statements.js";
import type { Tx } from "../platform/database/transaction.js";
import type { DueQueue, DueRow } from "../platform/jobs/due-queue.js";
import { JobRunner } from "../platform/jobs/job-runner.js";
import { ChannelError, type ChannelKind, type OpenChannel } from "./channel-kind.js";
import { ChannelsService } from "./channels.service.js";
import { withTimeout } from "../platform/outbound/with-timeout.js";

const CONCURRENCY = 20;
/** Longer than any attempt takes. */
const LEASE_SECONDS = 60;
const ATTEMPT_MS = 30_000;
/** After so many failed attempts an attention item asks a person to look. The attempts go on. */
const MAX_ATTEMPTS = 6;
/** The longest wait between two attempts. */
const MAX_WAIT_SECONDS = 900;

const CLAIM = globalQuery<{ leaseSeconds: number; limit: number }, DueChannel>(
  "channels.claim",
  ({ leaseSeconds, limit }) => sql`
    update channel_due d set due_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}) from tenant t
    where t.id = d.tenant_id and (d.tenant_id, d.channel_id) in (
      select n.tenant_id, n.channel_id from channel_due n
      where n.due_at <= clock_timestamp() order by n.due_at limit ${limit} for update skip locked)
    returning d.tenant_id as "tenantId", d.channel_id as id, t.environment, d.due_at::text as until`,
);

/** A channel to set up, or to try again. `until` is the lease: if it has changed, the channel was set up anew. */
interface DueChannel extends DueRow {
  until: string;
}

/** Sets channels up, and finds out whether those in error work again. */
@Injectable()
export class ProvisioningJob {
  private readonly log = new Logger("channels");
  private readonly queue: DueQueue<DueChannel>;

  constructor(
    jobs: JobRunner,
    private readonly db: Database,
    private readonly channels: ChannelsService,
  ) {
    this.queue = jobs.queue<DueChannel>({
      name: "channels",
      claim: (limit) => jobs.acrossTenants(CLAIM, { leaseSeconds: LEASE_SECONDS, limit }),
      concurrency: CONCURRENCY,
      work: (caller, due) => this.provision(caller, due),
    });
  }

  /** Does not wait for the tick before: a slow server does not delay the other channels. */
  @Interval(1_000)
  tick(): Promise<void> {
    return this.queue.tick();
  }

  private async provision(caller: SystemCaller, { id, until }: DueChannel): Promise<void> {
    const { channel, kind } = await this.db.transaction(caller, async (tx) => {
      tx.unseen();
      return this.channels.open(tx, id);
    });
    const failure = await this.attempt(caller, channel, kind);
    await this.db.transaction(caller, async (tx) => {
      tx.unseen();
      // A change in the meantime made the channel due again: this result is about the settings of before.
      const [mine] = await tx.query(
        "select from channel_due where tenant_id = :tenant and channel_id = :id and due_at = :until::timestamptz for update",
        { id, until },
      );
      if (!mine) return;
      tx.within(channel.workspaceId);
      if (failure) await this.postpone(tx, channel, failure);
      else if (await this.unchanged(tx, channel)) {
        await tx.query("delete from channel_due where tenant_id = :tenant and channel_id = :id", { id });
        await this.channels.activate(tx, id);
      }
    });
  }

  /** Locks the channel. @returns whether it is still as it was when it was tried */
  private async unchanged(tx: Tx, { id, revision }: OpenChannel): Promise<boolean> {
    return (
      (
        await tx.query(
          `select from channel where tenant_id = :tenant and id = :id and revision = :revision and status in ('provisioning', 'error') for no key update`,
          { id, revision },
        )
      ).length > 0
    );
  }

  /** @returns why the channel does not work, or undefined where it does */
  private async attempt(
    caller: SystemCaller,
    channel: OpenChannel,
    kind: ChannelKind,
  ): Promise<ChannelError | undefined> {
    // The test side does not call other servers.
    if (caller.environment === "test") return undefined;
    try {
      await withTimeout(
        kind.provision?.(channel) ?? Promise.resolve(),
        ATTEMPT_MS,
        () => new ChannelError("The server did not answer in time"),
      );
      return undefined;
    } catch (error) {
      if (error instanceof ChannelError) return error;
      this.log.error(`channel ${channel.id} cannot be made ready: ${(error as Error).stack}`);
      return new ChannelError("The channel could not be made ready");
    }
  }

  private async postpone(tx: Tx, { id, revision }: OpenChannel, { message, lasting }: ChannelError): Promise<void> {
    const [failed] = await tx.query<{ broken: boolean; name: string; seconds: number | null }>(
      `update channel c set attempts = c.attempts + 1, last_error = :message, updated_at = now(),
        status = case when :lasting or c.attempts + 1 >= :maxAttempts then 'error' else c.status end,
        next_retry_at = case when not :lasting then clock_timestamp() + make_interval(secs => least(5 * 2 ^ least(c.attempts + 1, 10), :maxWaitSeconds) * (0.75 + random() / 2)) end
      from (select * from channel where tenant_id = :tenant and id = :id for no key update) before
      where c.tenant_id = before.tenant_id and c.id = before.id and c.revision = :revision and c.status in ('provisioning', 'error')
      returning c.name, c.status = 'error' and before.status <> 'error' as broken`,
      { id, revision, message, lasting, maxAttempts: MAX_ATTEMPTS, maxWaitSeconds: MAX_WAIT_SECONDS },
    );
    if (!failed) return;
    await tx.query(
      `with next as (select next_retry_at as at from channel where tenant_id = :tenant and id = :id), given_up as (
        delete from channel_due d using next where d.tenant_id = :tenant and d.channel_id = :id and next.at is null
      ) update channel_due d set due_at = next.at from next where d.tenant_id = :tenant and d.channel_id = :id and next.at is not null`,
      { id },
    );
    if (failed.broken)
      await raiseAbout(
        tx,
        { channelId: id },
        { type: "channel_error", severity: "high", reason: `${failed.name}: ${message}` },
      );
  }
}
