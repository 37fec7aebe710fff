import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { describeError } from "../../../src/platform/http/errors.js";
import type { Tx } from "../../../src/platform/database/transaction.js";
import { Servers } from "../../../src/platform/database/servers.js";
import { FIND_REFERENCES } from "../../../src/platform/outbox/outbox.queries.js";
import { WorkspaceEntity } from "../../../src/workspaces/workspace.entity.js";
import { bodyFor, sharedIdFor, type Side, sideOf, urlOf } from "../contract/fixtures.js";
import { type Route, ROUTES } from "../../support/routes.js";
import { startApp, type TestApp } from "../../support/app.js";
import { ask, faults, type RawAnswer } from "./http.js";
import { connect } from "../../support/database.js";
import { eventually } from "../../support/eventually.js";

let app: TestApp;
let side: Side;
beforeAll(async () => {
  // With several, one that is away takes only its own organisations along: test/server/servers.
  app = await startApp({ DATABASE_SERVERS: [] });
  side = await sideOf(await app.tenant());
});
afterAll(() => app.close());

/** All operations except the public ones and the probes, with valid parameters and bodies. */
const ROUTES_WITH_DATA = ROUTES.filter(
  ({ access, name }) =>
    access !== "public" && name !== "POST /api/auth/logout" && name !== "GET /api/captured-messages",
);
type Good = { route: Route; id: string | undefined; body: object | undefined };
/** All of them but reads are refused, so routes share their ids. */
const prepare = (): Promise<Good[]> =>
  Promise.all(
    ROUTES_WITH_DATA.map(async (route) => ({ route, id: await sharedIdFor(route, side), body: bodyFor(route, side) })),
  );
async function sendRaw({ route, id, body }: Good, token = side.owner.token): Promise<RawAnswer> {
  const wire =
    body === undefined
      ? undefined
      : body instanceof FormData || body instanceof Blob
        ? new Response(body)
        : Response.json(body);
  return ask(app.baseUrl, {
    method: route.method,
    path: urlOf(route, { id: id ?? "" }),
    headers: {
      authorization: `Bearer ${token}`,
      ...(wire ? { "content-type": wire.headers.get("content-type")! } : {}),
    },
    body: wire && Buffer.from(await wire.arrayBuffer()),
  });
}

describe("an internal error", () => {
  /** A column that the routes read and write is missing, as after an incomplete upgrade. */
  const BROKEN = "alter table contact rename column attributes to gone";
  const MENDED = "alter table contact rename column gone to attributes";

  test('is answered 500 with exactly {error: "Internal Server Error"}, and the server works again once the cause is gone', async () => {
    const contact = (await side.key.post("/api/contacts", { name: "Ada" }, 201)).body.id;
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    await app.db.query(BROKEN);
    try {
      for (const request of [
        { path: "/api/contacts" },
        { path: `/api/contacts/${contact}` },
        { method: "POST", path: "/api/contacts", body: '{"name":"Ada"}' },
        { method: "HEAD", path: "/api/contacts" },
      ]) {
        const answer = await ask(app.baseUrl, {
          ...request,
          headers: { authorization: `Bearer ${side.key.token}`, "content-type": "application/json" },
        });
        expect([answer.status, answer.text]).toEqual([
          500,
          request.method === "HEAD" ? "" : '{"error":"Internal Server Error"}',
        ]);
        expect(answer.headers).toMatchObject({
          "content-type": "application/json; charset=utf-8",
          "x-request-id": expect.any(String),
          "x-content-type-options": "nosniff",
        });
        expect(answer.headers).not.toHaveProperty("etag");
      }
      // The log must show the operator the cause.
      expect(written.mock.calls.flat().join("")).toMatch(/attributes.*does not exist/);
    } finally {
      await app.db.query(MENDED);
      written.mockRestore();
    }
    expect((await side.key.get("/api/contacts")).status).toBe(200);
    expect((await side.key.post("/api/contacts", { name: "Ada" })).status).toBe(201);
  });

  test("does not use up an Idempotency-Key: the retry takes effect, once", async () => {
    const retried = () =>
      ask(app.baseUrl, {
        method: "POST",
        path: "/api/contacts",
        headers: {
          authorization: `Bearer ${side.key.token}`,
          "content-type": "application/json",
          "idempotency-key": "broken",
        },
        body: '{"externalId":"once"}',
      });
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    await app.db.query(BROKEN);
    try {
      expect((await retried()).status).toBe(500);
    } finally {
      await app.db.query(MENDED);
      written.mockRestore();
    }
    const [first, second] = [await retried(), await retried()];
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
  });
});

describe("while the database refuses all connections", () => {
  const withAdmin = async (work: (admin: pg.Client) => Promise<unknown>): Promise<void> => {
    // A direct connection to the database would be refused as well.
    const admin = await connect(Object.assign(new URL(app.db.url), { pathname: "/postgres" }).href);
    try {
      await work(admin);
    } finally {
      await admin.end();
    }
  };
  const name = (): string => new URL(app.db.url).pathname.slice(1);
  const shut = () =>
    withAdmin(async (admin) => {
      await admin.query(`alter database ${name()} with allow_connections false`);
      // Until each has ended: one that still lives would answer.
      await admin.query("select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = $1", [name()]);
    });
  const open = () => withAdmin((admin) => admin.query(`alter database ${name()} with allow_connections true`));

  test("every route answers 503 with a message and Retry-After to every caller, accepts and rejects no credentials, and recovers by itself", async () => {
    const good = await prepare();
    const quiet = [
      vi.spyOn(process.stderr, "write").mockReturnValue(true),
      vi.spyOn(process.stdout, "write").mockReturnValue(true),
    ];
    await shut();
    const wrong: string[] = [];
    try {
      const requests: [string, () => Promise<RawAnswer>][] = [
        ...good.map((one): [string, () => Promise<RawAnswer>] => [one.route.name, () => sendRaw(one)]),
        [
          "with a key",
          () =>
            sendRaw(
              good.find(({ route }) => route.name === "GET /api/contacts")!,
              side.key.token,
            ),
        ],
        [
          "sign-in",
          () =>
            ask(app.baseUrl, {
              method: "POST",
              path: "/api/auth/login",
              headers: { "content-type": "application/json" },
              body: '{"email":"a@b.example","password":"x"}',
            }),
        ],
        ["readyz", () => ask(app.baseUrl, { path: "/readyz" })],
      ];
      for (const [what, request] of requests) {
        const answer = await request();
        const { error } = JSON.parse(answer.text) as { error: string };
        if (answer.status !== 503 || answer.headers["retry-after"] !== "1" || faults({ ...answer, status: 499 }).length)
          wrong.push(`${what}: ${answer.status} ${error} ${answer.headers["retry-after"]}`);
      }
      expect((await ask(app.baseUrl, { path: "/healthz" })).status).toBe(200);
    } finally {
      await open();
      for (const spy of quiet) spy.mockRestore();
    }
    expect(wrong).toEqual([]);
    await vi.waitFor(async () => expect((await ask(app.baseUrl, { path: "/readyz" })).status).toBe(200), {
      timeout: 100_000,
    });
    // The requests that failed before succeed now. A stream would not end.
    for (const one of good.filter(({ route }) => route.method === "GET" && route.path !== "/api/events"))
      expect([one.route.name, (await sendRaw(one)).status]).toEqual([one.route.name, 200]);
    expect((await side.key.post("/api/contacts", { name: "Ada" })).status).toBe(201);
  });

  test("cut connections fail at most the requests that used them", async () => {
    for (let n = 0; n < 4; n++) {
      await withAdmin((admin) =>
        admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name()]),
      );
      const statuses = await Promise.all(
        Array.from({ length: 20 }, async () => (await side.key.get("/api/contacts")).status),
      );
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
      await vi.waitFor(async () => expect((await side.key.get("/api/contacts")).status).toBe(200), {
        timeout: 100_000,
      });
    }
  });

  test("a connection that breaks while it is handed on does not end the process", async () => {
    const { pool } = app.app.get(Servers).control;
    const [first, ...others] = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    const next = pool.connect();
    try {
      first!.release();
      // The pool has passed it on, and whoever waits for it has not been told yet.
      expect(pool.idleCount).toBe(0);
      expect(() => first!.emit("error", new Error("lost"))).not.toThrow();
    } finally {
      for (const client of others) client.release();
      (await next).release();
    }
  });

  test.each([
    ["the driver", (tx: Tx) => tx.query(FIND_REFERENCES, { references: [] })],
    ["TypeORM", (tx: Tx) => tx.find(WorkspaceEntity, { id: side.workspaceId })],
  ])("a transaction whose connection was lost before it goes on with %s is answered 503", async (_, goOn) => {
    const lost = app.transaction(side.tenantId, async (tx) => {
      await withAdmin((admin) =>
        admin.query(
          "select pg_terminate_backend(pid, 100000) from pg_stat_activity where datname = $1 and state = 'idle in transaction'",
          [name()],
        ),
      );
      // The first one that fails may have been sent before the loss was known.
      await eventually(() => expect(goOn(tx)).rejects.toThrow());
      await goOn(tx);
    });
    expect(describeError(await lost.catch((error: unknown) => error))).toMatchObject({ status: 503 });
  });
});
