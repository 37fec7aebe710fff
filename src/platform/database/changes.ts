import { randomBytes } from "node:crypto";
import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from "@nestjs/common";
import { InjectDataSource } from "@nestjs/typeorm";
import pg from "pg";
import { DataSource } from "typeorm";
import type { PostgresDataSourceOptions } from "typeorm/driver/postgres/PostgresDataSourceOptions.js";

const CHANNEL = "parley_changes";
/**
 * The application name of each process's listening connection. The other processes see by it when the process has
 * ended.
 */
const LISTENER = "parley changes";
const WATCH_MS = 300;
/** If the listening connection does not answer for this long, changes of other processes count as unknown. */
const TRUST_MS = 900;
const REFRESH_MS = 60_000;
const RECONNECT_MS = 250;
/** PostgreSQL limits a notification to 8,000 bytes. */
const MAX_BYTES = 7_500;
const MAX_TENANTS = 50_000;
const EVERYTHING = "*";

interface Versions {
  /** The newest change in the tenant. */
  any: number;
  /** The newest change that is not confined to one workspace. */
  wide: number;
  workspaces: Map<string, number>;
}

/** Called for each change. A null tenant means any tenant; a null workspace means any workspace of the tenant. */
type Listener = (tenantId: string | null, workspaceId: string | null) => void;

/**
 * Tracks changes across all processes. Each tenant and workspace has a number that increases with every commit
 * through `Database`. NOTIFY tells the other processes. Only numbers are kept, never data. While the listening
 * connection is down or silent there are no versions, and every request reads from the database.
 */
@Injectable()
export class Changes implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger("changes");
  /** Makes versions of another process, or of an earlier start, never equal to ours. */
  private readonly boot = randomBytes(6).toString("base64url");
  private readonly tenants = new Map<string, Versions>();
  private clock = 0;
  /** Changes before this number are unknown. */
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
      // If a process loses power between a commit and its notification, other processes cannot notice. So no version
      // is trusted for longer than this without a read from the database.
      setInterval(() => this.forgetEverything(), REFRESH_MS),
    ];
    for (const timer of this.timers) timer.unref();
  }

  /**
   * The version of the data in one workspace, or in the whole tenant.
   * @returns null while this process cannot hear the others
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

  /**
   * The current position, for asking later what has changed since. Null while this process cannot hear the others.
   */
  mark(): number | null {
    return this.hearing ? this.clock : null;
  }

  /**
   * Whether data that all workspaces of a tenant share (keys, members and their rights) may have changed since
   * `mark`.
   */
  changedWidely(tenantId: string, mark: number): boolean {
    return !this.hearing || this.floor > mark || (this.tenants.get(tenantId)?.wide ?? 0) > mark;
  }

  /** Records a commit of this process. It counts here immediately, and in the other processes a moment later. */
  committed(tenantId: string, workspaceId: string | null): void {
    this.note(tenantId, workspaceId);
    this.untold.add(workspaceId === null ? tenantId : `${tenantId} ${workspaceId}`);
    void this.tell();
  }

  /** Calls `listener` after each visible change in any process. It may also be called without a change. */
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

  /** Call this after a change that did not go through `Database`. In SQL, run `notify parley_changes, '*'`. */
  forgetEverything(): void {
    this.floor = ++this.clock;
    this.tenants.clear();
    for (const listener of this.listeners) listener(null, null);
  }

  /**
   * Sends one notification at a time. Commits in the meantime go with the next one, so that commits do not queue for
   * NOTIFY.
   */
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
        // Not through the pool, because it would queue behind the requests there.
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
    // Connects as the login user. Under the application's role, PostgreSQL would hide the connections of the other
    // processes.
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

  /** A process that has ended may have committed changes without notifying the others. */
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
