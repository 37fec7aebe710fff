import { spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { walk } from "../e2e/support.js";
import {
  allowTimeForProcesses,
  cleanUp,
  type Credentials,
  credentials,
  main,
  newFolder,
  parley,
  postgresOf,
  type PrintedTenant,
  ROOT,
  type Server,
  startServer,
  superuser,
  until,
  untilAnswered,
  userOf,
} from "./support.js";
import { canBeNobody, nobody } from "../../support/nobody.js";
import { freePort } from "../../support/ports.js";

allowTimeForProcesses();

// Tests the README's quick start: two commands start a working demo. If root runs the tests, an ordinary user starts
// the server here, so that the files of test/server/process cover both.

const user = canBeNobody ? nobody : undefined;

let dataDir: string;
let port: number;
let server: Server;
let printed: Credentials;
beforeAll(async () => {
  [dataDir, port] = [path.join(newFolder(user), "data"), await freePort()];
  server = await startServer({ DATA_DIR: dataDir, PORT: port }, user);
  printed = credentials(server);
});
afterAll(cleanUp);

describe("the first start on an empty folder", () => {
  test("prints only the address, the dashboard with a sign-in, the documentation's address, a key for each side and a request", () => {
    const address = `http://localhost:${port}`;
    expect(
      server
        .output()
        .stdout.split("\n")
        .map((line) => line.trim())
        .filter(Boolean),
    ).toEqual([
      expect.stringContaining("demo company"),
      `Parley is ready at ${address}`,
      `Dashboard          ${address}/`,
      `Sign in as         ${printed.email}  password ${printed.password}`,
      `API documentation  ${address}/docs`,
      `Database           embedded, in ${dataDir}`,
      `Live key           ${printed.live}`,
      `Test key           ${printed.test}`,
      expect.stringContaining("shown this once"),
      "Try it:",
      printed.curl,
    ]);
    expect(printed.live).toMatch(/^svc_live_v1_\w{20,}$/);
    expect(printed.test).toMatch(/^svc_test_v1_\w{20,}$/);
  });

  test.skipIf(spawnSync("curl", ["--version"]).status !== 0)("prints a request that works unchanged in a shell", () => {
    const { status, stdout, stderr } = spawnSync("sh", ["-c", printed.curl], { encoding: "utf8", cwd: "/" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const { data } = JSON.parse(stdout) as { data: { messageCount: number }[] };
    expect(data).toHaveLength(3);
    expect(data.every(({ messageCount }) => messageCount > 0)).toBe(true);
  });

  test("is alive and ready", async () => {
    for (const probe of ["/healthz", "/readyz"])
      expect((await server.client().get(probe, 200)).body).toEqual({ ok: true });
  });

  test("the doctor finds no error", async () => {
    const { code, stdout } = await parley(["doctor"], { DATA_DIR: dataDir }, user);
    expect(stdout).toMatch(/^Configuration\n[\s\S]*\n0 errors, \d warnings?\n$/);
    expect(code).toBe(0);
  });

  test("listens on the loopback interface only", async () => {
    const reaches = (host: string): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = net.connect({ host, port, timeout: 60_000 });
        const settle = (answer: boolean) => {
          socket.destroy();
          resolve(answer);
        };
        socket
          .once("connect", () => settle(true))
          .once("error", () => settle(false))
          .once("timeout", () => settle(false));
      });
    const addresses = Object.values(os.networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ internal, scopeid }) => !internal && !scopeid);
    for (const { address } of addresses) expect(await reaches(address), address).toBe(false);
    expect(await reaches("localhost")).toBe(true);
  });

  test("stores its secrets where only their owner can read them", () => {
    expect(fs.statSync(path.join(dataDir, "secrets.json")).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.join(dataDir, "postgres")).mode & 0o777).toBe(0o700);
  });

  test("uses a login that owns nothing and is no superuser", async () => {
    const db = await superuser(dataDir);
    const logins = (
      await db.query<{ login: string }>(
        `select distinct usename as login from pg_stat_activity
         where datname = 'parley' and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      )
    ).rows;
    const { rows: owned } = await db.query(
      `select relname from pg_class join pg_roles r on r.oid = relowner where r.rolname = 'parley_server' or r.rolname = 'parley_app'`,
    );
    await db.end();
    expect({ logins, owned }).toEqual({ logins: [{ login: "parley_server" }], owned: [] });
  });

  test.skipIf(!canBeNobody)(
    "works for an ordinary user, who owns the files (needs root and a checkout that every user can read)",
    () => {
      expect([userOf(server.pid), userOf(postgresOf(dataDir))]).toEqual([nobody.uid, nobody.uid]);
      for (const file of ["", "secrets.json", "postgres"])
        expect(fs.statSync(path.join(dataDir, file)).uid).toBe(nobody.uid);
    },
  );
});

describe("the documentation", () => {
  const fetchText = async (where: string): Promise<{ status: number; type: string; text: string }> => {
    const response = await fetch(new URL(where, server.address));
    return { status: response.status, type: response.headers.get("content-type") ?? "", text: await response.text() };
  };

  test("loads all its parts from this server", async () => {
    const page = await fetchText("/docs");
    expect(page).toMatchObject({ status: 200, type: expect.stringContaining("text/html") });
    expect(page.text).toContain("Parley API");
    const parts = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, where]) => where!);
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) {
      expect(part, "nothing is fetched from elsewhere").not.toMatch(/^(https?:)?\/\//);
      const { status, type, text } = await fetchText(new URL(part, `${server.address}/docs`).href);
      expect({ part, status, empty: text === "" }).toEqual({ part, status: 200, empty: false });
      const types: Record<string, RegExp> = {
        js: /javascript/,
        css: /text\/css/,
        json: /application\/json/,
        png: /image\/png/,
      };
      expect(type).toMatch(types[part.split(".").pop()!]!);
    }
  });

  test("describes the same API as openapi.json in the repository", async () => {
    const { status, type, text } = await fetchText("/openapi.json");
    expect({ status, type }).toMatchObject({ status: 200, type: expect.stringContaining("application/json") });
    expect(JSON.parse(text)).toEqual(JSON.parse(fs.readFileSync(path.join(ROOT, "openapi.json"), "utf8")));
  });
});

const WAITING = JSON.parse(fs.readFileSync(path.join(ROOT, "demo/waiting.json"), "utf8")) as { externalId: string }[];

describe("the demo", () => {
  test("has an owner who can sign in on both sides", async () => {
    for (const environment of ["live", "test"] as const) {
      const owner = await server.client().login(printed.email, printed.password, environment);
      expect((await owner.get("/api/me", 200)).body).toMatchObject({
        kind: "member",
        role: "owner",
        environment,
        reach: { level: "tenant" },
      });
    }
    expect(
      (await server.client().post("/api/auth/login", { email: printed.email, password: `${printed.password}x` }, 401))
        .body,
    ).toEqual({ error: "Unauthorized" });
  });

  test("contains the file's conversations on the live side, and some on the test side", async () => {
    const lines = fs
      .readFileSync(path.join(ROOT, "demo/star-excerpt.ndjson"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: number });
    const live = server.client(printed.live);
    await untilAnswered(live);
    const conversations = await walk(live, "/api/conversations");
    expect(conversations.map(({ externalId }) => externalId).toSorted()).toEqual(
      [...lines.map(({ id }) => `star-${id}`), ...WAITING.map(({ externalId }) => externalId)].toSorted(),
    );
    // A desk at work: some dialogues are over, some wait, the assistant has answered some and passed others on.
    const tally = (of: string) =>
      conversations.filter(({ status, handlingMode }) => `${status} ${handlingMode}` === of);
    expect(tally("resolved human").length).toBeGreaterThan(10);
    expect(tally("open human").length).toBeGreaterThan(3);
    expect(tally("open assistant").length).toBeGreaterThan(2);
    expect(await walk(server.client(printed.test), "/api/conversations")).toHaveLength(3);
  });

  test("contains the file's knowledge, some of it waiting for approval", async () => {
    const client = server.client(printed.live);
    const { id } = (await client.get("/api/workspaces", 200)).body[0]!;
    const { body: pending } = await client.get(`/api/workspaces/${id}/kb-entries/pending`, 200);
    const entries = JSON.parse(fs.readFileSync(path.join(ROOT, "demo/kb.json"), "utf8")) as {
      question: string;
      status: string;
    }[];
    expect(pending.map(({ question }) => question)).toEqual(
      entries.filter(({ status }) => status === "pending").map(({ question }) => question),
    );
    expect(pending.some(({ confidence }) => confidence! >= 0.9)).toBe(true);
    expect(await walk(client, `/api/workspaces/${id}/kb-entries`)).toHaveLength(entries.length);
  });

  test("contains the file's policies, which decide requests", async () => {
    const client = server.client(printed.live);
    const { id } = (await client.get("/api/workspaces", 200)).body[0]!;
    const policies = JSON.parse(fs.readFileSync(path.join(ROOT, "demo/policies.json"), "utf8")) as { title: string }[];
    expect((await walk(client, `/api/workspaces/${id}/policy-entries`)).map(({ title }) => title).toSorted()).toEqual(
      policies.map(({ title }) => title).toSorted(),
    );
    const { body } = await client.post(
      `/api/workspaces/${id}/policy-entries/evaluate`,
      { tool: "transfer-money", context: { transfer: { amount: 700, country: "SE" } } },
      200,
    );
    expect(body).toMatchObject({ effect: "require_approval", requiredAssuranceLevel: "identified" });
  });

  test("contains accounts with their contacts", async () => {
    const accounts = await walk(server.client(printed.live), "/api/accounts?sort=name");
    expect(accounts.map(({ name, contactCount }) => [name, contactCount])).toEqual([
      ["Berg Travel", 3],
      ["Haddad Interiors", 1],
      ["Lindqvist & Söner", 2],
    ]);
  });

  test("contains cases in three statuses, with their conversation and contact, which the search finds", async () => {
    const owner = await server.client().login(printed.email, printed.password);
    const cases = await walk(owner, "/api/cases");
    expect(cases.map(({ status }) => status)).toEqual(["submitted", "in_progress", "resolved"]);
    for (const { contactId, conversationIds } of cases)
      expect((await owner.get(`/api/conversations/${conversationIds[0]}`, 200)).body.contactId).toBe(contactId);
    const [refund] = cases;
    expect(refund).toMatchObject({ assigneeId: null, fields: { bookingNumber: "4711" } });
    expect((await owner.get("/api/cases?q=4711", 200)).body.data).toEqual([refund]);
    const { body: me } = await owner.get("/api/me", 200);
    const { data: events } = (await owner.get(`/api/cases/${cases[1]!.id}/events`, 200)).body;
    expect(events.map(({ type, actor }) => [type, actor])).toEqual(
      ["created", "conversation_linked", "status", "assignee"].map((type) => [type, { kind: "member", id: me.id }]),
    );
    const { data: audit } = (await owner.get("/api/audit-log?resourceType=case&limit=100", 200)).body;
    expect(audit.map(({ action }) => action).toSorted()).toEqual([
      ...Array<string>(3).fill("cases.create"),
      ...Array<string>(2).fill("cases.update"),
    ]);
    expect(server.output().stderr).not.toContain("error");
  });

  test("contains identity events for the callers who verified their identity", async () => {
    const client = server.client(printed.live);
    const conversations = await walk(client, "/api/conversations");
    const proven = conversations.filter(({ assuranceLevel }) => assuranceLevel === "identified");
    expect(proven.length).toBeGreaterThan(0);
    expect(proven.length).toBeLessThan(conversations.length);
    for (const { id, contactId } of proven) {
      const {
        body: { events },
      } = await client.get(`/api/conversations/${id}/identity-events`, 200);
      expect(events.map(({ eventType }) => eventType)).toEqual([
        "kbv_question_asked",
        "kbv_question_passed",
        "kbv_question_asked",
        "kbv_question_passed",
        "factor_added",
        "assurance_level_reached",
      ]);
      expect(events.every(({ factorBoundToPrincipal }) => factorBoundToPrincipal === contactId)).toBe(true);
    }
  });
});

describe("the demo's calendar", () => {
  test("has a week of bookings, and an approval that enters one more", async () => {
    const owner = await server.client().login(printed.email, printed.password, "live");
    const { bookings, approval } = JSON.parse(fs.readFileSync(path.join(ROOT, "demo/calendar.json"), "utf8")) as {
      bookings: { title: string }[];
      approval: { title: string };
    };
    const titles = async () => (await walk(owner, "/api/calendar/bookings")).map(({ title }) => title).toSorted();
    const given = bookings.map(({ title }) => title);
    expect(await titles()).toEqual(given.toSorted());
    const [action, ...others] = await walk(owner, "/api/pending-actions?status=pending");
    expect(others).toEqual([]);
    const { body: conversation } = await owner.get(`/api/conversations/${action!.conversationId}`, 200);
    expect(conversation).toMatchObject({ status: "open", pendingActionCount: 1, openAttentionCount: 1 });
    await owner.post(`/api/pending-actions/${action!.id}/approve`, { argumentsHash: action!.argumentsHash }, 200);
    await until(
      async () => (await titles()).length > given.length,
      () => "the booking is entered",
    );
    expect(await titles()).toEqual([...given, approval.title].toSorted());
  });
});

describe("the demo's past", () => {
  const report = async (name: string) => {
    const owner = await server.client().login(printed.email, printed.password, "live");
    return (await owner.get(`/api/reports/${name}`, 200)).body;
  };

  test("is a month: conversations of many days, replies that took a while, and ratings", async () => {
    const resolved = (await walk(server.client(printed.live), "/api/conversations")).filter(
      ({ status }) => status === "resolved",
    );
    const days = new Set(resolved.map(({ createdAt }) => createdAt.slice(0, 10)));
    expect(days.size).toBeGreaterThan(8);
    for (const { createdAt, firstReplyAt, resolvedAt } of resolved)
      expect([createdAt, firstReplyAt!, resolvedAt!].toSorted()).toEqual([createdAt, firstReplyAt, resolvedAt]);
    // Nobody was seen after their last message.
    const seen = (await walk(server.client(printed.live), "/api/contacts?sort=lastSeen")).map(
      ({ lastSeenAt }) => lastSeenAt!,
    );
    expect(new Set(seen.map((at) => at.slice(0, 10))).size).toBeGreaterThan(8);
    // What is counted agrees with what is listed.
    const closed = await report("resolution");
    expect(closed.total.count).toBe(resolved.length);
    expect((await report("first-reply")).total.median).toBeGreaterThan(20);
    const { body } = await (
      await server.client().login(printed.email, printed.password, "live")
    ).get("/api/quality/csat", 200);
    const rated = resolved.flatMap(({ csatScore }) => csatScore ?? []);
    expect(rated.length).toBeGreaterThan(8);
    expect(body.total.answered).toBe(rated.length);
  });
});

describe("the demo's assistant", () => {
  const ask = async (body: string) => {
    const client = server.client(printed.live);
    const { id: workspaceId } = (await client.get("/api/workspaces", 200)).body[0]!;
    const { id } = (
      await client.post("/api/conversations", { workspaceId, contact: { name: "Ada" }, message: { body } }, 201)
    ).body;
    const outcome = await until(
      async () => (await client.get(`/api/conversations/${id}/agent-activity`, 200)).body.data[0]?.outcome,
      () => "the assistant decided",
    );
    const { handlingMode, summary } = (await client.get(`/api/conversations/${id}`, 200)).body;
    return { outcome, handlingMode, summary };
  };

  test("answers a visitor of the web chat with an approved entry", async () => {
    const client = server.client(printed.live);
    const { id } = (await client.get("/api/workspaces", 200)).body[0]!;
    const channels = (await client.get(`/api/workspaces/${id}/channels`, 200)).body;
    const key = channels.find(({ type }) => type === "webchat")!.address!;
    const { sessionToken } = (await server.client().post(`/api/public/webchat/${key}/sessions`, {}, 200)).body;
    const visitor = server.client(sessionToken);
    await visitor.post(
      `/api/public/webchat/${key}/messages`,
      { body: "I need a taxi to the airport", clientMessageId: "1" },
      201,
    );
    const reply = await until(
      async () =>
        (await visitor.get(`/api/public/webchat/${key}/messages`, 200)).body.data.find(
          ({ direction }) => direction === "outbound",
        ),
      () => "the assistant answered",
    );
    expect(reply.body).toMatch(/^Give us your name, where you want to be picked up/);
  });

  test("answers a question, asks back, or passes the conversation on with a summary", async () => {
    const decisions = {
      "What is my balance?": { outcome: "answered", handlingMode: "assistant", summary: null },
      "Can I book a hotel or a taxi?": { outcome: "clarified", handlingMode: "assistant", summary: null },
      "Do you sell bicycles?": {
        outcome: "handed_off",
        handlingMode: "human",
        summary: "Asked: “Do you sell bicycles?”\nNo approved entry answers this.",
      },
    };
    const made = await Promise.all(Object.keys(decisions).map(async (body) => [body, await ask(body)]));
    expect(Object.fromEntries(made)).toEqual(decisions);
  });
});

describe("beside a running server", () => {
  test("the command line creates a tenant, prints one JSON object whose keys and password work, and leaves the database running", async () => {
    const postgres = postgresOf(dataDir);
    const { code, stdout, stderr } = await parley(
      ["tenant", "create", "--name", "Beside Ltd", "--owner-email", "Beside@example.com", "--json"],
      { DATA_DIR: dataDir },
      user,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { owner, apiKeys, defaults, testDefaults } = JSON.parse(stdout) as PrintedTenant;
    expect((await server.client(apiKeys.live).get("/api/workspaces", 200)).body).toMatchObject([
      { id: defaults.workspaceId },
    ]);
    expect((await server.client(apiKeys.test).get("/api/workspaces", 200)).body).toMatchObject([
      { id: testDefaults.workspaceId },
    ]);
    const signedIn = await server.client().login(owner.email, owner.password);
    expect((await signedIn.get("/api/workspaces", 200)).body).toHaveLength(1);
    expect(postgresOf(dataDir)).toBe(postgres);
    expect((await server.client().get("/readyz", 200)).body).toEqual({ ok: true });
  });

  test("a second server on the same folder is refused in one line, and the first keeps running", async () => {
    const { code, stdout, stderr } = await main({ DATA_DIR: dataDir, PORT: 0 }, user).end();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(
      /^parley: .* is in use by another Parley \(process \d+\): stop it first, or set DATA_DIR to another folder\n$/,
    );
    expect(stderr).toContain(`process ${server.pid}`);
    expect((await server.client().get("/readyz", 200)).body).toEqual({ ok: true });
  });
});
