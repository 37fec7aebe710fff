import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { SessionVerifier } from "../../src/auth/sessions/session.verifier.js";
import { ask } from "../server/security/http.js";
import { PASSWORD, type TestApp, type TestTenant } from "../support/app.js";
import { concurrently, on, SOON_MS, startTwo, type TwoNodes } from "./support.js";

let nodes: TwoNodes;
let tenant: TestTenant;
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
});
afterAll(() => nodes.close());

interface SignedIn {
  status: number;
  cookie: string;
  token: string;
}
async function send(node: TestApp, path: string, headers: Record<string, string>, body?: object): Promise<SignedIn> {
  const answer = await ask(node.baseUrl, {
    method: "POST",
    path,
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    body: body ? JSON.stringify(body) : "",
  });
  const { accessToken } = JSON.parse(answer.text) as { accessToken: string };
  const cookie = answer.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  return { status: Number(answer.status), cookie, token: accessToken };
}
const login = (): Promise<SignedIn> =>
  send(nodes.a, "/api/auth/login", {}, { email: tenant.ownerEmail, password: PASSWORD });
const refresh = (cookie: string, node = nodes.a): Promise<SignedIn> => send(node, "/api/auth/refresh", { cookie });

test("tabs that refresh at once on two processes get one and the same next token, and all go on", async () => {
  for (let round = 0; round < 5; round++) {
    const { cookie } = await login();
    const tabs = await concurrently(6, (tab) => refresh(cookie, tab % 2 ? nodes.a : nodes.b));
    expect(tabs.map(({ status }) => status)).toEqual(tabs.map(() => 200));
    expect(new Set(tabs.map((tab) => tab.cookie)).size).toBe(1);
    for (const tab of tabs) await nodes.b.client(tab.token).get("/api/me", 200);
    expect((await refresh(tabs[0]!.cookie)).status).toBe(200);
  }
});

test("a stolen token that is used after the member's next one ends the session, on both processes, whoever is first", async () => {
  const stolen = await login();
  const next = await refresh(stolen.cookie);
  await nodes.b.client(next.token).get("/api/me", 200);
  await nodes.b.app.get(SessionVerifier).noteSeen();
  await nodes.a.db.query("update member_session set rotated_at = now() - interval '61 seconds'");
  expect((await refresh(stolen.cookie)).status).toBe(401);
  for (const node of [nodes.a, nodes.b])
    await vi.waitFor(async () => expect((await node.client(next.token).get("/api/me")).status).toBe(401), {
      timeout: SOON_MS,
    });
  expect((await refresh(next.cookie)).status).toBe(401);
});

test("a renewed sign-in counts at once on the process that renewed it, and within a second on the others", async () => {
  const owner = await tenant.owner();
  const onB = on(nodes.b, owner);
  const rename = { name: "Renamed" };
  await nodes.a.db.query("update member_session set authenticated_at = now() - interval '1 hour'");
  await owner.patch("/api/tenant", rename, 403);
  await onB.patch("/api/tenant", rename, 403);
  await owner.post("/api/auth/reauthenticate", { password: PASSWORD }, 200);
  await owner.patch("/api/tenant", rename, 200);
  await vi.waitFor(async () => expect((await onB.patch("/api/tenant", rename)).status).toBe(200), { timeout: SOON_MS });
});
