import { Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { raiseAbout } from "../conversations/attention/raise.js";
import { type Environment, system, type SystemCaller } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import type { Tx } from "../platform/database/transaction.js";
import { ChannelError, type ChannelKind, type OpenChannel } from "./channel-kind.js";
import { ChannelsService } from "./channels.service.js";
import { withTimeout } from "./with-timeout.js";

const MOST_AT_ONCE = 20;
/** A process that dies over a channel leaves it to others after this. No attempt takes as long. */
const LEASE_SECONDS = 60;
const ATTEMPT_MS = 30_000;
/** After so many attempts in vain a person is asked to look; it goes on being tried, this seldom at last. */
const MOST_ATTEMPTS = 6;
const MOST_SECONDS = 900;

interface Due {
  tenantId: string;
  id: string;
  environment: Environment;
  until: string;
}

/** Makes channels ready, and finds out whether those that broke work again. Any number of processes share the work: each channel is one's at a time. */
@Injectable()
export class ProvisioningJob {
  private readonly log = new Logger("channels");
  private underWay = 0;

  constructor(
    private readonly db: Database,
    private readonly channels: ChannelsService,
  ) {}

  /** Does not wait for the one before: a server that takes its time keeps nobody waiting for the others. */
  @Interval(1_000)
  async tick(): Promise<void> {
    const room = MOST_AT_ONCE - this.underWay;
    this.underWay += room;
    const claimed = await this.claim(room).catch((error: unknown) => {
      this.log.warn(`channels cannot be read: ${(error as Error).message}`);
      return [];
    });
    this.underWay -= room - claimed.length;
    await Promise.all(
      claimed.map((one) =>
        this.lookAfter(one)
          .catch((error: unknown) =>
            this.log.warn(`channel ${one.id} is looked after again later: ${(error as Error).message}`),
          )
          .finally(() => {
            this.underWay--;
          }),
      ),
    );
  }

  private claim(most: number): Promise<Due[]> {
    return this.db.global<Due>(
      `update channel_due d set due_at = clock_timestamp() + make_interval(secs => $1) from tenant t
      where t.id = d.tenant_id and (d.tenant_id, d.channel_id) in (
        select n.tenant_id, n.channel_id from channel_due n where n.due_at <= clock_timestamp() order by n.due_at limit $2 for update skip locked)
      returning d.tenant_id as "tenantId", d.channel_id as id, t.environment, d.due_at::text as until`,
      [LEASE_SECONDS, most],
    );
  }

  private async lookAfter({ tenantId, id, environment, until }: Due): Promise<void> {
    const caller = system("channels", tenantId, environment);
    const { channel, kind } = await this.db.transaction(caller, async (tx) => {
      tx.unseen();
      return this.channels.open(tx, id);
    });
    const failure = await this.attempt(caller, channel, kind);
    await this.db.transaction(caller, async (tx) => {
      tx.unseen();
      // Whoever set something anew meanwhile has made it due again, and is not told about what was before.
      const [mine] = await tx.query(
        "select from channel_due where tenant_id = :tenant and channel_id = :id and due_at = :until::timestamptz for update",
        { id, until },
      );
      if (!mine) return;
      tx.within(channel.workspaceId);
      if (failure) await this.postpone(tx, channel, failure);
      else if (await this.stands(tx, channel)) {
        await tx.query("delete from channel_due where tenant_id = :tenant and channel_id = :id", { id });
        await this.channels.activate(tx, id);
      }
    });
  }

  /** Until the transaction ends it stays as it was when it was tried. */
  private async stands(tx: Tx, { id, revision }: OpenChannel): Promise<boolean> {
    return (
      (
        await tx.query(
          `select from channel where tenant_id = :tenant and id = :id and revision = :revision and status in ('provisioning', 'error') for no key update`,
          { id, revision },
        )
      ).length > 0
    );
  }

  /** @returns what stands against it */
  private async attempt(
    caller: SystemCaller,
    channel: OpenChannel,
    kind: ChannelKind,
  ): Promise<ChannelError | undefined> {
    // On the test side nothing leaves, and nobody outside is asked.
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
        status = case when :lasting or c.attempts + 1 >= :most then 'error' else c.status end,
        next_retry_at = case when not :lasting then clock_timestamp() + make_interval(secs => least(5 * 2 ^ least(c.attempts + 1, 10), :mostSeconds) * (0.75 + random() / 2)) end
      from (select * from channel where tenant_id = :tenant and id = :id for no key update) before
      where c.tenant_id = before.tenant_id and c.id = before.id and c.revision = :revision and c.status in ('provisioning', 'error')
      returning c.name, c.status = 'error' and before.status <> 'error' as broken`,
      { id, revision, message, lasting, most: MOST_ATTEMPTS, mostSeconds: MOST_SECONDS },
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
