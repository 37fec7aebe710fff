import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { start, walk } from "../server/e2e/support.js";
import type { Schemas } from "../support/api-types.js";
import type { Answer, Client } from "../support/client.js";
import { interruptTwice } from "../server/process/demo-interrupted.js";
import {
  allowTimeForProcesses,
  cleanUp,
  type Credentials,
  credentials,
  main,
  newFolder,
  npmStart,
  parley,
  postgresOf,
  processesOn,
  type PrintedTenant,
  ROOT,
  type Run,
  type Server,
  startServer,
  superuser,
  until,
  untilAnswered,
} from "../server/process/support.js";

allowTimeForProcesses();

// Stops the server on one data folder in every way, and checks after each stop that all confirmed data is still there.

let dataDir: string;
let printed: Credentials;
let server: Server;
let live: Client;
let workspaceId: string;
beforeAll(async () => {
  dataDir = path.join(newFolder(), "data");
  await interruptTwice(dataDir);
  server = await startServer({ DATA_DIR: dataDir }, undefined, npmStart);
  printed = credentials(server);
  live = server.client(printed.live);
  workspaceId = (await live.get("/api/workspaces", 200)).body[0]!.id;
  await untilAnswered(live);
  // From here on nothing changes but what the tests do.
  await live.patch(`/api/workspaces/${workspaceId}`, { assistantEnabled: false }, 200);
});
afterAll(cleanUp);
/** For tests that begin with a running server, whatever the previous test left. */
async function running(): Promise<void> {
  if (!(await listens())) await restart();
}
async function restart(): Promise<void> {
  server = await startServer({ DATA_DIR: dataDir });
  live = server.client(printed.live);
}
const content = async (): Promise<string> =>
  JSON.stringify([
    await walk(live, "/api/conversations"),
    await walk(live, "/api/contacts"),
    // How often an entry was found is counted some seconds later.
    (await walk(live, `/api/workspaces/${workspaceId}/kb-entries`)).map(({ usage: _, ...entry }) => entry),
  ]);
/** Whether the server still accepts connections. */
const listens = (): Promise<boolean> =>
  fetch(`${server.address}/healthz`).then(
    () => true,
    () => false,
  );
function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Sends a request that stays in progress until it is released: it waits for a locked row. */
async function requestUnderWay(): Promise<{
  answer: Promise<Answer<Schemas["Message"]>>;
  letGo: () => Promise<void>;
}> {
  const conversation = await start(live, workspaceId);
  const holder = await superuser(dataDir);
  await holder.query("begin");
  await holder.query("select from conversation where id = $1 for update", [conversation.id]);
  const answer = live.post(`/api/conversations/${conversation.id}/messages`, { body: "Just in time" }, 201);
  answer.catch(() => undefined);
  // pg_stat_activity would give its first answer again until the transaction ends.
  await until(
    async () =>
      (await holder.query("select from pg_locks where not granted and locktype = 'transactionid'")).rowCount! > 0,
    () => "the request was under way",
  );
  return {
    answer,
    letGo: async () => {
      await holder.query("rollback");
      await holder.end();
    },
  };
}

describe("a first start that was killed during the conversations and during the knowledge is completed by the next", () => {
  const turns = fs
    .readFileSync(path.join(ROOT, "demo/star-excerpt.ndjson"), "utf8")
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { turns: unknown[] }).turns.length);
  const questions = (
    JSON.parse(fs.readFileSync(path.join(ROOT, "demo/kb.json"), "utf8")) as { question: string }[]
  ).map(({ question }) => question);

  test("with every conversation complete, exactly once, on both sides", async () => {
    const conversations = await walk(live, "/api/conversations");
    const [played, waiting] = [/^star-/, /^demo-/].map((kind) =>
      conversations.filter(({ externalId }) => kind.test(externalId!)),
    );
    const messages = await Promise.all(
      played!.map(async ({ id }) => (await walk(live, `/api/conversations/${id}/messages`)).length),
    );
    expect(messages.toSorted()).toEqual(turns.toSorted());
    expect(waiting).toHaveLength(6);
    expect(await walk(live, "/api/contacts")).toHaveLength(turns.length + 6);
    expect(await walk(server.client(printed.test), "/api/conversations")).toHaveLength(3);
  });

  test("with all the knowledge, exactly once", async () => {
    expect(
      (await walk(live, `/api/workspaces/${workspaceId}/kb-entries`)).map(({ question }) => question).toSorted(),
    ).toEqual(questions.toSorted());
  });

  test("with the identity events of verified callers, exactly once", async () => {
    const conversations = await walk(live, "/api/conversations");
    expect(conversations.some(({ assuranceLevel }) => assuranceLevel === "identified")).toBe(true);
    for (const { id, assuranceLevel } of conversations) {
      expect((await live.get(`/api/conversations/${id}/identity-events`, 200)).body.events).toHaveLength(
        assuranceLevel === "identified" ? 6 : 0,
      );
    }
  });

  test("as one tenant, with a printed sign-in and keys that work", async () => {
    for (const key of [printed.live, printed.test])
      expect((await server.client(key).get("/api/workspaces", 200)).body).toHaveLength(1);
    const owner = await server.client().login(printed.email, printed.password);
    expect((await owner.get("/api/members", 200)).body).toHaveLength(1);
  });
});

// As `docker stop` does: npm is the first process, and no other gets the signal.
test("SIGTERM to npm alone ends the server that `npm start` runs, and PostgreSQL with it", async () => {
  await server.client().get("/healthz", 200);
  const postgres = postgresOf(dataDir);
  await server.end("SIGTERM");
  expect([alive(postgres), processesOn(dataDir), await listens()]).toEqual([false, [], false]);
});

// Linux keeps signals without a handler from process 1, which the server in a container is.
test("SIGTERM ends a server that still waits for its database, by a handler", async () => {
  const silent = net.createServer(() => undefined).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as net.AddressInfo;
  const starting = main({ DATABASE_URL: `postgres://parley@127.0.0.1:${port}/parley`, SECRET_KEY: "k".repeat(32) });
  await once(silent, "connection");
  expect(await starting.end("SIGTERM")).toMatchObject({ code: 143, signal: null });
  silent.close();
});

/** A start that says so and goes no further once it imports this module. Only the server itself does, not what it starts. */
function stuckAt(module: string): Run {
  const folder = newFolder();
  fs.writeFileSync(
    path.join(folder, "hooks.mjs"),
    `import fs from "node:fs";
    export async function resolve(specifier, context, next) {
      if (specifier !== ${JSON.stringify(module)}) return next(specifier, context);
      fs.writeSync(1, "stuck");
      return new Promise(() => setInterval(() => undefined, 60_000));
    }`,
  );
  const preloaded = path.join(folder, "preloaded.mjs");
  fs.writeFileSync(
    preloaded,
    `import { register } from "node:module";
    if (process.argv[1]?.endsWith("main.js")) {
      setInterval(() => undefined, 60_000);
      register("./hooks.mjs", import.meta.url);
    }`,
  );
  return main({ DATA_DIR: dataDir, PORT: 0, NODE_OPTIONS: `--import ${pathToFileURL(preloaded).href}` });
}

test.each([
  ["what it starts with", "./startup.js", 143],
  ["the application", "./app.js", 0],
])("SIGTERM ends a server that still imports %s, by a handler", async (_, module, code) => {
  const starting = stuckAt(module);
  await until(
    () => starting.output().stdout.includes("stuck"),
    () => `it imported ${module}: ${starting.output().stderr}`,
  );
  expect(await starting.end("SIGTERM")).toMatchObject({ code, signal: null });
  expect(processesOn(dataDir)).toEqual([]);
});

describe("SIGTERM", () => {
  beforeEach(running);

  test("ends the server with 0, and PostgreSQL with it, without output; the next start keeps the data and prints no credentials", async () => {
    const before = await content();
    const postgres = postgresOf(dataDir);
    const { stdout, stderr } = server.output();
    // Earlier requests have left connections open, and a browser opens some in advance.
    const unused = net.connect(Number(new URL(server.address).port), "127.0.0.1");
    await once(unused, "connect");
    expect(await server.end("SIGTERM")).toEqual({ code: 0, signal: null, stdout, stderr });
    // The folder is already free when the server has ended.
    expect([alive(postgres), processesOn(dataDir)]).toEqual([false, []]);

    await restart();
    expect(
      server
        .output()
        .stdout.split("\n")
        .map((line) => line.trim())
        .filter(Boolean),
    ).toEqual([
      `Parley is ready at ${server.address}`,
      `Dashboard          ${server.address}/`,
      `API documentation  ${server.address}/docs`,
      `Database           embedded, in ${dataDir}`,
    ]);
    expect(server.output().stdout + server.output().stderr).not.toMatch(/svc_|password/);
    expect(await content()).toBe(before);
    await server.client().login(printed.email, printed.password);
    await server.client(printed.test).get("/api/workspaces", 200);
  });

  // As from a supervisor that signals the whole process group: npm is in it and forwards its own signal. Ctrl-C does
  // the same.
  test("sent twice still completes a request in progress and keeps its effect, but accepts no new one", async () => {
    const { answer, letGo } = await requestUnderWay();
    server.kill("SIGTERM");
    await until(
      async () => !(await listens()),
      () => "the server took no more",
    );
    server.kill("SIGTERM");
    await letGo();
    const { body: message } = await answer;
    expect(await server.end()).toMatchObject({ code: 0, signal: null });
    expect(processesOn(dataDir)).toEqual([]);
    await restart();
    expect((await live.get(`/api/conversations/${message.conversationId}/messages`, 200)).body.data).toEqual([message]);
  });
});

describe("kill -9", () => {
  beforeEach(running);

  test("of the server: PostgreSQL ends too, and the next start recovers exactly what was confirmed", async () => {
    const { id } = await start(live, workspaceId, { message: { body: "Before the end" } });
    const { answer, letGo } = await requestUnderWay();
    const before = await content();
    const postgres = postgresOf(dataDir);
    server.kill("SIGKILL");
    // Immediately, as a supervisor does: the start waits for the remaining processes of the previous one.
    await restart();
    expect(alive(postgres)).toBe(false);
    await expect(answer).rejects.toThrow("got no answer");
    await letGo().catch(() => undefined);
    expect(await content()).toBe(before);
    expect((await live.get(`/api/conversations/${id}`, 200)).body.lastMessagePreview).toBe("Before the end");
    expect(server.output().stdout).not.toMatch(/svc_/);
    await server.client().login(printed.email, printed.password);
  });

  test("of PostgreSQL under the server: 503 with the reason while the process stays alive, and the next start recovers", async () => {
    const before = await content();
    process.kill(postgresOf(dataDir), "SIGKILL");
    const { body } = await until(
      async () => {
        const answer = await server.client().get("/readyz");
        return answer.status === 503 && answer;
      },
      () => "readyz said so",
    );
    expect(body).toEqual({ error: "The database cannot be reached" });
    expect((await live.get("/api/conversations", 503)).body).toEqual({ error: expect.any(String) });
    expect((await server.client().get("/healthz", 200)).body).toEqual({ ok: true });
    expect(await server.end("SIGTERM")).toMatchObject({ signal: null });
    await restart();
    expect(await content()).toBe(before);
  });
});

describe("on the folder of a stopped server", () => {
  beforeAll(async () => {
    await running();
    // From here on, the database has a tenant but no demo.
    const client = await superuser(dataDir);
    await client.query(`update tenant set external_id = null; delete from job_run where name = 'demo'`);
    await client.end();
    await server.end("SIGTERM");
  });

  test("a server that cannot listen stops PostgreSQL again: the reason is the last line, and no process stays behind", async () => {
    const taken = net.createServer();
    await new Promise<void>((resolve) => taken.listen(0, "localhost", resolve));
    const { code, stdout, stderr } = await main({
      DATA_DIR: dataDir,
      PORT: (taken.address() as net.AddressInfo).port,
    }).end();
    taken.close();
    expect({ code, stdout, running: processesOn(dataDir) }).toEqual({ code: 1, stdout: "", running: [] });
    // Before the last line there is only PostgreSQL's startup output.
    expect(stderr).toMatch(/^(PostgreSQL runs on [^\n]+\n)?parley: The port is taken[^\n]+\n$/);
  });

  test("the command line starts the database and stops it again; the next server adds no demo to existing data", async () => {
    const { code, stdout } = await parley(
      ["tenant", "create", "--name", "Alone Ltd", "--owner-email", "alone@example.com", "--json"],
      { DATA_DIR: dataDir },
    );
    expect({ code, running: processesOn(dataDir) }).toEqual({ code: 0, running: [] });
    const { apiKeys, defaults } = JSON.parse(stdout) as PrintedTenant;
    await restart();
    expect(server.output().stdout).not.toMatch(/svc_|password|Sign in/);
    expect((await server.client(apiKeys.live).get("/api/workspaces", 200)).body).toMatchObject([
      { id: defaults.workspaceId },
    ]);
    const client = await superuser(dataDir);
    expect((await client.query(`select distinct name from tenant order by name`)).rows).toEqual([
      { name: "Alone Ltd" },
      { name: "Demo" },
    ]);
    expect((await client.query("select count(*)::int as sides from tenant")).rows).toEqual([{ sides: 4 }]);
    await client.end();
  });
});
