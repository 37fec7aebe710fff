import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newWorkspace } from "../server/e2e/support.js";
import { controlOf, type TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import { ask, newForm, newSearch, send } from "../server/widgets/support.js";
import { concurrently, on, startTwo, tally, type TwoNodes } from "./support.js";

let nodes: TwoNodes;
let tenant: TestTenant;
let owner: Client;
let workspaceId: string;
beforeAll(async () => {
  nodes = await startTwo({ TRUSTED_PROXIES: ["127.0.0.1"] });
  tenant = await nodes.a.tenant();
  owner = await tenant.owner();
  ({ workspaceId } = tenant.defaults);
});
afterAll(() => nodes.close());

const node = (n: number) => (n % 2 ? nodes.b : nodes.a);
const visitor = (n: number): Client => node(n).client();
const count = async (of = workspaceId): Promise<number> =>
  (await tenant.live.get(`/api/conversations?workspaceId=${of}&limit=100`, 200)).body.data.length;

test("one address can send ten messages in ten minutes through one form, concurrently on two nodes; the rest get Retry-After", async () => {
  const { id } = await newWorkspace(owner, tenant.defaults.brandId);
  const form = await newForm(owner, id);
  const answers = await concurrently(16, (n) =>
    send(visitor(n), form, { email: `${randomUUID()}@example.com` }, { ip: "203.0.113.7" }),
  );
  expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 10, 429: 6 });
  expect(await count(id)).toBe(10);
  for (const { status, headers, body } of answers) {
    if (status !== 429) continue;
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(500);
    expect(body.error).toBe("Too many messages: try again in 10 minutes");
  }
  expect((await send(visitor(0), form, {}, { ip: "203.0.113.8" })).status, "another address").toBe(201);
  expect((await send(visitor(0), await newForm(owner, id), {}, { ip: "203.0.113.7" })).status, "another form").toBe(
    201,
  );
});

test("strangers cannot use up a form: above 200 messages in ten minutes, all are accepted and labelled", async () => {
  const { id } = await newWorkspace(owner, tenant.defaults.brandId);
  const form = await newForm(owner, id);
  // All but the last few messages.
  await controlOf(nodes.a.db).query(
    `insert into rate_window (client, started_at, granted, last_grant) values ($1, clock_timestamp(), 195, 1)`,
    [`form ${form.id}`],
  );
  const answers = await concurrently(12, (n) =>
    send(visitor(n), form, { email: `${randomUUID()}@example.com` }, { ip: `198.51.100.${n}` }),
  );
  expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 12 });
  const { data } = (await tenant.live.get(`/api/conversations?workspaceId=${id}&limit=100`, 200)).body;
  const signs = data.map(({ metadata }) => (metadata.contactForm as { suspicions: string[] }).suspicions);
  expect(tally(signs.map((found) => String(found.includes("flood"))))).toEqual({ false: 5, true: 7 });
  expect(data.every(({ status, labels }) => status === "open" && labels[0] === "suspected-spam")).toBe(true);
});

test("a stranger who is refused keeps nobody else from writing, even under the same email address", async () => {
  const { id } = await newWorkspace(owner, tenant.defaults.brandId);
  const form = await newForm(owner, id);
  const email = `${randomUUID()}@example.com`;
  const stranger = await concurrently(14, (n) => send(visitor(n), form, { email }, { ip: "2001:db8:0:7::" + n }));
  expect(tally(stranger.map(({ status }) => status))).toEqual({ 201: 10, 429: 4 });
  expect((await send(visitor(0), form, { email }, { ip: "2001:db8:0:8::1" })).status).toBe(201);
});

test("one submission sent twelve times concurrently on two nodes creates one conversation", async () => {
  const { id } = await newWorkspace(owner, tenant.defaults.brandId);
  const form = await newForm(owner, id);
  const answers = await concurrently(12, (n) =>
    send(visitor(n), form, { submissionId: "once" }, { ip: `192.0.2.${n}` }),
  );
  expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 12 });
  expect(await count(id)).toBe(1);
});

test("one submission sent twelve times concurrently under twelve addresses creates one conversation, labelled like any other", async () => {
  const { id } = await newWorkspace(owner, tenant.defaults.brandId);
  const form = await newForm(owner, id);
  const answers = await concurrently(12, (n) =>
    send(visitor(n), form, { submissionId: "once", email: `${randomUUID()}@example.com` }, { ip: `192.0.2.${n}` }),
  );
  expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 12 });
  const { data } = (await tenant.live.get(`/api/conversations?workspaceId=${id}`, 200)).body;
  expect(data.map(({ labels }) => labels)).toEqual([["suspected-spam"]]);
});

test("six forms created concurrently share one channel", async () => {
  const { id } = await newWorkspace(owner, tenant.defaults.brandId);
  await concurrently(6, (n) => newForm(on(node(n), owner), id));
  const { body } = await owner.get(`/api/workspaces/${id}/channels`, 200);
  expect(body.filter(({ type }) => type === "contact_form")).toHaveLength(1);
});

test("one address can search sixty times a minute, on two nodes", async () => {
  const search = await newSearch(owner, workspaceId);
  const answers = await concurrently(66, (n) => ask(visitor(n), search, "parcel", { ip: "203.0.113.9" }));
  expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 60, 429: 6 });
  expect((await ask(visitor(0), search, "parcel", { ip: "203.0.113.10" })).status).toBe(200);
  // All addresses together have used up the searches by meaning.
  await controlOf(nodes.a.db).query(`update rate_window set granted = 1200, last_grant = 1 where client = $1`, [
    `kb ${search.id}`,
  ]);
  expect((await ask(visitor(2), search, "parcel", { ip: "203.0.113.11" })).status).toBe(200);
});
