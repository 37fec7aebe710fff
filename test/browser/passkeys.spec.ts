import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { complete, type Person, person, withPassword } from "../server/auth/second-factor-support.js";
import { CHROMIUM, closePages, openBrowser, WITHOUT_BROWSER } from "../support/browser.js";
import { startApp, type TestApp } from "../support/app.js";
import type { Client } from "../support/client.js";
import { allowTimeForProcesses } from "../server/process/support.js";

allowTimeForProcesses();

describe.skipIf(!CHROMIUM)(`passkeys in Chromium${WITHOUT_BROWSER}`, () => {
  let dashboard: http.Server;
  let app: TestApp;
  let owner: Client;
  let browser: Browser;
  let page: Page;
  let authenticator: CDPSession;
  beforeAll(async () => {
    dashboard = http.createServer((_, response) =>
      response.setHeader("content-type", "text/html").end("<p>Dashboard</p>"),
    );
    await new Promise<void>((resolve) => dashboard.listen(0, "localhost", resolve));
    const origin = `http://localhost:${(dashboard.address() as AddressInfo).port}`;
    app = await startApp({ PUBLIC_URL: origin });
    owner = await (await app.tenant()).owner();
    browser = await openBrowser();
    page = await browser.newPage();
    await page.goto(origin);
    authenticator = await page.context().newCDPSession(page);
    await authenticator.send("WebAuthn.enable");
    await authenticator.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  });
  afterAll(async () => {
    await closePages();
    await app?.close();
    dashboard?.close();
  });

  // As text, because these run in the page.
  const create = (options: object): Promise<object> =>
    page.evaluate(`(async () => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)});
      return (await navigator.credentials.create({ publicKey })).toJSON();
    })()`);
  const sign = (options: object): Promise<object> =>
    page.evaluate(`(async () => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(options)});
      return (await navigator.credentials.get({ publicKey })).toJSON();
    })()`);
  const begin = async (client: Client) =>
    (await client.post("/api/me/second-factors", { type: "passkey", name: "Laptop" }, 201)).body;
  async function withPasskey(): Promise<Person> {
    const member = await person(owner);
    const { id, passkeyOptions } = await begin(member.client);
    await member.client.post(`/api/me/second-factors/${id}/confirm`, { passkey: await create(passkeyOptions!) }, 200);
    return member;
  }

  test("a passkey is added and completes a sign-in", async () => {
    const { email, client } = await withPasskey();
    expect((await client.get("/api/me/second-factors", 200)).body.factors).toMatchObject([
      { type: "passkey", name: "Laptop", lastUsedAt: null },
    ]);
    const { token, methods, passkeyOptions } = await withPassword(app, email);
    expect(methods).toEqual(["passkey"]);
    const answer = await complete(app, token, { passkey: await sign(passkeyOptions!) });
    expect(answer.status).toBe(200);
    await app.client(answer.body.accessToken).get("/api/me", 200);
    expect((await client.get("/api/me/second-factors", 200)).body.factors[0]!.lastUsedAt).not.toBeNull();
  });

  test("an answer works once: it is bound to its sign-in", async () => {
    const { email } = await withPasskey();
    const [first, second] = [await withPassword(app, email), await withPassword(app, email)];
    const passkey = await sign(first.passkeyOptions!);
    expect((await complete(app, second.token, { passkey })).status).toBe(401);
    expect((await complete(app, first.token, { passkey })).status).toBe(200);
    expect((await complete(app, first.token, { passkey })).status).toBe(401);
  });

  test("a copy of a passkey is noticed by its counter", async () => {
    const { id, email } = await withPasskey();
    await app.db.query("update second_factor set counter = 1000 where member_id = $1", [id]);
    const { token, passkeyOptions } = await withPassword(app, email);
    expect((await complete(app, token, { passkey: await sign(passkeyOptions!) })).status).toBe(401);
  });

  test("another member's passkey completes nothing", async () => {
    const [ada, eve] = [await withPasskey(), await withPasskey()];
    const [adas, eves] = [await withPassword(app, ada.email), await withPassword(app, eve.email)];
    const challenge = (adas.passkeyOptions as { challenge: string }).challenge;
    const passkey = await sign({ ...eves.passkeyOptions, challenge });
    expect((await complete(app, adas.token, { passkey })).status).toBe(401);
  });

  test("a passkey that was made at another origin is refused, and its challenge is used up", async () => {
    const { client } = await person(owner);
    const { id, passkeyOptions } = await begin(client);
    const passkey = (await create(passkeyOptions!)) as { response: { clientDataJSON: string } };
    const data = JSON.parse(Buffer.from(passkey.response.clientDataJSON, "base64url").toString()) as object;
    const elsewhere = Buffer.from(JSON.stringify({ ...data, origin: "http://localhost:1" })).toString("base64url");
    const forged = { ...passkey, response: { ...passkey.response, clientDataJSON: elsewhere } };
    await client.post(`/api/me/second-factors/${id}/confirm`, { passkey: forged }, 400);
    await client.post(`/api/me/second-factors/${id}/confirm`, { passkey }, 400);
    expect((await client.get("/api/me/second-factors", 200)).body.factors).toEqual([]);
  });
});
