import { setTimeout as sleep } from "node:timers/promises";
import pg, { type ClientBase, type ClientConfig } from "pg";
import { CONTROL } from "../../platform/config/values.js";
import { allowToBreak } from "../../platform/database/checked-connection.js";
import { beginFeed, raiseSequences } from "./arrive.js";
import { type End, MovingRefused } from "./ends.js";
import { differences, type Fingerprint, fingerprint, rowsOf } from "./fingerprint.js";
import { closeDoor, keepOldRows, lockMove, readHome, writeHome, type WrittenHome } from "./homes.js";
import { type Organisation, type OrganisationTable, tablesOf } from "./organisation-tables.js";
import { assertMovable } from "./preflight.js";
import { purge } from "./purge.js";
import {
  addressOf,
  drained,
  isSubscribed,
  progressOf,
  publish,
  subscribe,
  unpublish,
  unsubscribe,
} from "./replication.js";

export interface MoveTools {
  control: ClientBase;
  source: End;
  target: End;
  organisation: Organisation;
  /** How the target reaches the source, if not as we do. */
  sourceAddress?: string;
  log: (line: string) => void;
}

/** Requests wait no longer than this, or the hand-over is put off. */
const PAUSE_MS = 1_500;
/** A process that heard of no change for this long asks, so by then no process begins a job. */
const DRAIN_MS = 1_200;
const ATTEMPTS = 10;
const AGAIN_MS = 2_000;
const LOOK_MS = 250;
const LOCK_MS = 3_000;
const TELL_MS = 2_000;
const CATCH_UP_MS = 600_000;

/** Moves one organisation. Each step looks at what is there, so a move that was killed goes on where it was. */
export class Move {
  private tables: OrganisationTable[] = [];

  constructor(private readonly tools: MoveTools) {}

  /** Copies, hands over and compares. The rows on the old server stay until `purgeOld`. */
  async run(): Promise<void> {
    const { control, source, target, organisation, log } = this.tools;
    await this.begin();
    const home = await readHome(control, organisation);
    if (home?.server === target.name) return this.afterFlip(home);
    // Its own slots would count as taken.
    if (!(await isSubscribed(target.client, organisation))) await assertMovable(source, target);
    await this.copy();
    for (let attempt = 1; !(await this.handOver()); attempt++) {
      if (attempt === ATTEMPTS)
        throw new MovingRefused("Transactions of the organisation take too long: run the move again when it is calmer");
      log(`The organisation was busy for ${PAUSE_MS} ms: it stays on ${source.name}, and the move tries again`);
      await sleep(AGAIN_MS);
    }
  }

  /** Undoes a move that has not handed over. */
  async abort(): Promise<void> {
    const { control, source, target, organisation, log } = this.tools;
    await this.begin();
    const home = await readHome(control, organisation);
    if (home?.server === target.name) throw new MovingRefused(`It lives on ${target.name} already: move it back`);
    if (!home || home.state === "open") throw new MovingRefused("No move of this organisation is under way");
    await this.stay();
    await this.endCopying();
    const rows = await purge(target.client, this.tables);
    await writeHome(control, organisation, { server: source.name, state: "open", other: null });
    log(`The move is undone: the organisation lives on ${source.name}, and ${rows} rows are deleted on ${target.name}`);
  }

  /** Deletes the rows on the server where the organisation lived before. */
  async purgeOld(): Promise<number> {
    const { control, source, target, organisation, log } = this.tools;
    await this.begin();
    const home = await readHome(control, organisation);
    if (home?.server !== target.name || home.state !== "purging" || home.other !== source.name)
      throw new MovingRefused(`There is nothing to purge on ${source.name}`);
    await this.endCopying();
    const rows = await purge(source.client, this.tables);
    await writeHome(control, organisation, { server: target.name, state: "open", other: null });
    log(`${rows} rows are deleted on ${source.name}`);
    return rows;
  }

  /**
   * Does for a process that has died what cannot wait: before the hand-over it opens the door again, and after it, it ends the copying.
   * @returns false if another process moves the organisation
   */
  async resume(): Promise<boolean> {
    const { control, source, target, organisation } = this.tools;
    if (!(await this.lock())) return false;
    const home = await readHome(control, organisation);
    if (home?.server === target.name) await this.afterFlip(home);
    else if (home?.server === source.name && (home.state === "draining" || home.state === "moving")) await this.stay();
    return true;
  }

  private async begin(): Promise<void> {
    const { source, organisation } = this.tools;
    // What one that was killed left running ends in a moment, and so does what a job does about it.
    for (const until = performance.now() + LOCK_MS; !(await this.lock()); await sleep(LOOK_MS))
      if (performance.now() > until) throw new MovingRefused("Another process moves this organisation");
    this.tables = await tablesOf(source.client, organisation);
  }

  private lock(): Promise<boolean> {
    const { control, source, target, organisation } = this.tools;
    return lockMove([control, source.client, target.client], organisation);
  }

  private async copy(): Promise<void> {
    const { control, source, target, organisation, sourceAddress, log } = this.tools;
    const home = await readHome(control, organisation);
    if (home?.state === "purging")
      throw new MovingRefused(`${home.other} still has the rows of before: delete them first, with --purge-now`);
    if (home && home.state !== "open" && home.other !== target.name)
      throw new MovingRefused(`It is being moved to ${home.other}: go on with that, or run it with --abort`);
    if (home?.state !== "copying") await this.stay();
    await publish(source.client, organisation, this.tables);
    await subscribe(target.client, organisation, sourceAddress ?? (await addressOf(source.owner)));
    for (let told = 0; ; await sleep(LOOK_MS)) {
      const { tables, copied } = await progressOf(target.client, organisation);
      const isComplete = tables > 0 && copied === tables;
      if (isComplete || performance.now() > told + TELL_MS) {
        log(`${copied} of ${tables} tables copied`);
        told = performance.now();
      }
      if (isComplete) break;
    }
    if (!(await drained(this.clients, organisation, performance.now() + CATCH_UP_MS)))
      throw new MovingRefused(`${target.name} is behind and does not catch up: run the move again when it is calmer`);
  }

  /** @returns false if it would have taken too long: then nothing has changed */
  private async handOver(): Promise<boolean> {
    const { control, source, target, organisation } = this.tools;
    await writeHome(control, organisation, { server: source.name, state: "draining", other: target.name });
    await sleep(DRAIN_MS);
    if (!(await drained(this.clients, organisation, performance.now() + CATCH_UP_MS))) return this.stay();
    const [before, after] = await Promise.all([snapshotOn(source.owner), snapshotOn(target.owner)]);
    try {
      if (!(await this.handOverNow(async () => void (await Promise.all([before.take(), after.take()]))))) return false;
      await this.endCopying();
      const found = await Promise.all([before, after].map(({ client }) => fingerprint(client, this.tables)));
      await this.compare(found[0]!, found[1]!);
      return true;
    } finally {
      await Promise.all([before.client.end(), after.client.end()]);
    }
  }

  /** @param isQuiet is called when both servers have the same, and nothing is written on either */
  private async handOverNow(isQuiet: () => Promise<void>): Promise<boolean> {
    const { target, organisation, log } = this.tools;
    const began = performance.now();
    try {
      if (!(await this.close()) || !(await drained(this.clients, organisation, began + PAUSE_MS)))
        return await this.stay();
      await isQuiet();
      await raiseSequences(this.clients);
      await beginFeed(this.clients, organisation, this.tables);
      await this.flip();
    } catch (error) {
      // On the connection of the flip: if that is broken, nobody knows what control says, and this fails, too.
      await this.stay().catch(() => undefined);
      throw error;
    }
    log(
      `The organisation lives on ${target.name}. Its requests waited for ${Math.round(performance.now() - began)} ms`,
    );
    return true;
  }

  /** Begins nothing new, and waits until what has begun is over. @returns false if that takes too long */
  private async close(): Promise<boolean> {
    const { control, source, target, organisation } = this.tools;
    const home = { server: source.name, state: "moving", other: target.name } as const;
    if (source.name !== CONTROL) await writeHome(control, organisation, home);
    return closeDoor(source.client, organisation, home, PAUSE_MS);
  }

  private async flip(): Promise<void> {
    const { control, source, target, organisation } = this.tools;
    await this.setDoor(target, target.name);
    await control.query("begin");
    await writeHome(control, organisation, { server: target.name, state: "purging", other: source.name });
    await keepOldRows(control, organisation, true);
    await control.query("commit");
    await this.setDoor(source, target.name);
  }

  private async compare(before: Fingerprint, after: Fingerprint): Promise<void> {
    const { control, source, organisation, log } = this.tools;
    const differing = differences(before, after);
    if (differing.length)
      throw new MovingRefused(
        `These tables are not the same on both servers. The rows on ${source.name} are kept:\n- ${differing.join("\n- ")}`,
      );
    await keepOldRows(control, organisation, false);
    log(
      `${Object.keys(before).length} tables with ${rowsOf(before)} rows are the same on both servers. ` +
        `The daily task deletes those on ${source.name} in a day`,
    );
  }

  private async afterFlip({ state, other, isKept }: WrittenHome): Promise<void> {
    const { source, target, log } = this.tools;
    if (state !== "purging" || other !== source.name) return log(`The organisation lives on ${target.name}`);
    await this.setDoor(source, target.name);
    await this.endCopying();
    log(
      isKept
        ? `The organisation lives on ${target.name}. The copies were not compared at the time: the rows on ${source.name} stay until --purge-now`
        : `The organisation lives on ${target.name}. The daily task deletes its rows on ${source.name}`,
    );
  }

  /** Serves the organisation from the source, while it is copied. @returns that it was not handed over */
  private async stay(): Promise<false> {
    const { control, source, target, organisation } = this.tools;
    for (const end of [target, source]) await this.setDoor(end, source.name);
    await writeHome(control, organisation, { server: source.name, state: "copying", other: target.name });
    return false;
  }

  /** What the server says by itself, whatever a process believes. On control that is the same as where the organisation lives. */
  private async setDoor({ name, client }: End, server: string): Promise<void> {
    if (name !== CONTROL) await writeHome(client, this.tools.organisation, { server, state: "open", other: null });
  }

  private async endCopying(): Promise<void> {
    const { source, target, organisation } = this.tools;
    await unsubscribe(target.client, organisation);
    await unpublish(source.client, organisation);
  }

  private get clients() {
    const { source, target } = this.tools;
    return { source: source.client, target: target.client };
  }
}

/** A connection that goes on seeing what was there when it took its snapshot. */
async function snapshotOn(owner: ClientConfig): Promise<{ client: pg.Client; take: () => Promise<void> }> {
  const client = new pg.Client(owner);
  allowToBreak(client);
  await client.connect();
  await client.query("begin isolation level repeatable read read only");
  return { client, take: async () => void (await client.query("select 1")) };
}
