import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCOPES } from "../../../src/platform/caller/scope.js";
import { OutboxService } from "../../../src/platform/outbox/outbox.service.js";
import { aTime, start, walk } from "../e2e/support.js";
import { fileForm } from "../../support/client.js";
import { SECRET_KEY, startApp, type TestApp } from "../../support/app.js";
import {
  allowTimeForProcesses,
  cleanUp,
  emptyDatabase,
  type EmptyDatabase,
  newFolder,
  type Outcome,
  parley,
  parleyHere,
  type PrintedTenant,
  ROOT,
} from "./support.js";
import { connect } from "../../support/database.js";

allowTimeForProcesses();

// Runs the commands on an external database that a server uses at the same time. What they do and print does not depend on the
// process, so most run in this one.

let empty: EmptyDatabase;
let app: TestApp;
let run: (...args: string[]) => Promise<Outcome>;
beforeAll(async () => {
  // The commands know one server.
  app = await startApp({ DATABASE_SERVERS: [] });
  empty = await emptyDatabase();
  run = (...args) => parleyHere(args, { DATABASE_URL: app.db.url, SECRET_KEY });
});
afterAll(async () => {
  await cleanUp();
  await app.close();
  await empty.drop();
});

const GB = 1_073_741_824;
const aUuid = expect.stringMatching(/^[\da-f-]{36}$/);
const oneLine = (outcome: Outcome, says: RegExp) => {
  expect(outcome).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/^parley: [^\n]+\n$/) });
  expect(outcome.stderr).toMatch(says);
};

describe("tenant create", () => {
  let outcome: Outcome;
  let made: PrintedTenant;
  beforeAll(async () => {
    outcome = await run(
      "tenant",
      "create",
      "--name",
      ' Example "Ltd" ',
      "--owner-email",
      "Grace@Example.com",
      "--owner-name",
      "Grace Hopper",
      "--json",
    );
    made = JSON.parse(outcome.stdout) as PrintedTenant;
  });

  test("prints exactly one JSON object with the described fields", () => {
    const { code, stdout, stderr } = outcome;
    expect({ code, stderr, lines: stdout.split("\n").length }).toEqual({ code: 0, stderr: "", lines: 2 });
    const defaults = { brandId: aUuid, workspaceId: aUuid };
    expect(made).toEqual({
      tenantId: aUuid,
      testTenantId: aUuid,
      owner: { email: "grace@example.com", password: expect.stringMatching(/^\S{16,}$/) },
      apiKeys: { live: expect.stringMatching(/^svc_live_v1_\w+$/), test: expect.stringMatching(/^svc_test_v1_\w+$/) },
      defaults,
      testDefaults: defaults,
    });
    const ids = [
      made.tenantId,
      made.testTenantId,
      ...Object.values(made.defaults),
      ...Object.values(made.testDefaults),
    ];
    expect(new Set(ids).size).toBe(6);
  });

  test("creates a key for each side, with all scopes for the whole organisation, and that side's defaults", async () => {
    for (const [environment, tenantId, { brandId, workspaceId }] of [
      ["live", made.tenantId, made.defaults],
      ["test", made.testTenantId, made.testDefaults],
    ] as const) {
      const client = app.client(made.apiKeys[environment]);
      expect((await client.get("/api/me", 200)).body).toMatchObject({
        kind: "apiKey",
        tenantId,
        environment,
        scopes: [...SCOPES],
        reach: { level: "tenant" },
      });
      expect((await client.get("/api/workspaces", 200)).body).toEqual([
        {
          id: workspaceId,
          name: "Support",
          status: "active",
          brandId,
          brandName: 'Example "Ltd"',
          primaryLanguage: "en",
          logoUrl: null,
        },
      ]);
    }
  });

  test("sets a password with which the owner can sign in on both sides", async () => {
    for (const environment of ["live", "test"] as const) {
      const owner = await app.client().login(made.owner.email, made.owner.password, environment);
      expect((await owner.get("/api/me", 200)).body).toMatchObject({
        kind: "member",
        name: "Grace Hopper",
        role: "owner",
        environment,
      });
    }
  });
});

describe("the commands", () => {
  test("tenant create refuses an owner's email that is taken, in one line, and stores nothing", async () => {
    oneLine(
      await run("tenant", "create", "--name", "Again Ltd", "--owner-email", "grace@example.com", "--json"),
      /email exists already/,
    );
    expect(await app.db.query(`select from tenant where name = 'Again Ltd'`)).toEqual([]);
  });

  test("tenant create prints the same data as text without --json", async () => {
    const { code, stdout } = await run("tenant", "create", "--name", "Words Ltd", "--owner-email", "words@example.com");
    expect(code).toBe(0);
    const key = /svc_live_v1_\w+/.exec(stdout)![0];
    expect((await app.client(key).get("/api/brands", 200)).body).toMatchObject([{ name: "Words Ltd" }]);
    await app.client().login("words@example.com", /password (\S+)/.exec(stdout)![1]!);
  });

  test("tenant quota sets the quota of one side, by id or name, and takes it away again", async () => {
    const tenant = await app.tenant("Quota Ltd");
    const owners = [await tenant.owner(), await tenant.owner("test")] as const;
    const quotas = () =>
      Promise.all(owners.map(async (owner) => (await owner.get("/api/tenant", 200)).body.attachmentQuotaBytes));
    expect(await run("tenant", "quota", "Quota Ltd", "--gb", "50")).toMatchObject({
      code: 0,
      stdout: `The attachments of Quota Ltd (live side, ${tenant.tenantId}) may take up 50 GB. They take up 0 GB.\n`,
      stderr: "",
    });
    expect(await quotas()).toEqual([50 * GB, 10 * GB]);
    expect(await run("tenant", "quota", tenant.testTenantId, "--gb", "0")).toMatchObject({ code: 0, stderr: "" });
    expect(await quotas()).toEqual([50 * GB, 0]);
    await app.client(tenant.test.token).post("/api/attachments", fileForm("Hello", "a.txt", "text/plain"), 413);
    expect(await run("tenant", "quota", tenant.tenantId, "--default")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("may take up 10 GB."),
    });
    expect(await quotas()).toEqual([10 * GB, 0]);
  });

  test("tenant quota refuses an unknown or ambiguous tenant and other figures, in one line", async () => {
    const { tenantId } = await app.tenant("Twin Ltd");
    await app.tenant("Twin Ltd");
    const quota = (...args: string[]) => run("tenant", "quota", ...args);
    oneLine(await quota("Nobody Ltd", "--gb", "5"), /no tenant "Nobody Ltd"/);
    oneLine(await quota("Twin Ltd", "--gb", "5"), /give the id/);
    oneLine(await quota("Twin", "Ltd", "--gb", "5"), /one tenant/);
    oneLine(await quota(tenantId, "--gb", "5", "--default"), /--gb or --default/);
    oneLine(await quota(tenantId, "--gb", "1.5"), /whole number/);
  });

  test("help lists the commands, and uses neither the database nor the folder", async () => {
    const dataDir = path.join(newFolder(), "data");
    const { code, stdout, stderr } = await parley(["--help"], { DATA_DIR: dataDir });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const command of [
      "tenant create",
      "tenant quota",
      "seed",
      "migrate",
      "sweep",
      "erasure verify",
      "mail",
      "openapi",
      "help",
    ])
      expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, "m"));
    expect(fs.existsSync(dataDir)).toBe(false);
  });

  test("an unknown command prints one line that points to help", async () => {
    oneLine(await run("tenant", "destroy"), /no command "tenant destroy".*help/);
  });

  test("migrate applies all migrations to an empty database", async () => {
    expect(await parleyHere(["migrate"], { DATABASE_URL: empty.url, SECRET_KEY })).toEqual({
      code: 0,
      signal: null,
      stdout: "The schema is up to date.\n",
      stderr: "",
    });
    const client = await connect(empty.url);
    expect((await client.query(`select to_regclass('identity_event') is not null as made`)).rows).toEqual([
      { made: true },
    ]);
    await client.end();
  });

  test("seed creates the demo tenant beside others, once, and its credentials work", async () => {
    const { code, stdout } = await run("seed");
    expect(code).toBe(0);
    const client = app.client(/svc_live_v1_\w+/.exec(stdout)![0]);
    expect(await walk(client, "/api/conversations")).toHaveLength(30);
    const [, email, password] = /Sign in as +(\S+) +password (\S+)/.exec(stdout)!;
    await app.client().login(email!, password!);
    const again = await run("seed");
    expect(again).toMatchObject({ code: 0, stdout: "The demo tenant is there already.\n" });
    expect(await walk(client, "/api/conversations")).toHaveLength(30);
  });

  test("sweep deletes expired identity events and the rows of deleted workspaces, and prints the counts; --dry-run only shows them", async () => {
    const {
      live,
      tenantId,
      defaults: { workspaceId, brandId },
    } = await app.tenant();
    const { id } = await start(live, workspaceId);
    await app.db.query(
      `insert into identity_event (tenant_id, id, workspace_id, conversation_id, event_type, scope_dimension, scope_values, transition_key, occurred_at)
      select $1, gen_random_uuid(), $2, $3, 'ani_blocked', 'caller_ani', '["+4930901820"]', months::text, now() - make_interval(months => months) from unnest(array[1, 23, 25, 30]) months`,
      [tenantId, workspaceId, id],
    );
    const { body: gone } = await live.post("/api/workspaces", { name: "Gone", brandId }, 201);
    await start(live, gone.id, { message: { body: "Hello" } });
    await live.delete(`/api/workspaces/${gone.id}`, 200);
    const due = await run("sweep", "--dry-run");
    expect({ code: due.code, due: JSON.parse(due.stdout) }).toEqual({
      code: 0,
      due: [{ tenantId, environment: "live", workspaceId, workspace: "Support", identityEvents: 2, oldest: aTime }],
    });
    const { code, stdout } = await run("sweep");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ identityEvents: 2 });
    expect((await live.get(`/api/conversations/${id}/identity-events`, 200)).body.events).toHaveLength(2);
    expect(
      await app.db.query(
        `select (select count(*)::int from workspace where id = $1) as workspaces, (select count(*)::int from conversation where workspace_id = $1) as conversations`,
        [gone.id],
      ),
    ).toEqual([{ workspaces: 0, conversations: 0 }]);
  });

  test("erasure verify accepts a valid certificate and rejects one with a changed byte, by message and exit code, without a database", async () => {
    const tenant = await app.tenant();
    const { contactId } = await start(tenant.live, tenant.defaults.workspaceId);
    const { text, body } = await tenant.live.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    const folder = newFolder();
    const file = (name: string, content: string): string => {
      fs.writeFileSync(path.join(folder, name), content);
      return path.join(folder, name);
    };
    const key = file("key.pem", (await (await tenant.owner()).get("/api/tenant", 200)).body.erasureKey);
    const otherKey = file("other.pem", (await (await tenant.owner("test")).get("/api/tenant", 200)).body.erasureKey);
    // Nothing listens on the database's port.
    const offline = { DATABASE_URL: "postgres://127.0.0.1:9/none" };
    const verify = (name: string, pem = key, runner = parleyHere) =>
      runner(["erasure", "verify", name, "--key", pem], offline);
    const [answer, certificate] = [
      file("answer.json", text),
      file("certificate.json", JSON.stringify(body.certificate)),
    ];
    for (const good of [answer, certificate])
      expect(await verify(good)).toMatchObject({ code: 0, stdout: "valid\n", stderr: "" });
    const changed = file(
      "changed.json",
      text.replace(`"certificate":`, `"certificate" :`).replace(/"version": ?1/, '"version":2'),
    );
    for (const [bad, pem] of [
      [changed, key],
      [answer, otherKey],
      [file("empty.json", ""), key],
      [file("null.json", "null"), key],
    ] as const) {
      expect(await verify(bad, pem), bad).toMatchObject({ code: 1, stdout: "invalid\n", stderr: "" });
    }
    oneLine(await verify(answer, answer), /PEM/);
    oneLine(await verify(path.join(folder, "absent.json")), /ENOENT/);
    oneLine(await parleyHere(["erasure", "verify", answer], offline), /--key/);
    oneLine(await parleyHere(["erasure", "verify", "--key", key], offline), /one file/);
    expect(await verify(changed, key, parley)).toMatchObject({ code: 1, stdout: "invalid\n", stderr: "" });
    const stdin = execFileSync(process.execPath, ["dist/src/cli/main.js", "erasure", "verify", "-", "--key", key], {
      cwd: ROOT,
      input: text,
      encoding: "utf8",
    });
    expect(stdin).toBe("valid\n");
    // The commands that the guide gives for verification without Parley.
    const shell = `jq -cSj '.certificate | del(.digest, .signature)' answer.json | openssl dgst -sha256 -binary > digest && jq -r .certificate.signature answer.json | base64 -d > signature
      openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in digest -sigfile signature`;
    if (spawnSync("sh", ["-c", "command -v jq && command -v openssl"]).status === 0)
      expect(execFileSync("sh", ["-c", shell], { cwd: folder, encoding: "utf8" })).toMatch(/Verified Successfully/);
  });

  test("mail lists the live side's invitations that wait because no mail server is configured", async () => {
    const owner = await (await app.tenant()).owner();
    await owner.post(
      "/api/members",
      { email: "invited@example.com", name: "Ivy", role: "agent", workspaceIds: [] },
      201,
    );
    const { code, stdout, stderr } = await run("mail");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("invited@example.com");
    const token = /#(\S+)/.exec(stdout)![1]!;
    await app.client().post("/api/auth/password", { token, password: "a password of my own" }, 200);
    await app.client().login("invited@example.com", "a password of my own");
  });

  test("mail lists all that waits, also more than fits into one page", async () => {
    const { tenantId } = await app.tenant();
    await app.transaction(tenantId, async (tx) => {
      for (let n = 1; n <= 101; n++)
        await app.app.get(OutboxService).mail(tx, { to: `n${n}@waits.example`, subject: "Wait", body: "Here" });
    });
    const { code, stdout } = await run("mail");
    expect(code).toBe(0);
    expect(stdout.match(/^To: n\d+@waits\.example$/gm)).toHaveLength(101);
  });

  test("openapi --check succeeds if openapi.json matches the code", async () => {
    expect(await parley(["openapi", "--check"], {})).toMatchObject({ code: 0, stderr: "" });
  });
});
