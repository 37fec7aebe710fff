import { randomBytes } from "node:crypto";
import { type BeforeApplicationShutdown, Inject, Injectable, type OnModuleInit } from "@nestjs/common";
import { CONTROL } from "../config/values.js";
import { ChangeLine, MAX_BYTES } from "./change-line.js";
import { CONNECTIONS, type Connections, FURTHER_CONNECTIONS } from "./connections.js";

const WATCH_MS = 300;
const REFRESH_MS = 60_000;
const MAX_TENANTS = 50_000;

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

/** The server on which a tenant's organisation lives. */
export interface Place {
  server: string;
  /** When that was found out, as one of our numbers. What was known before may be of another server. */
  since: number;
}
const ALONE: Place = { server: CONTROL, since: 0 };

/**
 * Tracks changes across all processes. Each tenant and workspace has a number that increases with every commit
 * through `Database`. NOTIFY on the server of the commit tells the other processes, and carries signals. Only numbers are
 * kept, never data. While the line to an organisation's server is down or silent, there are no versions of it, and its
 * requests read from the database.
 */
@Injectable()
export class Changes implements OnModuleInit, BeforeApplicationShutdown {
  /**
   * Where the tenant's organisation lives; undefined if nobody knows that now. `Homes` says it. With one server, everybody
   * lives there.
   */
  placeOf: (tenantId: string) => Place | undefined = () => ALONE;
  /** Makes versions of another process, or of an earlier start, never equal to ours. */
  private readonly boot = randomBytes(6).toString("base64url");
  /** One to each server. */
  private readonly lines: ReadonlyMap<string, ChangeLine>;
  private readonly tenants = new Map<string, Versions>();
  private clock = 0;
  /** By server: changes there before this number are unknown. */
  private readonly floors = new Map<string, number>();
  private timers: NodeJS.Timeout[] = [];
  private readonly listeners: Listener[] = [];
  private readonly signalListeners: SignalListener[] = [];
  private readonly missedListeners: ((server: string) => void)[] = [];

  constructor(
    @Inject(CONNECTIONS) connections: Connections,
    @Inject(FURTHER_CONNECTIONS) further: readonly Connections[],
  ) {
    this.lines = new Map([connections, ...further].map((to) => [to.name, this.lineTo(to)]));
  }

  private lineTo(connections: Connections): ChangeLine {
    const { name } = connections;
    return new ChangeLine(connections, this.boot, {
      told: (lines) => this.hear(lines),
      missed: () => {
        for (const listener of this.missedListeners) listener(name);
        this.forget(name);
      },
      peerEnded: () => this.forget(name),
    });
  }

  async onModuleInit(): Promise<void> {
    const lines = [...this.lines.values()];
    await Promise.all(lines.map((line) => line.listen()));
    this.timers = [
      setInterval(() => {
        for (const line of lines) void line.watch();
      }, WATCH_MS),
      // If a process loses power between a commit and its notification, other processes cannot notice. So no version
      // is trusted for longer than this without a read from the database.
      setInterval(() => this.forgetEverything(), REFRESH_MS),
    ];
    for (const timer of this.timers) timer.unref();
  }

  /**
   * The version of the data in one workspace, or in the whole tenant.
   * @returns null while this process cannot hear the others on the server of the tenant, or does not know which that is
   */
  version(tenantId: string, workspaceId: string | null): string | null {
    const place = this.heardPlaceOf(tenantId);
    if (!place) return null;
    const known = this.tenants.get(tenantId);
    const newest = !known
      ? 0
      : workspaceId === null
        ? known.any
        : Math.max(known.wide, known.workspaces.get(workspaceId) ?? 0);
    return `${this.boot}.${Math.max(newest, this.floorOf(place))}`;
  }

  /** The current position, for asking later what has changed since. */
  mark(): number {
    return this.clock;
  }

  /** A position after all that were. */
  next(): number {
    return ++this.clock;
  }

  /** Whether this process hears what the others tell on the server. */
  hears(server: string): boolean {
    return this.lines.get(server)?.hearing ?? false;
  }

  /**
   * Whether data that all workspaces of a tenant share (keys, members and their rights) may have changed since
   * `mark`.
   * @param tenantIds sides of one organisation
   * @returns null while this process cannot hear the others on its server, or does not know which that is
   */
  changedWidely(tenantIds: readonly string[], mark: number): boolean | null {
    let place: Place | undefined;
    // Both sides are in the same place, but maybe only one has been asked for.
    for (const id of tenantIds) place ??= this.heardPlaceOf(id);
    if (!place) return null;
    return this.floorOf(place) > mark || tenantIds.some((id) => (this.tenants.get(id)?.wide ?? 0) > mark);
  }

  private heardPlaceOf(tenantId: string): Place | undefined {
    const place = this.placeOf(tenantId);
    return place && this.hears(place.server) ? place : undefined;
  }

  private floorOf({ server, since }: Place): number {
    return Math.max(since, this.floors.get(server) ?? 0);
  }

  /** Records a commit of this process on a server. It counts here immediately, and in the other processes a moment later. */
  committed(server: string, tenantId: string, workspaceId: string | null): void {
    this.note(tenantId, workspaceId);
    this.lines.get(server)!.tellChange(workspaceId === null ? tenantId : `${tenantId} ${workspaceId}`);
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
    // Everybody hears it on every server.
    const { server } = this.placeOf(signal.tenantId) ?? ALONE;
    this.lines.get(server)!.tellSignal(line);
  }

  /** Calls `listener` for each signal of any process. */
  onSignal(listener: SignalListener): void {
    this.signalListeners.push(listener);
  }

  /**
   * Calls `listener` after a time in which notifications on a server may have got lost. What a transaction notified by itself
   * gets lost in no other way.
   */
  onMissed(listener: (server: string) => void): void {
    this.missedListeners.push(listener);
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

  /**
   * Call this after a change that did not go through `Database`. In SQL, run `notify parley_changes, '*'` on the server of the
   * change.
   */
  forgetEverything(): void {
    for (const server of this.lines.keys()) this.raiseFloor(server);
    this.tenants.clear();
    this.tellOfAll();
  }

  private forget(server: string): void {
    this.raiseFloor(server);
    this.tellOfAll();
  }

  private raiseFloor(server: string): void {
    this.floors.set(server, ++this.clock);
  }

  private tellOfAll(): void {
    for (const listener of this.listeners) listener(null, null);
  }

  private hear(lines: readonly string[]): void {
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

  async beforeApplicationShutdown(): Promise<void> {
    this.timers.forEach(clearInterval);
    await Promise.all([...this.lines.values()].map((line) => line.stop()));
  }
}
