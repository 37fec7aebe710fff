import { createCipheriv, hkdfSync, randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CalendarCredentials } from "../../../src/calendar/providers/calendar-credentials.js";
import { ChannelCredentials } from "../../../src/channels/channel-credentials.js";
import { sealedUnder, Sealer } from "../../../src/platform/database/seal.js";
import { RotateKeysService, SEALED_COLUMNS } from "../../../src/maintenance/rotate-keys.service.js";
import { startApp, SECRET_KEY, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { walk } from "../e2e/support.js";

const NEW_KEY = "another secret for tests, of 32 characters";
/** The same installation before, during and after a change of its key. */
let before: TestApp;
let during: TestApp;
let tenant: TestTenant;
let owner: Client;
beforeAll(async () => {
  before = await startApp();
  during = await startApp({ SECRET_KEY: NEW_KEY, SECRET_KEYS_OLD: [SECRET_KEY] }, before.db);
  tenant = await before.tenant();
  owner = await tenant.owner();
});
afterAll(async () => {
  await during.close();
  await before.close();
});

const mailbox = (password: string) => ({
  type: "email",
  name: "Mailbox",
  address: "support@example.com",
  settings: { smtp: { host: "smtp.invalid", port: 465 } },
  credentials: { username: "u", password },
});
const rowsOf = ({ table, column }: (typeof SEALED_COLUMNS)[number]): Promise<{ sealed: Buffer }[]> =>
  before.db.query(`select ${column} as sealed from ${table} where length(${column}) > 0`);

test("every bytea column is either known to the key rotation or holds no secret", async () => {
  const HASHES = [
    "received_message.fingerprint",
    "eid_binding.person",
    "eid_request.person",
    "idempotency_key.body_hash",
    "idempotency_key.fingerprint",
    "outbox_message.recipient",
  ];
  const NUMBERS = [
    "kb_question.vector",
    ...["moments", "seconds", "channel", "member", "label", "resolution", "handled_by", "reason"].map(
      (column) => `report_day.${column}`,
    ),
  ];
  const PUBLIC = ["workspace_logo.bytes"];
  const columns = await before.db.query<{
    name: string;
  }>(`select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and a.atttypid = 'bytea'::regtype order by 1`);
  const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  const others = columns.map(({ name }) => name).filter((name) => !known.includes(name));
  expect(known.filter((name) => !columns.some((column) => column.name === name))).toEqual([]);
  expect(
    others.filter((name) => ![...HASHES, ...NUMBERS, ...PUBLIC].includes(name) && !/hash$|caller$/.test(name)),
  ).toEqual([]);
});

test("values encrypted before keys had names can be decrypted, in their own place only", () => {
  const key = Buffer.from(hkdfSync("sha256", SECRET_KEY, "", "parley outbox", 32));
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from("row"));
  const text = Buffer.concat([cipher.update('{"to":"ada"}', "utf8"), cipher.final()]);
  const sealed = Buffer.concat([nonce, cipher.getAuthTag(), text]);
  for (const keys of [[SECRET_KEY], [NEW_KEY, SECRET_KEY]])
    expect(new Sealer(keys, "outbox").open(sealed, "row")).toEqual({ to: "ada" });
  expect(() => new Sealer([SECRET_KEY], "outbox").open(sealed, "another")).toThrow();
  expect(() => new Sealer([NEW_KEY], "outbox").open(sealed, "row")).toThrow();
  expect(() => new Sealer([SECRET_KEY], "channels").open(sealed, "row")).toThrow();
});

test("the key is rotated under load: every value can be decrypted at all times, all are encrypted again, and the old key can be removed", async () => {
  const { workspaceId } = tenant.defaults;
  const path = `/api/workspaces/${workspaceId}` as const;
  const ids: string[] = [];
  for (let n = 0; n < 20; n++) ids.push((await owner.post(`${path}/channels`, mailbox(`password-${n}`), 201)).body.id);
  await owner.put(
    `${path}/verification-sources`,
    {
      sources: [
        {
          name: "crm",
          type: "http",
          url: "https://crm.example.com/",
          credentials: { authorization: "Bearer old" },
          questions: [{ key: "city", prompt: "City?", path: "$.city" }],
        },
      ],
    },
    200,
  );
  await owner.put(
    `${path}/eid-schemes`,
    { schemes: [{ name: "bank-id", issuer: "https://eid.example.com", clientId: "parley", clientSecret: "old" }] },
    200,
  );
  await owner.post(
    "/api/calendar/connections",
    { workspaceId, serverUrl: "https://calendar.invalid/dav", username: "desk", password: "old" },
    201,
  );
  await owner.post("/api/me/second-factors", { type: "totp", name: "Phone" }, 201);
  const email = `${randomUUID()}@example.com`;
  await owner.post("/api/members", { email, name: "Grace", role: "agent" }, 201);
  const {
    body: { id: contactId },
  } = await owner.post("/api/contacts", { name: "Erased" }, 201);
  await owner.post(`/api/contacts/${contactId}/erasure`, undefined, 200);

  // Sessions and cursors of the old key work on a node that has the new one.
  const onNew = during.client(owner.token);
  await onNew.get("/api/me", 200);
  const { body: page } = await owner.get("/api/audit-log?limit=1", 200);
  await onNew.get(`/api/audit-log?limit=1&cursor=${encodeURIComponent(page.nextCursor!)}`, 200);

  const newer = new Map<string, string>();
  let running = true;
  const load = Array.from({ length: 3 }, async (_, worker) => {
    for (let n = 0; running; n++) {
      const id = ids[(n * 3 + worker) % 10]!;
      await onNew
        .put(
          `/api/channels/${id}/credentials`,
          { credentials: { username: "u", password: `newer-${worker}-${n}` } },
          200,
        )
        .then(() => newer.set(id, ""));
      await onNew.post("/api/members", { email: `${randomUUID()}@example.com`, name: "Load", role: "agent" }, 201);
    }
  });
  const rotation = during.app.get(RotateKeysService);
  const rotated = await rotation.run();
  running = false;
  await Promise.all(load);
  expect(rotated.unreadable).toBe(0);
  expect(rotated.sealed.channel).toBeGreaterThanOrEqual(10);
  expect(rotated.sealed).toMatchObject({
    verification_source: 1,
    eid_scheme: 1,
    signing_key: 1,
    second_factor: 1,
    calendar_connection: 1,
  });
  expect(rotated.sealed.outbox_message).toBeGreaterThanOrEqual(1);
  expect(newer.size).toBeGreaterThan(0);

  const again = await rotation.run();
  expect(
    Object.values(again.sealed).every((count) => count === 0),
    JSON.stringify(again),
  ).toBe(true);
  for (const column of SEALED_COLUMNS)
    for (const { sealed } of await rowsOf(column))
      expect([column.table, sealed.subarray(0, 7)]).toEqual([column.table, sealedUnder(NEW_KEY)]);

  const after = await startApp({ SECRET_KEY: NEW_KEY }, before.db);
  try {
    const credentialStore = after.app.get(ChannelCredentials);
    const channels = await before.db.query<{ id: string; credentials: Buffer; print: string }>(
      "select id, credentials, credential_fingerprint as print from channel where id = any($1)",
      [ids],
    );
    for (const { id, credentials, print } of channels) {
      const open = credentialStore.open(tenant.tenantId, id, credentials) as { password: string };
      expect(open.password).toMatch(newer.has(id) ? /^(password|newer)-/ : `password-${ids.indexOf(id)}`);
      expect(print).toBe(credentialStore.seal(tenant.tenantId, id, open).fingerprint);
    }
    const calendars = after.app.get(CalendarCredentials);
    const [calendar] = await before.db.query<{ id: string; url: string; credentials: Buffer; print: string }>(
      "select id, server_url as url, credentials, credential_fingerprint as print from calendar_connection",
    );
    expect(calendars.open(tenant.tenantId, calendar!.id, calendar!.url, calendar!.credentials)).toEqual({
      username: "desk",
      password: "old",
    });
    expect(calendar!.print).toBe(
      calendars.seal(tenant.tenantId, calendar!.id, calendar!.url, { username: "desk", password: "old" }).fingerprint,
    );
    const owned = await after.client().login(tenant.ownerEmail, "correct horse battery", "live");
    expect((await walk(owned, "/api/outbox?status=queued")).map(({ to }) => to)).toContain(email);
    // Including the signing key and the hash of the recipient.
    const { body: invited } = await owned.post("/api/contacts", { name: "G", emails: [email] }, 201);
    expect((await owned.post(`/api/contacts/${invited.id}/erasure`, undefined, 200)).body).toMatchObject({
      erased: { mails: 1 },
    });
  } finally {
    await after.close();
  }
});

test("values that no key can decrypt are counted and kept, and do not stop the rotation", async () => {
  const {
    body: { id },
  } = await owner.post(`/api/workspaces/${tenant.defaults.workspaceId}/channels`, mailbox("x"), 201);
  await before.db.query(
    `update channel set credentials = '\\x00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff' where id = $1`,
    [id],
  );
  const { body: good } = await owner.post(`/api/workspaces/${tenant.defaults.workspaceId}/channels`, mailbox("y"), 201);
  const rotated = await during.app.get(RotateKeysService).run();
  expect(rotated).toMatchObject({ unreadable: 1, sealed: { channel: 1 } });
  expect(
    (
      await before.db.query<{ credentials: Buffer }>("select credentials from channel where id = $1", [good.id])
    )[0]!.credentials.subarray(0, 7),
  ).toEqual(sealedUnder(NEW_KEY));
});
