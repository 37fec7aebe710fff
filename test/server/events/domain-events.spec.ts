import { Logger } from "@nestjs/common";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { DomainEvents } from "../../../src/platform/events/domain-events.js";
import type { Tx } from "../../../src/platform/database/transaction.js";
import { newWorkspace } from "../e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { run } from "../../support/sql.js";

let app: TestApp;
let tenant: TestTenant;
let events: DomainEvents;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  events = app.app.get(DomainEvents);
});
afterAll(() => app.close());

const transaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => tenant.transaction(tenant.tenantId, work);
const rename = (tx: Tx, id: string, name: string): Promise<unknown[]> =>
  run(tx, "update workspace set name = :name where tenant_id = :tenant and id = :id", { id, name });
const nameOf = async (id: string): Promise<string> =>
  (await app.db.query<{ name: string }>("select name from workspace where id = $1", [id]))[0]!.name;

test("handlers run inside the transaction in the order of registration; notifications run after the commit", async () => {
  class Renamed {
    constructor(readonly id: string) {}
  }
  const { id } = await newWorkspace(tenant.live, tenant.defaults.brandId);
  const calls: string[] = [];
  events.handle(Renamed, async (tx, event) => {
    await run(tx, "select pg_sleep(0.05)");
    await rename(tx, event.id, "by the handler");
    calls.push("first");
  });
  events.afterCommit(Renamed, async (event, { tenantId }) => {
    expect(tenantId).toBe(tenant.tenantId);
    calls.push(`after: ${await nameOf(event.id)}`);
  });
  events.handle(Renamed, async () => void calls.push("second"));
  await transaction(async (tx) => {
    await events.publish(tx, new Renamed(id));
    calls.push("published");
  });
  expect(calls).toEqual(["first", "second", "published", "after: by the handler"]);
});

test("an error in a handler rolls back the transaction and skips later handlers", async () => {
  class Refused {}
  const { id } = await newWorkspace(tenant.live, tenant.defaults.brandId);
  const before = await nameOf(id);
  const later = vi.fn(async () => undefined);
  const notified = vi.fn();
  events.handle(Refused, async () => {
    throw new Error("refused by a handler");
  });
  events.handle(Refused, later);
  events.afterCommit(Refused, notified);
  const changed = transaction(async (tx) => {
    await rename(tx, id, "never");
    await events.publish(tx, new Refused());
  });
  await expect(changed).rejects.toThrow("refused by a handler");
  expect(await nameOf(id)).toBe(before);
  expect(later).not.toHaveBeenCalled();
  expect(notified).not.toHaveBeenCalled();
});

test("a transaction that is rolled back sends no notifications, even if its error was swallowed or its connection broke", async () => {
  class Undone {}
  const handled = vi.fn(async () => undefined);
  const notified = vi.fn();
  events.handle(Undone, handled);
  events.afterCommit(Undone, notified);
  const thrown = transaction(async (tx) => {
    await events.publish(tx, new Undone());
    throw new Error("thought better of it");
  });
  await expect(thrown).rejects.toThrow("thought better of it");
  const swallowed = transaction(async (tx) => {
    await events.publish(tx, new Undone());
    await run(tx, "select 1 / 0").catch(() => undefined);
  });
  await expect(swallowed).rejects.toThrow("rolled back");
  const cut = transaction(async (tx) => {
    await events.publish(tx, new Undone());
    const [backend] = await run<{ pid: number }>(tx, "select pg_backend_pid() as pid");
    await app.db.query("select pg_terminate_backend($1, 60000)", [backend!.pid]);
  });
  await expect(cut).rejects.toThrow();
  expect(handled).toHaveBeenCalledTimes(3);
  expect(notified).not.toHaveBeenCalled();
});

test("a transaction that is retried after a conflict runs the handlers in each attempt and notifies once", async () => {
  class Retried {
    constructor(readonly attempt: number) {}
  }
  const handled: number[] = [];
  const notified: number[] = [];
  events.handle(Retried, async (_tx, { attempt }) => void handled.push(attempt));
  events.afterCommit(Retried, ({ attempt }) => void notified.push(attempt));
  let attempt = 0;
  await transaction(async (tx) => {
    await events.publish(tx, new Retried(++attempt));
    // The same error as when another request inserts the unique key first.
    if (attempt < 3) await run(tx, "do $$ begin raise unique_violation; end $$");
  });
  expect(handled).toEqual([1, 2, 3]);
  expect(notified).toEqual([3]);
});

test("events published in a preview run their handlers, are rolled back and send no notifications", async () => {
  class Previewed {
    constructor(readonly id: string) {}
  }
  const { id } = await newWorkspace(tenant.live, tenant.defaults.brandId);
  const before = await nameOf(id);
  const seen: string[] = [];
  const notified = vi.fn();
  events.handle(Previewed, async (tx, event) => void (await rename(tx, event.id, "previewed")));
  events.afterCommit(Previewed, notified);
  await transaction(async (tx) => {
    await tx.preview(async () => {
      await events.publish(tx, new Previewed(id));
      const [row] = await run<{ name: string }>(
        tx,
        "select name from workspace where tenant_id = :tenant and id = :id",
        { id },
      );
      seen.push(row!.name);
    });
  });
  expect(seen).toEqual(["previewed"]);
  expect(await nameOf(id)).toBe(before);
  expect(notified).not.toHaveBeenCalled();
});

test("a failed notification is logged and affects neither the caller nor the other notifications", async () => {
  class Told {}
  const error = vi.spyOn(Logger.prototype, "error").mockImplementation(() => undefined);
  const next = vi.fn();
  events.afterCommit(Told, () => {
    throw new Error("a notification that fails");
  });
  events.afterCommit(Told, next);
  const result = await transaction(async (tx) => {
    await events.publish(tx, new Told());
    return "done";
  });
  expect(result).toBe("done");
  expect(next).toHaveBeenCalledTimes(1);
  expect(error.mock.calls.flat().join()).toContain("a notification that fails");
  error.mockRestore();
});

test("notifications run after the transaction's connection is released, so they can use the database", async () => {
  class Followed {}
  const found: boolean[] = [];
  let pid = 0;
  /** Of this connection alone: the process has others, for what it notes by itself. */
  const isInTransaction = async (): Promise<boolean> =>
    (await app.db.query("select from pg_stat_activity where pid = $1 and state = 'idle in transaction'", [pid]))
      .length > 0;
  events.handle(Followed, async (tx) => {
    pid = (await run<{ pid: number }>(tx, "select pg_backend_pid() as pid"))[0]!.pid;
    found.push(await isInTransaction());
  });
  events.afterCommit(Followed, async () => void found.push(await isInTransaction()));
  await transaction((tx) => events.publish(tx, new Followed()));
  expect(found).toEqual([true, false]);
});
