import { randomBytes } from "node:crypto";
import { type BeforeApplicationShutdown, Inject, Injectable, Logger, type OnModuleInit } from "@nestjs/common";
import pLimit from "p-limit";
import pg from "pg";
import { CONNECTIONS, type Connections } from "./connections.js";

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
/** Signals that wait for the notification before them. When there are more, the oldest are dropped. */
const MAX_WAITING_SIGNALS = 1_000;
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
 * Something that matters only now, such as that a member is typing. It is not stored and changes no version. It can get
 * lost, so it must not be the only way to learn what it says.
 */
export interface Signal<Data extends object = object> {
  tenantId: string;
  /** Null for what concerns the whole tenant. */
  workspaceId: string | null;
  type: string;
  data: Data;
}
type SignalListener = (signal: Signal) => void;

/**
 * Tracks changes across all processes. Each tenant and workspace has a number that increases with every commit
 * through `Database`. NOTIFY tells the other processes, and carries signals. Only numbers are kept, never data. While
 * the listening connection is down or silent there are no versions, and every request reads from the database.
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
  /** The listening connection runs one query at a time. */
  private readonly inTurn = pLimit(1);
  private peers = new Set<number>();
  private readonly untold = new Set<string>();
  private readonly waitingSignals = new Set<string>();
  private telling = false;
  private stopped = false;
  private timers: NodeJS.Timeout[] = [];
  private readonly listeners: Listener[] = [];
  private readonly signalListeners: SignalListener[] = [];
  private readonly missedListeners: (() => void)[] = [];

  constructor(@Inject(CONNECTIONS) private readonly connections: Connections) {}

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

  /**
   * Tells this process now, and the other processes a moment later. If a transaction causes the signal, call this in
   * `tx.afterCommit`.
   */
  signal(signal: Signal): void {
    const line = JSON.stringify(signal);
    if (Buffer.byteLength(line) > MAX_BYTES)
      throw new Error(`the signal ${signal.type} is too long for a notification`);
    for (const listener of this.signalListeners) listener(signal);
    if (this.waitingSignals.size >= MAX_WAITING_SIGNALS) {
      const [oldest] = this.waitingSignals;
      this.waitingSignals.delete(oldest!);
    }
    this.waitingSignals.add(line);
    void this.tell();
  }

  /** Calls `listener` for each signal of any process. */
  onSignal(listener: SignalListener): void {
    this.signalListeners.push(listener);
  }

  /** Calls `listener` after a time in which notifications may have got lost. What a transaction notified by itself gets lost in no other way. */
  onMissed(listener: () => void): void {
    this.missedListeners.push(listener);
  }

  private missed(): void {
    for (const listener of this.missedListeners) listener();
    this.forgetEverything();
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
    while ((this.untold.size || this.waitingSignals.size) && !this.stopped) {
      const changes = take(this.untold, MAX_BYTES);
      const signals = take(this.waitingSignals, MAX_BYTES - sizeOf(changes));
      try {
        // Not through the pool, because it would queue behind the requests there.
        const payload = [this.boot, ...changes, ...signals].join("\n");
        await this.inTurn(() => {
          if (!this.listener) throw new Error("nobody is connected");
          return this.listener.query("select pg_notify($1, $2)", [CHANNEL, payload]);
        });
      } catch {
        // Changes are told later. Signals are out of date by then.
        this.waitingSignals.clear();
        for (const change of changes) this.untold.add(change);
        await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS).unref());
      }
    }
    this.telling = false;
  }

  private async listen(): Promise<void> {
    // Connects as the login user. Under the application's role, PostgreSQL would hide the connections of the other
    // processes.
    const client = new pg.Client({
      ...this.connections.direct,
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
      this.missed();
      await this.watch();
    } catch (error) {
      this.log.warn(`other processes cannot be heard: ${(error as Error).message}`);
      await client.end().catch(() => undefined);
    }
  }

  private hear(payload: string): void {
    if (payload === EVERYTHING) return this.missed();
    const [boot, ...lines] = payload.split("\n");
    if (boot === this.boot) return;
    for (const line of lines) {
      if (line.startsWith("{")) this.hearSignal(line);
      else {
        const [tenantId, workspaceId] = line.split(" ");
        this.note(tenantId!, workspaceId ?? null);
      }
    }
  }

  private hearSignal(line: string): void {
    let signal: Signal;
    try {
      signal = JSON.parse(line) as Signal;
    } catch {
      // Whoever can connect to the database can notify.
      return;
    }
    for (const listener of this.signalListeners) listener(signal);
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
      const { rows } = await this.inTurn(() =>
        client.query<{ pid: number }>(
          "select pid from pg_stat_activity where datname = current_database() and application_name = $1",
          [LISTENER],
        ),
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

const sizeOf = (lines: readonly string[]): number =>
  lines.reduce((bytes, line) => bytes + Buffer.byteLength(line) + 1, 0);

/** Removes the first lines, as many as fit. */
function take(lines: Set<string>, maxBytes: number): string[] {
  const taken: string[] = [];
  for (const line of lines) {
    if ((maxBytes -= Buffer.byteLength(line) + 1) < 0) break;
    taken.push(line);
    lines.delete(line);
  }
  return taken;
}
