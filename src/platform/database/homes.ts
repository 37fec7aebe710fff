import { setTimeout as sleep } from "node:timers/promises";
import { Injectable, ServiceUnavailableException } from "@nestjs/common";
import { Config } from "../config/config.js";
import { CONTROL } from "../config/values.js";
import { Changes, type Place, type Signal } from "./changes.js";
import type { HomeState } from "./home.entity.js";
import { type Server, Servers } from "./servers.js";

/** How often a request that waits for an organisation to arrive looks again, if it hears nothing. */
const LOOK_MS = 50;
const MAX_KNOWN = 100_000;

/** That an organisation goes elsewhere: `homes.sql` sends it on each server. It is for processes, and never for clients. */
export const isHomeSignal = (signal: Signal): signal is Signal<{ testId: string }> => signal.type === "home";

export interface Home {
  organisationId: string;
  testId: string;
  server: string;
  state: HomeState;
  other: string | null;
}

const COLUMNS = `select h.organisation_id as "organisationId", h.test_id as "testId", h.server, h.state, h.other from home h`;
const FIND = { name: "homes.find", text: `${COLUMNS} where h.organisation_id = $1 or h.test_id = $1` };
const FIND_UNDER_WAY = { name: "homes.findUnderWay", text: `${COLUMNS} where h.state <> 'open'` };

const PLACE = {
  name: "homes.place",
  text: "insert into home (organisation_id, test_id, server) values ($1, $2, $3)",
};
const COUNT = { name: "homes.count", text: "select count(*)::int from tenant where environment = 'live'" };

/** The organisation is about to be on another server, or there already. */
export class Elsewhere extends ServiceUnavailableException {
  constructor() {
    super("The organisation moves to another server; try again");
  }
}

/** What was read. Its place is that of versions as long as it is current. */
interface Known extends Place {
  home: Home | null;
  /**
   * On which servers nothing was missed since. Before an organisation leaves, both control and the door of its server say so: as long as
   * one of them is heard, this is current.
   */
  toldBy: readonly string[];
}

/**
 * On which server each organisation lives. With one server nobody asks. Otherwise the answer is kept until a notification says that it
 * changed. A transaction is sure of it in any case: `hold_home` looks at the server's own door.
 */
@Injectable()
export class Homes {
  private readonly known = new Map<string, Known>();
  private underWay: { homes: readonly Home[]; isCurrent: boolean } = { homes: [], isCurrent: false };
  /** How often something was forgotten. What is being read meanwhile is not kept. */
  private forgotten = 0;
  private readonly waitMs: number;

  constructor(
    private readonly servers: Servers,
    private readonly changes: Changes,
    config: Config,
  ) {
    this.waitMs = config.DATABASE_WAIT_SECONDS * 1_000;
    if (!this.areSeveral) return;
    changes.placeOf = (tenantId) => {
      const known = this.known.get(tenantId);
      return known && this.isCurrent(known) ? known : undefined;
    };
    changes.onSignal((signal) => {
      if (isHomeSignal(signal)) this.forget(signal.tenantId, signal.data.testId);
    });
    // Its trigger notifies with the change, so what a process heard is complete while it hears.
    changes.onMissed((server) => this.doubt(server));
  }

  /** Whether organisations may live on different servers. */
  get areSeveral(): boolean {
    return this.servers.all.length > 1;
  }

  /**
   * The server on which the tenant's organisation lives. It waits while the organisation moves.
   * @throws ServiceUnavailableException if that takes longer than DATABASE_WAIT_SECONDS
   */
  of(tenantId: string): Server | Promise<Server> {
    if (!this.areSeveral) return this.servers.control;
    const known = this.known.get(tenantId);
    return known && this.isCurrent(known) ? this.serverOf(known.home) : this.settled(tenantId);
  }

  private async settled(tenantId: string): Promise<Server> {
    const until = performance.now() + this.waitMs;
    for (;;) {
      const home = await this.find(tenantId);
      if (home?.state !== "moving") return this.serverOf(home);
      if (performance.now() >= until) throw new Elsewhere();
      await sleep(LOOK_MS);
    }
  }

  /** Gives a new organisation a home: the server that answers and has the fewest. Does nothing with one server. */
  async place(organisationId: string, testId: string): Promise<void> {
    if (!this.areSeveral) return;
    const counted = await Promise.all(
      this.servers.all.map((server) => this.numberOn(server).catch((): number => Infinity)),
    );
    const server = this.servers.all[counted.indexOf(Math.min(...counted))]!;
    server.assertUp();
    const { control } = this.servers;
    control.assertUp();
    if (server !== control) await control.pool.query({ ...PLACE, values: [organisationId, testId, server.name] });
    // The notification may come late.
    this.forget(organisationId, testId);
  }

  /** How many organisations a server has. */
  async numberOn(server: Server): Promise<number> {
    server.assertUp();
    const { rows } = await server.pool.query<{ count: number }>(COUNT);
    return rows[0]!.count;
  }

  /** The name of the server on which the tenant's organisation lives, also while it moves. */
  async nameOf(tenantId: string): Promise<string> {
    return (await this.find(tenantId))?.server ?? CONTROL;
  }

  /** Where the organisation lives by what control says now, or said last, if it does not answer. */
  async find(tenantId: string): Promise<Home | null> {
    const known = this.known.get(tenantId);
    if (known && this.isCurrent(known)) return known.home;
    const before = this.forgotten;
    try {
      this.servers.control.assertUp();
      const { rows } = await this.servers.control.pool.query<Home>({ ...FIND, values: [tenantId] });
      const home = rows[0] ?? null;
      if (before === this.forgotten) this.keep(tenantId, home);
      return home;
    } catch (error) {
      if (known) return known.home;
      throw error;
    }
  }

  private keep(tenantId: string, home: Home | null): void {
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    const server = home?.server ?? CONTROL;
    // One that moves is asked for again and again.
    const toldBy = home?.state === "moving" ? [] : [server, CONTROL];
    for (const id of home ? [home.organisationId, home.testId] : [tenantId]) {
      const before = this.known.get(id);
      // Numbers of different servers do not compare: nobody may take a version of before for one of now.
      const since = before?.server === server ? before.since : this.changes.next();
      this.known.set(id, { home, server, since, toldBy });
    }
  }

  private isCurrent({ toldBy }: Known): boolean {
    return toldBy.some((server) => this.changes.hears(server));
  }

  /**
   * A server said that the tenant's organisation is elsewhere, or about to be: asks again in a moment.
   * @returns false if it has been so since `since` for longer than DATABASE_WAIT_SECONDS
   */
  async wait(tenantId: string, since: number): Promise<boolean> {
    if (performance.now() - since >= this.waitMs) return false;
    await sleep(LOOK_MS);
    this.forget(tenantId);
    return true;
  }

  /** Forget what is known of the tenant's organisation: a server said that it is elsewhere. */
  forget(...tenantIds: readonly string[]): void {
    this.forgotten++;
    for (const tenantId of tenantIds) {
      const home = this.known.get(tenantId)?.home;
      for (const id of [tenantId, ...(home ? [home.organisationId, home.testId] : [])]) this.known.delete(id);
    }
    this.underWay.isCurrent = false;
  }

  /** What the server said of moves may not have been heard. */
  private doubt(server: string): void {
    this.forgotten++;
    for (const known of this.known.values()) known.toldBy = known.toldBy.filter((name) => name !== server);
    if (server === CONTROL) this.underWay.isCurrent = false;
  }

  /**
   * The tenants whose rows on this server no job may touch: copies of those that live elsewhere, and those that are about to leave.
   */
  async strangersOn({ name }: Server): Promise<readonly string[]> {
    if (!this.areSeveral) return [];
    const homes = await this.findUnderWay();
    return homes
      .filter(({ server, state, other }) =>
        server === name ? state === "draining" || state === "moving" : other === name,
      )
      .flatMap(({ organisationId, testId }) => [organisationId, testId]);
  }

  private async findUnderWay(): Promise<readonly Home[]> {
    const { homes, isCurrent } = this.underWay;
    if (isCurrent && this.changes.hears(CONTROL)) return homes;
    const before = this.forgotten;
    this.servers.control.assertUp();
    const { rows } = await this.servers.control.pool.query<Home>(FIND_UNDER_WAY);
    if (before === this.forgotten) this.underWay = { homes: rows, isCurrent: true };
    return rows;
  }

  private serverOf(home: Home | null): Server {
    const server = home === null ? this.servers.control : this.servers.named(home.server);
    server.assertUp();
    return server;
  }
}
