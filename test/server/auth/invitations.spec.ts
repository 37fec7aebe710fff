import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aTime, anId } from "../e2e/support.js";
import { tablesWith } from "../../races/support.js";
import { PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Answer, Client } from "../../support/client.js";

let app: TestApp;
let tenant: TestTenant;
/** The owner on the test side, where mail is captured. */
let owner: Client;
beforeAll(async () => {
  app = await startApp({ PUBLIC_URL: "https://parley.example.com" });
  tenant = await app.tenant();
  owner = await tenant.owner("test");
});
afterAll(() => app.close());

const captured = async (by = owner) => (await by.get("/api/captured-messages", 200)).body.data;

async function invite(body: object = {}): Promise<{ id: string; email: string; token: string; answer: Answer }> {
  const email = `${randomUUID()}@example.com`;
  const answer = await owner.post("/api/members", { email, name: "Grace", role: "agent", ...body }, 201);
  const mail = (await captured()).find(({ to }) => to === email)!;
  return { id: answer.body.id, email, token: /\/invitation#([\w-]+)/.exec(mail.body)![1]!, answer };
}
const accept = (token: string, password = PASSWORD) => app.client().post("/api/auth/password", { token, password });
const signIn = (email: string, password = PASSWORD) => app.client().post("/api/auth/login", { email, password });

describe("an invitation", () => {
  test("is captured on the test side, where owners and admins can read it, newest first", async () => {
    const first = await invite();
    const second = await invite({ name: "Ada" });
    const [newest, before] = await captured();
    expect(newest).toEqual({
      id: anId,
      channel: "email",
      to: second.email,
      subject: "Your invitation to Parley",
      body: expect.stringContaining(`https://parley.example.com/invitation#${second.token}`),
      html: null,
      createdAt: aTime,
    });
    expect(newest!.body).toMatch(/^Hello Ada,/);
    expect(before!.to).toBe(first.email);
    const { data, nextCursor } = (await owner.get("/api/captured-messages?limit=1", 200)).body;
    expect(data).toEqual([newest]);
    expect((await owner.get(`/api/captured-messages?limit=1&cursor=${nextCursor}`, 200)).body.data).toEqual([before]);
  });

  test("cannot invite an owner from the test side, where admins read the mail", async () => {
    const owners = { email: `${randomUUID()}@example.com`, name: "Second", role: "owner", workspaceIds: [] };
    expect(await owner.post("/api/members", owners)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("live side") },
    });
    const { id } = (await (await tenant.owner("live")).post("/api/members", owners, 201)).body;
    expect((await owner.post(`/api/members/${id}/invite`)).status).toBe(409);
    expect((await captured()).filter(({ to }) => to === owners.email)).toEqual([]);

    const agent = (
      await owner.post("/api/members", { ...owners, email: `${randomUUID()}@example.com`, role: "agent" }, 201)
    ).body;
    expect((await owner.patch(`/api/members/${agent.id}`, { role: "owner" })).status).toBe(409);
  });

  test("is hidden from everyone else: 404 on the live side, which sends it, 403 for other roles and keys, and nothing for other tenants", async () => {
    await invite();
    expect((await (await tenant.owner("live")).get("/api/captured-messages")).status).toBe(404);
    expect((await tenant.test.get("/api/captured-messages")).status).toBe(403);
    const { email } = (
      await owner.post(
        "/api/members",
        { email: `${randomUUID()}@example.com`, name: "Agent", role: "agent", password: PASSWORD },
        201,
      )
    ).body;
    expect((await (await app.client().login(email, PASSWORD, "test")).get("/api/captured-messages")).status).toBe(403);
    expect(await captured(await (await app.tenant()).owner("test"))).toEqual([]);
  });

  test("sets the password once: the member cannot sign in before, and the token is invalid afterwards", async () => {
    const { id, email, token, answer } = await invite();
    expect(answer.body).toMatchObject({ id, status: "invited" });
    expect((await signIn(email)).status).toBe(401);
    expect((await accept(token)).body).toEqual({ ok: true });
    expect((await signIn(email)).body).toMatchObject({ member: { id, status: "active" } });
    const again = await accept(token, "another password");
    expect([again.status, again.text]).toEqual([401, '{"error":"Unauthorized"}']);
    expect((await signIn(email, "another password")).status).toBe(401);
    expect((await signIn(email)).status).toBe(200);
  });

  test("sets one password if it is used many times concurrently", async () => {
    const { email, token } = await invite();
    const passwords = Array.from({ length: 8 }, (_, n) => `password number ${n}`);
    const statuses = (await Promise.all(passwords.map((password) => accept(token, password)))).map(
      ({ status }) => status,
    );
    expect([...statuses].sort()).toEqual([200, ...Array<number>(7).fill(401)]);
    expect((await signIn(email, passwords[statuses.indexOf(200)])).status).toBe(200);
  });

  test("is invalid after seven days, or when its member is removed", async () => {
    const [old, removed] = [await invite(), await invite()];
    const [row] = await app.db.query<{ days: number }>(
      "select extract(epoch from invitation_expires_at - now()) / 86400 as days from member where id = $1",
      [old.id],
    );
    expect(Number(row!.days)).toBeCloseTo(7, 1);
    await app.db.query(`update member set invitation_expires_at = now() - interval '1 second' where id = $1`, [old.id]);
    await owner.delete(`/api/members/${removed.id}`, 200);
    for (const { token, email } of [old, removed]) {
      expect((await accept(token)).status).toBe(401);
      expect((await signIn(email)).status).toBe(401);
    }
  });

  test("needs its own token and a password of 10 to 200 characters; a refused attempt does not use it up", async () => {
    const [mine, other] = [await invite(), await invite()];
    const { token } = mine;
    const forged = [
      token.slice(0, -1),
      `${token}A`,
      token.slice(0, 43) + other.token.slice(43),
      Buffer.alloc(64).toString("base64url"),
      tenant.live.token!,
      "x",
    ];
    for (const wrong of forged) expect([wrong, (await accept(wrong)).status]).toEqual([wrong, 401]);
    for (const password of ["", "nine char", "x".repeat(201)]) expect((await accept(token, password)).status).toBe(400);
    expect((await accept(token)).status).toBe(200);
  });

  test("is encrypted: neither its token nor its text is in the database, and only the captured mail contains the token", async () => {
    const { token, answer, id } = await invite({ name: "A name that is in the mail alone" });
    expect(answer.text).not.toContain(token);
    expect((await owner.get("/api/members", 200)).text).not.toContain(token);
    expect(await tablesWith(app.db, token)).toEqual({});
    expect(await tablesWith(app.db, "you are invited")).toEqual({});
    const [row] = await app.db.query<{ hash: string }>("select invitation_hash as hash from member where id = $1", [
      id,
    ]);
    expect(row!.hash).toMatch(/^[\da-f]{64}$/);
  });
});
