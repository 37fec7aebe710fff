import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { system } from "../../src/platform/caller/caller.js";
import { OutboxService } from "../../src/platform/outbox/outbox.service.js";
import { AUTH_WEBHOOK_SECRET, PASSWORD } from "../support/app.js";
import { concurrently, rowCounts, startTwo, tablesWith, tally, type TwoNodes } from "./support.js";

let nodes: TwoNodes;
beforeAll(async () => {
  nodes = await startTwo();
});
afterAll(() => nodes.close());

const PATH = "/api/webhooks/auth-provider";
interface Delivery {
  body: string;
  headers: Record<string, string>;
}

function created(id = `org_${randomUUID()}`, more: object = {}): object {
  return {
    type: "organization.created",
    timestamp: new Date().toISOString(),
    data: { id, name: "Example Ltd", owner: { email: `${randomUUID()}@example.com`, name: "Grace Hopper" }, ...more },
  };
}
function signed(event: object, { at = new Date(), secret = AUTH_WEBHOOK_SECRET } = {}): Delivery {
  const body = JSON.stringify(event);
  const id = `msg_${randomUUID()}`;
  return {
    body,
    headers: {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(secret).sign(id, at, body),
    },
  };
}
const deliver = ({ body, headers }: Delivery, node = nodes.a) => node.client().post(PATH, body, undefined, { headers });
const emailOf = (event: object): string => (event as { data: { owner: { email: string } } }).data.owner.email;

/** The owner's invitation, as the operator of the server reads it. */
async function invitation(tenantId: string): Promise<{ to: string; body: string; token: string }> {
  const {
    data: [mail],
  } = (await nodes.a.app.get(OutboxService).contents(system("test", tenantId, "live"), "queued", {})).parse();
  return { to: mail!.to, body: mail!.body, token: /#([\w-]+)/.exec(mail!.body)![1]! };
}

describe("organization.created", () => {
  test("delivered twenty times concurrently on two nodes creates one tenant, and every delivery gets the same response", async () => {
    const event = created();
    const before = await rowCounts(nodes.a.db);
    const answers = await concurrently(20, (n) => deliver(signed(event), n % 2 ? nodes.a : nodes.b));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 20 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const after = await rowCounts(nodes.a.db);
    const made = Object.fromEntries(
      Object.keys(after)
        .map((table) => [table, after[table]! - before[table]!])
        .filter(([, count]) => count),
    );
    expect(made).toEqual({
      tenant: 2,
      brand: 2,
      workspace: 2,
      channel: 4,
      member: 1,
      member_email: 1,
      security_event: 1,
      agent: 6,
      agent_instructions: 6,
      outbox_message: 1,
      outbox_queue: 1,
      audit_entry: 17,
      resource_change: 16,
    });

    const { tenantId } = answers[0]!.body;
    const sides = await nodes.a.db.query(
      `select t.environment, t.name, array(select c.type from channel c where c.tenant_id = t.id order by c.type) as channels
      from tenant t where t.organisation_id = $1 order by t.environment`,
      [tenantId],
    );
    expect(sides).toEqual(
      ["live", "test"].map((environment) => ({ environment, name: "Example Ltd", channels: ["api", "webchat"] })),
    );
    expect((await deliver(signed(event))).text).toBe(answers[0]!.text);
    expect((await deliver(signed(created()))).body.tenantId).not.toBe(tenantId);
  });

  test("invites the owner with a sealed mail, whose token is in no table in clear and sets a password once", async () => {
    const event = created();
    const { tenantId } = (await deliver(signed(event))).body;
    const { to, body, token } = await invitation(tenantId!);
    expect(to).toBe(emailOf(event));
    expect(body).toContain("Hello Grace Hopper");
    // The search works: it finds the email where it is expected.
    expect(await tablesWith(nodes.a.db, to)).toEqual({ member: 1, member_email: 1 });
    expect(await tablesWith(nodes.a.db, token)).toEqual({});

    await nodes.a.client().post("/api/auth/password", { token: `${token.slice(0, -4)}AAAA`, password: PASSWORD }, 401);
    const used = await concurrently(10, (n) =>
      [nodes.a, nodes.b][n % 2]!.client().post("/api/auth/password", { token, password: `${PASSWORD} ${n}` }),
    );
    expect(tally(used.map(({ status }) => status))).toEqual({ 200: 1, 401: 9 });
    const password = `${PASSWORD} ${used.findIndex(({ status }) => status === 200)}`;
    for (const side of ["live", "test"] as const) {
      const owner = await nodes.b.client().login(to, password, side);
      expect((await owner.get("/api/me", 200)).body).toMatchObject({ role: "owner", environment: side });
      expect((await owner.get("/api/workspaces", 200)).body).toHaveLength(1);
    }
    await nodes.a.client().post("/api/auth/password", { token, password: PASSWORD }, 401);
  });

  test("may contain unknown fields", async () => {
    const event = { ...created(undefined, { slug: "example", plan: { name: "pro" } }), apiVersion: 7 };
    expect((await deliver(signed(event))).body).toEqual({ ok: true, tenantId: expect.any(String) });
  });
});

describe("a webhook without effect", () => {
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);
  const without = ({ body, headers }: Delivery, name: string): Delivery => ({
    body,
    headers: Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name)),
  });
  const stamped = ({ body, headers }: Delivery, at: Date): Delivery => ({
    body,
    headers: { ...headers, "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)) },
  });
  const event = created();
  const good = () => signed(event);

  test.each<[string, () => Delivery]>([
    [
      "another secret",
      () => signed(event, { secret: `whsec_${Buffer.from("another secret of the same length").toString("base64")}` }),
    ],
    ["an older stamp than 5 minutes", () => signed(event, { at: ago(302) })],
    ["a stamp more than 5 minutes ahead", () => signed(event, { at: ago(-310) })],
    ["an old delivery under a new stamp", () => stamped(signed(event, { at: ago(400) }), new Date())],
    ["a changed body", () => ({ ...good(), body: JSON.stringify({ ...event, type: "organization.created " }) })],
    ["another organisation under the same signature", () => ({ ...good(), body: JSON.stringify(created()) })],
    ["another id", () => ({ ...good(), headers: { ...good().headers, "webhook-id": "msg_other" } })],
    ["no signature", () => without(good(), "webhook-signature")],
    ["no id", () => without(good(), "webhook-id")],
    ["no stamp", () => without(good(), "webhook-timestamp")],
    ["a stamp that is no number", () => ({ ...good(), headers: { ...good().headers, "webhook-timestamp": "now" } })],
    [
      "a signature of no known version",
      () => ({
        ...good(),
        headers: { ...good().headers, "webhook-signature": good().headers["webhook-signature"]!.replace("v1,", "v0,") },
      }),
    ],
    [
      "an ignored type without a signature",
      () => without(signed({ ...event, type: "user.created" }), "webhook-signature"),
    ],
  ])("returns 401 to %s", async (_, delivery) => {
    const before = await rowCounts(nodes.a.db);
    const answer = await deliver(delivery());
    expect([answer.status, answer.body]).toEqual([401, { error: "Unauthorized" }]);
    expect(await rowCounts(nodes.a.db)).toEqual(before);
  });

  test("returns 200 to other event types, whatever they contain", async () => {
    const before = await rowCounts(nodes.a.db);
    for (const type of ["organization.updated", "user.created"]) {
      expect((await deliver(signed({ ...event, type }))).body).toEqual({ ok: true });
      expect((await deliver(signed({ type, data: "anything" }))).body).toEqual({ ok: true });
    }
    expect(await rowCounts(nodes.a.db)).toEqual(before);
  });

  test("returns 400 to a signed organization.created without its required fields", async () => {
    const before = await rowCounts(nodes.a.db);
    for (const data of [{}, { id: "" }, { owner: { email: "nobody", name: "N" } }, { name: null }, { owner: [] }]) {
      expect(
        (
          await deliver(
            signed({
              ...event,
              data: Object.keys(data).length ? { ...(event as { data: object }).data, ...data } : {},
            }),
          )
        ).status,
      ).toBe(400);
    }
    expect(await rowCounts(nodes.a.db)).toEqual(before);
  });
});
