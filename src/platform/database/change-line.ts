import { Logger } from "@nestjs/common";
import pLimit from "p-limit";
import pg from "pg";
import { allowToBreak } from "./checked-connection.js";
import type { Connections } from "./connections.js";

const CHANNEL = "parley_changes";
/**
 * The application name of each process's listening connections. The other processes see by it when the process has
 * ended.
 */
const LISTENER = "parley changes";
/** If the listening connection does not answer for this long, changes of other processes count as unknown. */
const TRUST_MS = 900;
const RECONNECT_MS = 250;
/** PostgreSQL limits a notification to 8,000 bytes. */
export const MAX_BYTES = 7_500;
/** Signals that wait for the notification before them. When there are more, the oldest are dropped. */
const MAX_WAITING_SIGNALS = 1_000;
const EVERYTHING = "*";

/** What a line does with what it hears. */
export interface Hearer {
  /** What another process told, one thing a line. */
  told: (lines: readonly string[]) => void;
  /** Notifications may have got lost. */
  missed: () => void;
  /** Another process has ended. It may have committed changes without telling. */
  peerEnded: () => void;
}

/** The connection to one server on which this process tells the others, and hears them. */
export class ChangeLine {
  private readonly log = new Logger("changes");
  private heardAt = -Infinity;
  private listener?: pg.Client;
  /** The listening connection runs one query at a time. */
  private readonly inTurn = pLimit(1);
  private peers = new Set<number>();
  private readonly untold = new Set<string>();
  private readonly waitingSignals = new Set<string>();
  private telling = false;
  private stopped = false;
  /** Whether the log has that nobody can be heard. */
  private isLogged = false;

  /** @param boot names this process, which does not hear itself */
  constructor(
    private readonly connections: Connections,
    private readonly boot: string,
    private readonly hearer: Hearer,
  ) {}

  /** Whether what other processes told until a moment ago was heard. */
  get hearing(): boolean {
    return performance.now() - this.heardAt < TRUST_MS;
  }

  /** Tells the other processes. While nobody can be told, it is kept. */
  tellChange(line: string): void {
    this.untold.add(line);
    void this.tell();
  }

  /** The same for what is dropped while nobody can be told. */
  tellSignal(line: string): void {
    if (this.waitingSignals.size >= MAX_WAITING_SIGNALS) {
      const [oldest] = this.waitingSignals;
      this.waitingSignals.delete(oldest!);
    }
    this.waitingSignals.add(line);
    void this.tell();
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

  /** Connects, and again whenever the connection is lost. Resolves after the first attempt, also if it failed. */
  async listen(): Promise<void> {
    // Connects as the login user. Under the application's role, PostgreSQL would hide the connections of the other
    // processes.
    const client = new pg.Client({
      ...this.connections.direct,
      application_name: LISTENER,
      connectionTimeoutMillis: 5_000,
      query_timeout: TRUST_MS,
      keepAlive: true,
    });
    allowToBreak(client);
    client.once("end", () => this.lost(client));
    client.on("notification", ({ payload = "" }) => this.hear(payload));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      if (this.stopped) return await client.end();
      this.listener = client;
      this.peers = new Set();
      this.hearer.missed();
      await this.watch();
    } catch (error) {
      this.noteUnheard(error as Error);
      await client.end().catch(() => undefined);
    }
  }

  private noteHeard(): void {
    if (this.isLogged) this.log.log(`other processes are heard again on the server ${this.connections.name}`);
    this.isLogged = false;
  }

  private noteUnheard({ message }: Error): void {
    if (!this.isLogged)
      this.log.warn(`other processes cannot be heard on the server ${this.connections.name}: ${message}`);
    this.isLogged = true;
  }

  private hear(payload: string): void {
    if (payload === EVERYTHING) return this.hearer.missed();
    const [boot, ...lines] = payload.split("\n");
    if (boot !== this.boot) this.hearer.told(lines);
  }

  private lost(client: pg.Client): void {
    if (this.listener === client) this.listener = undefined;
    this.heardAt = -Infinity;
    if (!this.stopped)
      setTimeout(() => {
        if (!this.stopped) void this.listen();
      }, RECONNECT_MS).unref();
  }

  /** Makes sure that nothing keeps notifications from arriving, and looks who has ended. To be called several times in `TRUST_MS`. */
  async watch(): Promise<void> {
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
      if ([...this.peers].some((pid) => !peers.has(pid))) this.hearer.peerEnded();
      this.peers = peers;
      this.heardAt = asked;
      this.noteHeard();
    } catch {
      void client.end().catch(() => undefined);
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
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
