import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { OutboxWorker } from "../../../src/platform/outbox/outbox.worker.js";
import { keyFor, PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { ask } from "./http.js";
import { eventually } from "../../support/eventually.js";

let app: TestApp;
let tenant: TestTenant;
let output: string;
let spies: { mockRestore(): void }[];
beforeAll(async () => {
  output = "";
  // Everything that the process writes, from any source, at the most verbose level.
  spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, "write").mockImplementation((chunk: string | Uint8Array) => {
      output += Buffer.from(chunk as Uint8Array).toString();
      return true;
    }),
  );
  app = await startApp({ LOG_LEVEL: "debug", SMTP_URL: "smtp://127.0.0.1:9" });
  tenant = await app.tenant();
});
afterAll(async () => {
  await app.close();
  for (const spy of spies) spy.mockRestore();
});

/** Values that must not be in a log, by their kind; filled while the tests run. */
const secrets: Record<string, string> = { "a password": PASSWORD };
const leaked = (): string[] =>
  Object.entries(secrets)
    .filter(([, text]) => output.includes(text))
    .map(([what]) => what);
const lines = (): Record<string, unknown>[] =>
  output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("the log", () => {
  test("contains no key, token, password, email, name, body or cookie, after successes, refusals and errors", async () => {
    const marked = (what: string): string => (secrets[what] = `${what.replaceAll(" ", "-")}-${randomUUID()}`);
    const login = await tenant.live
      .as(undefined)
      .post<{ accessToken: string }>("/api/auth/login", { email: tenant.ownerEmail, password: PASSWORD }, 200);
    const owner = app.client(login.body.accessToken);
    Object.assign(secrets, {
      "an owner's email": tenant.ownerEmail,
      "an access token": owner.token!,
      "its signature": owner.token!.split(".")[2]!,
      "a refresh token": /parley_refresh=([^;]+)/.exec(login.headers.get("set-cookie")!)![1]!,
    });
    const key = await keyFor(owner);
    Object.assign(secrets, {
      "an API key": key.key,
      "the random part of a key": key.key.slice(-20),
      "the first key": tenant.live.token!,
    });

    await key.post(
      "/api/contacts",
      {
        name: marked("a name"),
        emails: [`${marked("an email")}@example.com`],
        phones: ["+4930901820"],
        attributes: { note: marked("an attribute") },
      },
      201,
      { headers: { "idempotency-key": marked("a retry key") } },
    );
    secrets["a phone number"] = "4930901820";
    const started = await key.post(
      "/api/conversations",
      { workspaceId: tenant.defaults.workspaceId, contact: { name: "Ada" }, message: { body: marked("a message") } },
      201,
    );
    await key.post(`/api/conversations/${started.body.id}/reply`, { body: marked("a reply") }, 200);
    await owner.post(
      "/api/members",
      { email: `${marked("an invited email")}@example.com`, name: marked("an invited name"), role: "agent" },
      201,
    );

    const onTest = await tenant.owner("test");
    const called = await tenant.test.post(
      "/api/conversations",
      { workspaceId: tenant.testDefaults.workspaceId, contact: { emails: ["ada@example.com"] } },
      201,
    );
    await tenant.test.post(`/api/conversations/${called.body.id}/verification/magic-links`, { channel: "email" }, 200);
    const magic = /verifications\/([\w-]+)/.exec(
      (await onTest.get("/api/captured-messages", 200)).body.data[0]!.body,
    )![1]!;
    const { codeId } = (
      await tenant.test.post(`/api/conversations/${called.body.id}/verification/codes`, { channel: "email" }, 200)
    ).body;
    const code = /^\d{6}$/m.exec((await onTest.get("/api/captured-messages", 200)).body.data[0]!.body)![0];
    for (let n = 0; n < 2; n++)
      await tenant.test.post(`/api/conversations/${called.body.id}/verification/codes/verify`, { codeId, code });
    Object.assign(secrets, { "a one-time code": `"${code}` });
    Object.assign(secrets, { "a magic link": magic, "the secret of a magic link": magic.slice(-40) });
    for (const method of ["GET", "HEAD", "POST", "POST", "PUT"])
      await ask(app.baseUrl, { method, path: `/api/public/verifications/${magic}?x=${magic}` });
    await ask(app.baseUrl, {
      method: "POST",
      path: `/api/public/verifications/${magic}`,
      headers: { "content-type": "text/plain" },
      body: "x",
    });

    const raw = (path: string, headers: Record<string, string>, body?: string) =>
      ask(app.baseUrl, { method: body === undefined ? "GET" : "POST", path, headers, body });
    const json = { authorization: `Bearer ${key.key}`, "content-type": "application/json" };
    await raw(
      "/api/auth/login",
      json,
      JSON.stringify({ email: `${marked("an unknown email")}@example.com`, password: marked("a wrong password") }),
    );
    await raw(
      "/api/auth/password",
      json,
      JSON.stringify({ token: marked("an invitation"), password: marked("a new password") }),
    );
    await raw("/api/auth/refresh", { cookie: `parley_refresh=${marked("a cookie")}` }, "");
    await raw("/api/contacts", json, `{"name":"${marked("a broken body")}`);
    await raw("/api/contacts", json, JSON.stringify({ [marked("an unknown field")]: 1 }));
    await raw("/api/contacts", { authorization: `Bearer ${marked("a bad token")}` });
    await raw(`/api/contacts?externalId=${marked("a query")}&access_token=${marked("a token in a query")}`, json);
    await raw(`/api/contacts/${marked("an id")}`, json);
    await raw(`/${marked("a path")}`, {
      "user-agent": marked("a user agent"),
      referer: `https://${marked("a referrer")}.example`,
    });
    await raw(
      "/api/webhooks/auth-provider",
      { "content-type": "application/json", "webhook-signature": marked("a signature") },
      "{}",
    );

    // No mail server is running: the invitation stays, and the failure is logged.
    await app.app.get(OutboxWorker).tick();

    // An internal error is logged with its cause, which must not quote the data involved.
    await app.db.query(`alter table contact add constraint refused check (name not like 'refused%')`);
    const refused = await raw(
      "/api/contacts",
      json,
      JSON.stringify({
        name: `refused ${marked("a refused name")}`,
        emails: [`${marked("a refused email")}@example.com`],
      }),
    );
    expect(refused.status).toBe(500);

    expect(lines().some(({ message }) => /refused/.test(String(message)))).toBe(true);
    expect(lines().some(({ message }) => /postponed/.test(String(message)))).toBe(true);
    expect(leaked()).toEqual([]);
  });

  test("has one line for each request, with exactly these fields, which identify the response", async () => {
    const { headers } = await ask(app.baseUrl, {
      path: `/api/conversations/01890000-0000-7000-8000-000000000000?x=1`,
      headers: { authorization: `Bearer ${tenant.live.token}`, "x-request-id": "find-me" },
    });
    expect(headers["x-request-id"]).toBe("find-me");
    await eventually(() => expect(output).toContain("find-me"));
    const line = lines().find(({ message }) => String(message).includes("find-me"))!;
    expect(JSON.parse(String(line.message))).toEqual({
      id: "find-me",
      method: "GET",
      route: "/api/conversations/:id",
      status: expect.any(Number),
      ms: expect.any(Number),
    });
  });

  test("would show the secrets of these tests if they were written", () => {
    process.stdout.write(`{"message":"${secrets["an API key"]}"}\n`);
    expect(leaked()).toContain("an API key");
  });
});
