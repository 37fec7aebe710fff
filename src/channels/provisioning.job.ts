import { Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { raiseAbout } from "../conversations/attention/raise.js";
import type { SystemCaller } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import type { Tx } from "../platform/database/transaction.js";
import type { DueQueue, DueRow } from "../platform/jobs/due-queue.js";
import { JobRunner } from "../platform/jobs/job-runner.js";
import { ChannelDueEntity, ChannelEntity } from "../workspaces/channel.entity.js";
import { ChannelError, type ChannelKind, type OpenChannel } from "./channel-kind.js";
import {
  CHANNELS_LAG,
  CLAIM_DUE_CHANNELS,
  LOCK_LEASE,
  NOTE_FAILED_ATTEMPT,
  SCHEDULE_NEXT_ATTEMPT,
} from "./provisioning.queries.js";
import { ChannelsService } from "./channels.service.js";
import { withTimeout } from "../platform/outbound/with-timeout.js";

const CONCURRENCY = 20;
/** Longer than any attempt takes. */
const LEASE_SECONDS = 60;
const ATTEMPT_MS = 30_000;
/** After this many failed attempts an attention item asks a person to look. The attempts go on. */
const MAX_ATTEMPTS = 6;
/** The longest wait between two attempts. */
const MAX_WAIT_SECONDS = 900;

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
      claim: (room) => jobs.acrossTenants(CLAIM_DUE_CHANNELS, { leaseSeconds: LEASE_SECONDS, ...room }),
      lag: CHANNELS_LAG,
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
      tx.changesNothingVisible();
      return this.channels.open(tx, id);
    });
    const { failure, record } = await this.attempt(caller, channel, kind);
    await this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      // In this order, as a change of the channel locks them. Otherwise both could wait for each other.
      const now = await tx.findOne(ChannelEntity, { id }, { lock: "no key update" });
      // A change in the meantime made the channel due again: this result is about the settings of before.
      const [mine] = await tx.query(LOCK_LEASE, { id, until });
      if (!now || !mine) return;
      tx.changesWorkspace(channel.workspaceId);
      if (failure) await this.postpone(tx, channel, failure);
      else if (now.revision === channel.revision && ["provisioning", "error"].includes(now.status)) {
        await tx.delete(ChannelDueEntity, { channelId: id });
        await record?.(tx);
        await this.channels.activate(tx, id);
      }
    });
  }

  /** @returns why the channel does not work, or what to record where it does */
  private async attempt(
    caller: SystemCaller,
    channel: OpenChannel,
    kind: ChannelKind,
  ): Promise<{ failure?: ChannelError; record?: ((tx: Tx) => Promise<void>) | void }> {
    // The test side does not call other servers.
    if (caller.environment === "test") return {};
    try {
      const record = await withTimeout(
        kind.provision?.(channel) ?? Promise.resolve(),
        ATTEMPT_MS,
        () => new ChannelError("The server did not answer in time"),
      );
      return { record };
    } catch (error) {
      if (error instanceof ChannelError) return { failure: error };
      this.log.error(`channel ${channel.id} cannot be provisioned: ${(error as Error).stack}`);
      return { failure: new ChannelError("The channel could not be made ready") };
    }
  }

  private async postpone(tx: Tx, { id, revision }: OpenChannel, { message, lasting }: ChannelError): Promise<void> {
    const [failed] = await tx.query(NOTE_FAILED_ATTEMPT, {
      id,
      revision,
      message,
      lasting,
      maxAttempts: MAX_ATTEMPTS,
      maxWaitSeconds: MAX_WAIT_SECONDS,
    });
    if (!failed) return;
    await tx.query(SCHEDULE_NEXT_ATTEMPT, { id });
    if (failed.isError)
      await raiseAbout(
        tx,
        { channelId: id },
        { type: "channel_error", severity: "high", reason: `${failed.name}: ${message}` },
      );
  }
}
