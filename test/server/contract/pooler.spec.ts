import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { Database } from "../../../src/platform/database/database.js";
import { globalQuery } from "../../../src/platform/database/statements.js";
import { sql } from "../../../src/platform/database/sql.js";
import type { Config } from "../../../src/platform/config/config.js";
import { loadConfig } from "../../../src/platform/config/load-config.js";
import { openDatabase } from "../../../src/startup.js";
import { start, walk } from "../e2e/support.js";
import { SECRET_KEY, startApp, type TestApp } from "../../support/app.js";
import { connect, freshDatabase, type TestDatabase } from "../../support/database.js";
import { eventually } from "../../support/eventually.js";
import {
  type PgBouncer,
  PREPARES_IN_TRANSACTION_MODE,
  startPgBouncer,
  WITHOUT_PGBOUNCER,
} from "../../support/pgbouncer.js";
import { OF_LOCALHOST } from "../security/certificate.js";

// A pooler between the server and PostgreSQL. It drops what the server asks for when it connects, and lends connections that others
// used before.

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const open: { close(): Promise<unknown> }[] = [];
const opened = <T extends { close(): Promise<unknown> }>(made: T): T => {
  open.push(made);
  return made;
};
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** The settings of a server whose own login goes through the pooler. */
const behind = (pooler: PgBouncer): Partial<Config> => ({
  DATABASE_URL: db.url,
  DATABASE_APP_URL: pooler.through(db.serverUrl),
  DATABASE_DIRECT_URL: db.url,
});
/** Starts as `npm start` does: first the database, then the application. */
async function startLike(settings: Partial<Config>): Promise<TestApp> {
  const config = loadConfig({ NODE_ENV: "test", SECRET_KEY, ...(settings as Record<string, string>) });
  await openDatabase(config, "own");
  return opened(await startApp(settings, db));
}
const refusal = (settings: Partial<Config>): Promise<string> =>
  startLike(settings).then(
    () => "it started",
    (error: Error) => error.message,
  );
const pooler = async (mode: "session" | "transaction", settings: string[] = [], tls = false): Promise<PgBouncer> =>
  opened(await startPgBouncer([db.url, db.serverUrl], { mode, settings, tls }));

/** A way to PostgreSQL that says who ends the first connection. */
async function relay(to: string): Promise<{ through(url: string): string; endedBy: Promise<string> }> {
  let tell: (name: string) => void;
  const endedBy = new Promise<string>((resolve) => (tell = resolve));
  const server = net.createServer((near) => {
    const far = net.connect(Number(new URL(to).port), "127.0.0.1");
    for (const [from, other, name] of [
      [near, far, "the server of Parley"],
      [far, near, "PostgreSQL"],
    ] as const) {
      from.on("error", () => undefined).pipe(other);
      from.on("end", () => tell(name));
      from.on("close", () => {
        tell(name);
        other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  opened({ close: () => promisify(server.close.bind(server))() });
  const { port } = server.address() as net.AddressInfo;
  return { through: (url) => Object.assign(new URL(url), { port }).href, endedBy };
}

const IGNORES = ["ignore_startup_parameters = options,extra_float_digits"];

test.skipIf(WITHOUT_PGBOUNCER)(
  `a server is refused whose role a pooler drops silently${WITHOUT_PGBOUNCER}`,
  async () => {
    const { through } = await pooler("session", IGNORES);
    for (const url of [db.url, db.serverUrl])
      expect(await refusal({ DATABASE_URL: db.url, DATABASE_APP_URL: through(url) })).toMatch(
        /^DATABASE_APP_URL .*leads to a pooler.*set DATABASE_DIRECT_URL/,
      );
    expect(await refusal({ DATABASE_URL: through(db.url) })).toMatch(
      /^DATABASE_URL .*leads to a pooler.*set DATABASE_DIRECT_URL/,
    );
  },
);

test.skipIf(WITHOUT_PGBOUNCER)(`a pooler that refuses the role is named, too${WITHOUT_PGBOUNCER}`, async () => {
  const { through } = await pooler("session");
  expect(await refusal({ DATABASE_URL: db.url, DATABASE_APP_URL: through(db.serverUrl) })).toMatch(
    /^DATABASE_APP_URL .*leads to a pooler.*set DATABASE_DIRECT_URL/,
  );
});

/** A conversation, as an operator and a contact have it: reads, transactions, a repeat, and the change feed's signals. */
async function converse(app: TestApp): Promise<void> {
  const { live, defaults } = await app.tenant();
  const { id } = await start(live, defaults.workspaceId, { externalId: "c-1", message: { body: "Hello" } });
  const retried = { headers: { "idempotency-key": "once" } };
  for (let n = 0; n < 2; n++) await live.post(`/api/conversations/${id}/reply`, { body: "Hi" }, 200, retried);
  await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      await live.post("/api/contacts", { name: `Contact ${n}` }, 201);
      await live.get("/api/contacts?limit=5", 200);
    }),
  );
  expect((await walk(live, `/api/conversations/${id}/messages`)).map(({ body }) => body)).toEqual(["Hello", "Hi"]);
  expect(await walk(live, "/api/contacts")).toHaveLength(13);
  expect((await live.post("/api/conversations/search", { query: "Hello" }, 200)).body.data).toHaveLength(1);
}
const SESSION_OF = globalQuery<object, object>()(
  "test.session",
  "control" as never,
  () => sql`select current_setting('role') as role, current_setting('timezone') as zone,
    current_setting('statement_timeout') as timeout, current_setting('plan_cache_mode') as plans`,
);
/** The same, in a transaction. */
const IN_TRANSACTION = { ...SESSION_OF, kind: "query", reach: { unrestricted: "it reads no table" } } as const;

describe.skipIf(WITHOUT_PGBOUNCER)(
  `behind a pooler that lends connections for whole sessions${WITHOUT_PGBOUNCER}`,
  () => {
    test("a server works as with PostgreSQL itself", async () => {
      const app = await startLike(behind(await pooler("session")));
      await converse(app);
      expect(await app.app.get(Database).global(SESSION_OF)).toEqual([
        { role: "parley_app", zone: "UTC", timeout: "15s", plans: "force_generic_plan" },
      ]);
    });

    test("a server works on the connections that another one left", async () => {
      const settings = behind(await pooler("session", ["default_pool_size = 2"]));
      for (let n = 0; n < 2; n++) {
        const app = await startLike(settings);
        await app.tenant();
        await app.close();
      }
    });

    test("a login that stands above row-level security is refused", async () => {
      const made = await pooler("session");
      const boss = `boss_${db.name}`;
      await db.query(`create role ${boss} login superuser password 'boss' in role parley_app`);
      try {
        const url = Object.assign(new URL(db.url), { username: boss, password: "boss" }).href;
        const other = opened(await startPgBouncer([db.url, url], { mode: "session" }));
        expect(await refusal({ ...behind(made), DATABASE_APP_URL: other.through(url) })).toBe(
          `the login "${boss}" of DATABASE_APP_URL is a superuser or has BYPASSRLS: behind a pooler, where it may lose its role, row-level security would not hold. Set it to a login that is a member of parley_app, and nothing else`,
        );
      } finally {
        await db.query(`drop owned by ${boss}`);
        await db.query(`drop role ${boss}`);
      }
    });

    test("a direct address that leads to the pooler as well is refused", async () => {
      const made = await pooler("session", IGNORES);
      expect(await refusal({ ...behind(made), DATABASE_DIRECT_URL: made.through(db.url) })).toBe(
        "DATABASE_DIRECT_URL leads to a pooler: it must be the address of PostgreSQL itself",
      );
    });

    test("work that only one process may do holds its lock on PostgreSQL itself", async () => {
      const app = await startLike(behind(await pooler("session")));
      const database = app.app.get(Database);
      const rival = await connect(db.url);
      try {
        const inside = await database.exclusively("test lock", async () => {
          const again = await database.exclusively("test lock", () => Promise.resolve("both"));
          const { rows } = await rival.query(
            `select a.client_port is not null as known from pg_locks l join pg_stat_activity a using (pid)
          where l.locktype = 'advisory' and l.database = (select oid from pg_database where datname = current_database())`,
          );
          return { again, rows };
        });
        expect(inside).toEqual({ again: undefined, rows: [{ known: true }] });
        expect(await database.exclusively("test lock", () => Promise.resolve("later"))).toBe("later");
      } finally {
        await rival.end();
      }
    });
  },
);

test.skipIf(WITHOUT_PGBOUNCER || PREPARES_IN_TRANSACTION_MODE)(
  `a pooler that lends connections for single transactions, and prepares no statements there, is refused${WITHOUT_PGBOUNCER}`,
  async () => {
    expect(await refusal(behind(await pooler("transaction")))).toMatch(
      /^the pooler of DATABASE_APP_URL lends connections for single transactions.*pool_mode = session.*1\.21/,
    );
  },
);

describe.skipIf(!PREPARES_IN_TRANSACTION_MODE)(
  `behind a pooler that lends connections for single transactions${PREPARES_IN_TRANSACTION_MODE ? "" : " (left out: it needs PgBouncer 1.21)"}`,
  () => {
    const PREPARES = ["max_prepared_statements = 200"];

    test("a server works as with PostgreSQL itself", async () => {
      await converse(await startLike(behind(await pooler("transaction", PREPARES))));
    });

    test("a login that loses the role reads nothing until it has it again", async () => {
      const made = await pooler("transaction", PREPARES);
      const app = await startLike(behind(made));
      const { live } = await app.tenant();
      const login = new URL(db.serverUrl).username;
      await db.query(`alter role ${login} in database ${db.name} reset role`);
      await made.reconnect();
      await eventually(async () => {
        await live.get("/api/contacts", 503);
      });
      await db.query(`alter role ${login} in database ${db.name} set role = 'parley_app'`);
      await made.reconnect();
      await eventually(async () => {
        await live.get("/api/contacts", 200);
      });
    });
  },
);

test("a connection that loses its role reads nothing, is answered 503, and is replaced", async () => {
  const app = opened(await startApp({ DATABASE_APP_URL: db.url, DATABASE_POOL_SIZE: 2 }, db));
  const { live, tenantId } = await app.tenant();
  const lose = globalQuery<object>()(
    "test.lose role",
    "control" as never,
    () => sql`select set_config('role', 'none', false) from pg_sleep(0.1)`,
  );
  await Promise.all([1, 2].map(() => app.app.get(Database).global(lose)));
  expect(await app.transaction(tenantId, (tx) => tx.query(IN_TRANSACTION))).toMatchObject([{ role: "parley_app" }]);
  const quiet = [vi.spyOn(process.stderr, "write"), vi.spyOn(process.stdout, "write")].map((spy) =>
    spy.mockReturnValue(true),
  );
  const statuses = new Set<number>();
  await eventually(async () => {
    const { status } = await live.get("/api/contacts");
    statuses.add(status);
    expect(status).toBe(200);
  });
  for (const spy of quiet) spy.mockRestore();
  expect([...statuses]).toEqual([503, 200]);
});

describe("a new connection", () => {
  const later = async (break_: string, mend: string, reason: RegExp): Promise<void> => {
    const app = opened(await startApp({ LOG_LEVEL: "warn" }, db));
    const { live } = await app.tenant();
    const written: string[] = [];
    const quiet = [vi.spyOn(process.stderr, "write"), vi.spyOn(process.stdout, "write")].map((spy) =>
      spy.mockImplementation((text) => {
        written.push(String(text));
        return true;
      }),
    );
    const cut = () =>
      db.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'parley'",
      );
    await db.query(break_);
    try {
      await cut();
      await eventually(async () => {
        await live.get("/api/contacts", 503);
        expect(written.join("")).toMatch(reason);
      });
    } finally {
      await db.query(mend);
      for (const spy of quiet) spy.mockRestore();
    }
    await eventually(async () => {
      await live.get("/api/contacts", 200);
    });
  };

  test("is refused while a table's row-level security is not forced", async () => {
    await later(
      "alter table contact no force row level security",
      "alter table contact force row level security",
      /row-level security of the table .*contact.* is not enabled and forced/,
    );
  });
});

describe("a database that takes no changes any more", () => {
  test("is answered 503, and left as soon as its address leads to one that does", async () => {
    // Directly: a pooler would keep the connections that the setting made read-only.
    const app = opened(await startApp({ DATABASE_POOL_SIZE: 4, DATABASE_APP_URL: db.serverUrl }, db));
    const { live } = await app.tenant();
    await db.query(`alter database ${db.name} set default_transaction_read_only = on`);
    await db.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'parley'",
    );
    const quiet = [vi.spyOn(process.stderr, "write"), vi.spyOn(process.stdout, "write")].map((spy) =>
      spy.mockReturnValue(true),
    );
    try {
      // All connections that the process may have are to that database.
      await eventually(async () => {
        const answers = await Promise.all(
          Array.from({ length: 12 }, () => live.post("/api/contacts", { name: "Ada" })),
        );
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
        expect(answers[0]!.headers.get("retry-after")).toBe("1");
      });
      // Its reads still work.
      await Promise.all(Array.from({ length: 8 }, () => live.get("/api/contacts", 200)));
    } finally {
      const admin = await connect({ connectionString: db.url, options: "-c default_transaction_read_only=off" });
      await admin.query(`alter database ${db.name} reset default_transaction_read_only`);
      await admin.end();
    }
    // The first attempt meets one of them, and leaves all.
    const first = await live.post("/api/contacts", { name: "Ada" });
    expect([201, 503]).toContain(first.status);
    for (const spy of quiet) spy.mockRestore();
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => live.post("/api/contacts", { name: "Ada" })));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    });
  });
});

describe("how the database is reached", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-pooler-"));
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, text: string): string => {
    fs.writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const withoutPassword = (url: string): string => Object.assign(new URL(url), { password: "" }).href;

  test.skipIf(WITHOUT_PGBOUNCER)(
    `TLS is checked against the authority that the connection string names${WITHOUT_PGBOUNCER}`,
    async () => {
      const made = await pooler("session", [], true);
      const to = (parameters: string): Partial<Config> => ({
        ...behind(made),
        DATABASE_APP_URL: `${made.through(db.serverUrl)}?${parameters}`,
      });
      const authority = file("ca.pem", OF_LOCALHOST.cert);
      await converse(await startLike(to(`sslmode=verify-full&sslrootcert=${authority}`)));
      expect(await refusal(to("sslmode=verify-full"))).toMatch(/^DATABASE_APP_URL cannot be used: self-signed/);
      expect(await refusal(to(`sslmode=verify-full&sslrootcert=${folder}/missing.pem`))).toMatch(
        /^DATABASE_APP_URL cannot be used: ENOENT/,
      );
      expect(await refusal(behind(made))).toMatch(/^DATABASE_APP_URL cannot be used: .*(SSL|TLS)/i);
    },
  );

  test("a command gives the password, anew for each connection", async () => {
    const login = `rotating_${db.name}`;
    await db.query(`create role ${login} login password 'first' in role parley_app`);
    try {
      const kept = file("password", "first\n");
      const settings: Partial<Config> = {
        DATABASE_APP_URL: Object.assign(new URL(withoutPassword(db.serverUrl)), { username: login }).href,
        DATABASE_PASSWORD_COMMAND: `test "$PGUSER" = ${login} && cat ${kept}`,
      };
      const app = opened(await startApp(settings, db));
      const { live } = await app.tenant();
      await db.query(`alter role ${login} password 'second'`);
      file("password", "second\n");
      await db.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [login]);
      await eventually(async () => {
        await live.get("/api/contacts", 200);
      });
      await app.close();
      open.pop();
      fs.rmSync(kept);
      const { through, endedBy } = await relay(db.serverUrl);
      await expect(
        startApp({ ...settings, DATABASE_APP_URL: through(settings.DATABASE_APP_URL!) }, db),
      ).rejects.toThrow("DATABASE_PASSWORD_COMMAND ended with 1");
      // PostgreSQL ends it after a minute.
      expect(await endedBy).toBe("the server of Parley");
    } finally {
      await db.query(`drop owned by ${login}`);
      await db.query(`drop role ${login}`);
    }
  });

  test("several hosts are refused, and HAProxy is named", () => {
    for (const url of [
      "postgres://parley@one,two/parley",
      "postgres://parley@one:5432,two:5432/parley?target_session_attrs=read-write",
      "postgres://parley@/parley?host=one,two",
    ])
      expect(() => loadConfig({ SECRET_KEY, DATABASE_URL: url })).toThrow(
        /^Invalid setting: DATABASE_URL names several hosts.*HAProxy/,
      );
    expect(loadConfig({ SECRET_KEY, DATABASE_URL: "postgres://parley:a,b@one/parley" }).DATABASE_URL).toBeDefined();
  });

  test("behind a pooler the server has a login of its own", () => {
    const DATABASE_URL = "postgres://parley@pooler/parley";
    const DATABASE_DIRECT_URL = "postgres://db/parley";
    for (const more of [{}, { DATABASE_APP_URL: DATABASE_URL }])
      expect(() => loadConfig({ SECRET_KEY, DATABASE_URL, DATABASE_DIRECT_URL, ...more })).toThrow(
        /a login of its own/,
      );
  });
});
