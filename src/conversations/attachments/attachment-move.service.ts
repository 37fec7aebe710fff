import { Injectable } from "@nestjs/common";
import { type SystemCaller, system } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { globalQuery, type NoArgs, query } from "../../platform/database/statements.js";
import { AttachmentStore, type FileKey, JOURNAL } from "./attachment-store.js";
import { isSame, openFile, Print, printOf } from "./print.js";
import { type StoreName, TwoStores } from "./two-stores.js";

/** Files that are copied at a time, at most. Each takes a connection to the database, and the lock takes one. */
const AT_A_TIME = 4;
const ALL = new Date(8.64e15);

const SIDES = globalQuery<NoArgs, { id: string; environment: "live" | "test" }>()(
  "attachmentMove.sides",
  "everywhere",
  () => sql`select id, environment from tenant order by id`,
);

/**
 * Keeps the row from being deleted until the end of the transaction: an erasure waits until there is one copy, and then removes it. A copy
 * may take longer than the server's connections may otherwise be idle.
 */
const HOLD = query<{ id: string }, { size: number }>()(
  "attachmentMove.hold",
  { unrestricted: "the move works for the whole tenant" },
  ({ id }) => sql`
    select a.size, set_config('idle_in_transaction_session_timeout', '1h', true) as patience
    from attachment a where a.tenant_id = ${TENANT} and a.id = ${id} for key share`,
);

export interface Moved {
  files: number;
  bytes: number;
  /** Files that no attachment names. The daily run removes them when they are a day old. */
  strays: number;
  /** Files that are not as long as they were when they were stored. They stay where they are. */
  damaged: string[];
}

/** Moves all attachments to the store where new ones go, while servers run. */
@Injectable()
export class AttachmentMoveService {
  private readonly atATime: number;

  constructor(
    private readonly db: Database,
    private readonly store: AttachmentStore,
    { DATABASE_POOL_SIZE }: Config,
  ) {
    this.atATime = Math.min(AT_A_TIME, DATABASE_POOL_SIZE - 1);
  }

  /**
   * A file leaves its store only after the other one gave back the same bytes. So it can be interrupted and repeated at any time.
   * @param note is told how far it is after each file
   * @returns undefined where another process is moving them
   */
  async moveTo(to: StoreName, note: (moved: Moved, total: number) => void): Promise<Moved | undefined> {
    const { store } = this;
    if (!(store instanceof TwoStores))
      throw new MoveRefused("There is no S3_BUCKET, so there is nothing to move from or to");
    if (store.newFilesGoTo !== to)
      throw new MoveRefused(
        `New files go to ${store.newFilesGoTo}: give all servers ATTACHMENT_STORE=${to} first, and this command, too`,
      );
    await store.check();
    return this.db.exclusively("parley attachments move", () => this.move(store, to, note));
  }

  private async move(store: TwoStores, to: StoreName, note: (moved: Moved, total: number) => void): Promise<Moved> {
    const [from, target] = to === "s3" ? [store.disk, store.s3] : [store.s3, store.disk];
    const sides = await this.db.all(SIDES);
    const moved: Moved = { files: 0, bytes: 0, strays: 0, damaged: [] };
    let total = 0;
    for (const side of sides) for await (const _ of from.list(side.id, ALL)) total++;
    note(moved, total);
    for (const side of sides) {
      const caller = system("attachments move", side.id, side.environment);
      const running = new Set<Promise<void>>();
      try {
        for await (const id of from.list(side.id, ALL)) {
          const one = this.moveOne(caller, { tenantId: side.id, id }, from, target, moved).then(() => {
            running.delete(one);
            note(moved, total);
          });
          running.add(one);
          if (running.size === this.atATime) await Promise.race(running);
        }
        await Promise.all(running);
      } finally {
        await Promise.allSettled(running);
      }
    }
    for await (const id of from.list(JOURNAL, ALL)) await moveNote({ tenantId: JOURNAL, id }, from, target);
    return moved;
  }

  private async moveOne(
    caller: SystemCaller,
    key: FileKey,
    from: AttachmentStore,
    target: AttachmentStore,
    moved: Moved,
  ): Promise<void> {
    const size = await this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      const [row] = await tx.query(HOLD, { id: key.id });
      return row && (await copy(key, row.size, from, target));
    });
    if (size === undefined) moved.strays++;
    else if (size === "damaged") moved.damaged.push(`${key.tenantId}/${key.id}`);
    else if (size !== "gone") {
      moved.files++;
      moved.bytes += size;
    }
  }
}

/** A certificate of an erasure has no row of its own, and never changes. */
async function moveNote(key: FileKey, from: AttachmentStore, target: AttachmentStore): Promise<void> {
  const print = await printOf(from, key);
  if (print) await copy(key, print.size, from, target);
}

/** What an operator has to change first. */
export class MoveRefused extends Error {}

async function copy(
  key: FileKey,
  size: number,
  from: AttachmentStore,
  target: AttachmentStore,
): Promise<number | "damaged" | "gone"> {
  // A move that was killed may have stored it already.
  const there = await printOf(target, key);
  if (!there || !isSame(there, await printOf(from, key))) {
    const source = await openFile(from, key);
    if (!source) return "gone";
    const sent = new Print();
    await target.put(key, sent.of(source));
    if (sent.size !== size) {
      await target.remove(key);
      return "damaged";
    }
    if (!isSame(await printOf(target, key), sent)) {
      await target.remove(key);
      throw new Error(`${key.tenantId}/${key.id} was not stored as it was sent. It stays where it is`);
    }
  }
  await from.remove(key);
  return size;
}
