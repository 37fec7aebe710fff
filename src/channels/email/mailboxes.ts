import { randomUUID } from "node:crypto";
import { Injectable, Logger, type OnModuleDestroy } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { Database } from "../../platform/database/database.js";
import { sql, STRANGERS } from "../../platform/database/sql.js";
import { globalQuery } from "../../platform/database/statements.js";
import { JobRunner } from "../../platform/jobs/job-runner.js";
import { Metrics } from "../../platform/metrics/metrics.js";
import type { PeriodicJob } from "../../platform/jobs/periodic-job.js";
import { ChannelsService } from "../channels.service.js";
import { GraphInbox } from "./graph/graph-inbox.js";
import { IncomingMailService } from "./incoming-mail.service.js";
import { MailboxLogins } from "./sign-in/mailbox-logins.js";
import { SmtpTransports } from "./smtp-transports.js";
import { MailboxSession, type Patience, type SessionParts } from "./mailbox-session.js";

/** The lease, and the time after it in which its holder closes the mailbox. Others take over after both, within a minute. */
const LEASE_SECONDS = 20;
const GRACE_SECONDS = 25;
const RELEASE = globalQuery<{ tenantId: string; channelId: string; holder: string }>()(
  "mailboxes.release",
  "tenant",
  ({ tenantId, channelId, holder }) => sql`
    update mailbox_lease l set holder = null
    where l.tenant_id = ${tenantId} and l.channel_id = ${channelId} and l.holder = ${holder}`,
);
const RELEASE_ALL = globalQuery<{ holder: string }>()(
  "mailboxes.releaseAll",
  "everywhere",
  ({ holder }) => sql`
    update mailbox_lease l set holder = null
    where l.holder = ${holder} and not l.tenant_id = any(${STRANGERS}::uuid[])`,
);

/** Claimed at once. Small, so that processes that start together share the mailboxes from the beginning. */
const BATCH = 5;

interface Held {
  tenantId: string;
  channelId: string;
}

const RENEW = globalQuery<{ holder: string; leaseSeconds: number }, Held>()(
  "mailboxes.renew",
  "everywhere",
  ({ holder, leaseSeconds }) => sql`
    update mailbox_lease set held_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where holder = ${holder} and held_until > clock_timestamp() and not tenant_id = any(${STRANGERS}::uuid[])
    returning tenant_id as "tenantId", channel_id as "channelId"`,
);

const CLAIM = globalQuery<
  { holder: string; leaseSeconds: number; graceSeconds: number; reading: readonly string[]; limit: number },
  Held
>()(
  "mailboxes.claim",
  "everywhere",
  ({ holder, leaseSeconds, graceSeconds, reading, limit }) => sql`
    update mailbox_lease l set holder = ${holder}, held_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where (l.tenant_id, l.channel_id) in (
      select f.tenant_id, f.channel_id from mailbox_lease f
      where (f.holder is null or f.held_until < clock_timestamp() - make_interval(secs => ${graceSeconds}))
        and not (f.channel_id = any(${reading}::uuid[])) and not f.tenant_id = any(${STRANGERS}::uuid[])
      order by f.held_until limit ${limit} for update skip locked)
    returning l.tenant_id as "tenantId", l.channel_id as "channelId"`,
);

/** Those that `CLAIM` would take. */
const UNATTENDED = globalQuery<{ graceSeconds: number }>()(
  "mailboxes.unattended",
  "everywhere",
  ({ graceSeconds }) => sql`
    select count(*)::int as mailboxes from mailbox_lease
    where holder is null or held_until < clock_timestamp() - make_interval(secs => ${graceSeconds})`,
);

const TAKE_FROM_BUSIEST = globalQuery<{ holder: string; limit: number }>()(
  "mailboxes.take-from-busiest",
  "everywhere",
  ({ holder, limit }) => sql`
    with counts as (
      select holder, count(*)::int as count from mailbox_lease where held_until > clock_timestamp() group by holder
    ), busiest as (
      select holder, (count - coalesce((select count from counts where holder = ${holder}), 0)) / 2 as surplus
      from counts where holder <> ${holder} order by count desc limit 1
    ) update mailbox_lease l set held_until = clock_timestamp() where (l.tenant_id, l.channel_id) in (
      select f.tenant_id, f.channel_id from mailbox_lease f join busiest on f.holder = busiest.holder
      where f.held_until > clock_timestamp() and not f.tenant_id = any(${STRANGERS}::uuid[]) order by f.channel_id
      limit (select least(greatest(surplus, 0), ${limit}) from busiest) for update of f skip locked)`,
);

/**
 * Reads the mailboxes of active channels. Processes share them, and each mailbox is leased to one process at a time. This is
 * not a `DueQueue`: a mailbox is not worked off but kept open, so its lease is renewed as long as the process lives.
 */
@Injectable()
export class Mailboxes implements OnModuleDestroy {
  private readonly log = new Logger("mail");
  private readonly self = randomUUID();
  private readonly sessions = new Map<string, MailboxSession>();
  private readonly job: PeriodicJob;
  /** How often a mailbox is read without a notification: where the server sends them, and where it does not. */
  readonly everyMs = { idle: 180_000, poll: 30_000 };
  /** A mail of 40 MB may take 140 seconds. */
  readonly patience: Patience = { answerMs: 60_000, bytesPerMs: 524 };
  private readonly parts: SessionParts;

  constructor(
    private readonly jobs: JobRunner,
    private readonly db: Database,
    channels: ChannelsService,
    mails: IncomingMailService,
    transports: SmtpTransports,
    logins: MailboxLogins,
    graph: GraphInbox,
    metrics: Metrics,
  ) {
    const { everyMs, patience } = this;
    this.parts = {
      db,
      channels,
      mails,
      logins,
      graph,
      addressOf: (server) => transports.addressOf(server),
      everyMs,
      patience,
    };
    this.job = jobs.periodic("mail", () => this.share());
    this.addMetrics(metrics);
  }

  private addMetrics(metrics: Metrics): void {
    const looked = (): number[] => [...this.sessions.values()].map(({ lookedAt }) => lookedAt);
    metrics.gauge("parley_mailboxes_held", "Mailboxes that this process reads", () => this.sessions.size);
    metrics.gauge(
      "parley_mailbox_lag_seconds",
      "Of the mailboxes that this process reads, the one looked at least recently: since when",
      () => (looked().length ? (performance.now() - Math.min(...looked())) / 1_000 : 0),
    );
    metrics.gauge(
      "parley_mailboxes_unattended",
      "Mailboxes that no process reads",
      metrics.shared(async () => {
        const rows = await this.jobs.acrossTenants(UNATTENDED, { graceSeconds: GRACE_SECONDS });
        return rows.reduce((sum, { mailboxes }) => sum + mailboxes, 0);
      }),
    );
  }

  /** Releases all leases, so that other processes take over at once. */
  async onModuleDestroy(): Promise<void> {
    await this.job.stop();
    for (const session of this.sessions.values()) session.stop();
    await Promise.all([...this.sessions.values()].map(({ ended }) => ended));
    await this.db.sweep(RELEASE_ALL, { holder: this.self }).catch(() => undefined);
  }

  @Interval(2_000)
  tick(): Promise<void> {
    return this.job.tick();
  }

  private async share(): Promise<void> {
    const mine = await this.jobs.acrossTenants(RENEW, { holder: this.self, leaseSeconds: LEASE_SECONDS });
    const still = new Set(mine.map(({ channelId }) => channelId));
    for (const [channelId, session] of this.sessions) if (!still.has(channelId)) session.stop();
    // Held but not read, as after a lost answer of the database.
    for (const one of mine) if (!this.sessions.has(one.channelId)) this.begin(one);
    const claimed = await this.claim();
    for (const one of claimed) this.begin(one);
    if (!claimed.length) await this.takeFromBusiest();
  }

  /** Claims mailboxes that no process reads. */
  private claim(): Promise<Held[]> {
    return this.jobs.acrossTenants(CLAIM, {
      holder: this.self,
      leaseSeconds: LEASE_SECONDS,
      graceSeconds: GRACE_SECONDS,
      reading: [...this.sessions.keys()],
      limit: BATCH,
    });
  }

  /** Ends some leases of the process that reads most, if it reads at least two mailboxes more than this one. It closes them when it finds that. */
  private async takeFromBusiest(): Promise<void> {
    await this.jobs.acrossTenants(TAKE_FROM_BUSIEST, { holder: this.self, limit: BATCH });
  }

  private begin({ tenantId, channelId }: Held): void {
    const session = new MailboxSession(this.parts, tenantId, channelId, this.self);
    this.sessions.set(channelId, session);
    void session.ended
      .then(() => this.db.globalOf(tenantId, RELEASE, { tenantId, channelId, holder: this.self }))
      .catch((error: unknown) =>
        this.log.warn(`mailbox ${channelId} is released when its lease ends: ${(error as Error).message}`),
      )
      // Only now, because a release that comes after the next claim would end that one.
      .finally(() => this.sessions.delete(channelId));
  }
}
