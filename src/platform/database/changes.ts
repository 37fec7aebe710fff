import { randomBytes } from "node:crypto";
import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from "@nestjs/common";
import { InjectDataSource } from "@nestjs/typeorm";
import pg from "pg";
import { DataSource } from "typeorm";
import type { PostgresDataSourceOptions } from "typeorm/driver/postgres/PostgresDataSourceOptions.js";

const CHANNEL = "parley_changes";
/** The name of each process's listening connection: by it the others notice when the process is gone. */
const LISTENER = "parley changes";
const WATCH_MS = 300;
/** Without an answer for so long, nothing is known of other processes any more. */
const TRUST_MS = 900;
const REFRESH_MS = 60_000;
const RECONNECT_MS = 250;
/** A notification holds 8,000 bytes at the most. */
const MAX_BYTES = 7_500;
const MAX_TENANTS = 50_000;
const EVERYTHING = "*";

interface Versions {
  /** The newest change anywhere in the tenant. */
  any: number;
  /** The newest change that is not confined to one workspace. */
  wide: number;
  workspaces: Map<string, number>;
}

/** Told of each change: of a tenant, or anything; in a workspace, or anywhere in the tenant. */
type Listener = (tenantId: string | null, workspaceId: string | null) => void;

/**
 * What has changed, on whichever process: a number for each tenant and workspace, moved by every commit that goes through
 * the door and told to the other processes by NOTIFY. It holds numbers only, never data. While the connection that
 * listens is down or silent there are no versions, and everything is looked up.
 */
@Injectable()
export class Changes implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger("changes");
  /** Versions of another start, or of another process, are never equal to ours. */
  private readonly boot = randomBytes(6).toString("base64url");
  private readonly tenants = new Map<string, Versions>();
  private clock = 0;
  /** Nothing is known of what changed before. */
  private floor = 0;
  private heardAt = -Infinity;
  private listener?: pg.Client;
  private peers = new Set<number>();
  private readonly untold = new Set<string>();
  private telling = false;
  private stopped = false;
  private timers: NodeJS.Timeout[] = [];
  private readonly listeners: Listener[] = [];

  constructor(@InjectDataSource() private readonly source: DataSource) {}

  async onModuleInit(): Promise<void> {
    await this.listen();
    this.timers = [
      setInterval(() => void this.watch(), WATCH_MS),
      // A process that loses its power between a commit and its notification cannot be noticed by others: nothing is
      // believed for longer than this without a look at the database.
      setInterval(() => this.forgetEverything(), REFRESH_MS),
    ];
    for (const timer of this.timers) timer.unref();
  }

  /**
   * The version of what can be read in one workspace, or in the whole tenant.
   * @returns null while other processes cannot be heard
   */
  version(tenantId: string, workspaceId: string | null): string | null {
    if (!this.hearing) return null;
    const known = this.tenants.get(tenantId);
    const newest = !known
      ? 0
      : workspaceId === null
        ? known.any
        : Math.max(known.wide, known.workspaces.get(workspaceId) ?? 0);
    return `${this.boot}.${Math.max(newest, this.floor)}`;
  }

  /** Now, to ask later what has changed since; null while other processes cannot be heard. */
  mark(): number | null {
    return this.hearing ? this.clock : null;
  }

  /** Whether what is common to a tenant's workspaces, such as keys, members and their rights, may have changed since `mark`. */
  changedWidely(tenantId: string, mark: number): boolean {
    return !this.hearing || this.floor > mark || (this.tenants.get(tenantId)?.wide ?? 0) > mark;
  }

  /** A commit of this process: known here at once, and to the others a moment later. */
  committed(tenantId: string, workspaceId: string | null): void {
    this.note(tenantId, workspaceId);
    this.untold.add(workspaceId === null ? tenantId : `${tenantId} ${workspaceId}`);
    void this.tell();
  }

  /** `listener` is called at each change that may show, on whichever process; now and then also without one. */
  onChange(listener: Listener): void {
    this.listeners.push(listener);
  }

  private get hearing(): boolean {
    return performance.now() - this.heardAt < TRUST_MS;
  }

  private note(tenantId: string, workspaceId: string | null): void {
    if (this.tenants.size >= MAX_TENANTS) this.forgetEverything();
    let known = this.tenants.get(tenantId);
    if (!known) this.tenants.set(tenantId, (known = { any: 0, wide: 0, workspaces: new Map() }));
    known.any = ++this.clock;
    if (workspaceId === null) known.wide = this.clock;
    else known.workspaces.set(workspaceId, this.clock);
    for (const listener of this.listeners) listener(tenantId, workspaceId);
  }

  /** After a change that did not come through the door. Done by hand in the database: `notify parley_changes, '*'`. */
  forgetEverything(): void {
    this.floor = ++this.clock;
    this.tenants.clear();
    for (const listener of this.listeners) listener(null, null);
  }

  /** One notification at a time: what is committed meanwhile goes with the next, so that commits do not queue for NOTIFY. */
  private async tell(): Promise<void> {
    if (this.telling) return;
    this.telling = true;
    while (this.untold.size && !this.stopped) {
      const batch: string[] = [];
      let bytes = 0;
      for (const change of this.untold) {
        if ((bytes += change.length + 1) > MAX_BYTES) break;
        batch.push(change);
      }
      for (const change of batch) this.untold.delete(change);
      try {
        // Not through the pool, where it would queue behind the requests.
        if (!this.listener) throw new Error("nobody is connected");
        await this.listener.query("select pg_notify($1, $2)", [CHANNEL, [this.boot, ...batch].join("\n")]);
      } catch {
        for (const change of batch) this.untold.add(change);
        await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS).unref());
      }
    }
    this.telling = false;
  }

  private async listen(): Promise<void> {
    const { url } = this.source.options as PostgresDataSourceOptions;
    // As the login itself: under the application's role PostgreSQL would not show it the connections of its peers.
    const client = new pg.Client({
      connectionString: url,
      application_name: LISTENER,
      connectionTimeoutMillis: 5_000,
      query_timeout: TRUST_MS,
      keepAlive: true,
    });
    client.on("error", () => undefined);
    client.once("end", () => this.lost(client));
    client.on("notification", ({ payload = "" }) => this.hear(payload));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      this.listener = client;
      this.peers = new Set();
      this.forgetEverything();
      await this.watch();
    } catch (error) {
      this.log.warn(`other processes cannot be heard: ${(error as Error).message}`);
      await client.end().catch(() => undefined);
    }
  }

  private hear(payload: string): void {
    if (payload === EVERYTHING) return this.forgetEverything();
    const [boot, ...changes] = payload.split("\n");
    if (boot === this.boot) return;
    for (const change of changes) {
      const [tenantId, workspaceId] = change.split(" ");
      this.note(tenantId!, workspaceId ?? null);
    }
  }

  private lost(client: pg.Client): void {
    if (this.listener === client) this.listener = undefined;
    this.heardAt = -Infinity;
    if (!this.stopped)
      setTimeout(() => {
        if (!this.stopped) void this.listen();
      }, RECONNECT_MS).unref();
  }

  /** A process that is gone may have committed what it could no longer tell. */
  private async watch(): Promise<void> {
    const client = this.listener;
    if (!client) return;
    const asked = performance.now();
    try {
      const { rows } = await client.query<{ pid: number }>(
        "select pid from pg_stat_activity where datname = current_database() and application_name = $1",
        [LISTENER],
      );
      const peers = new Set(rows.map(({ pid }) => pid));
      if ([...this.peers].some((pid) => !peers.has(pid))) this.forgetEverything();
      this.peers = peers;
      this.heardAt = asked;
    } catch {
      void client.end().catch(() => undefined);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    this.timers.forEach(clearInterval);
    await this.listener?.end().catch(() => undefined);
  }
}
