import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { anId, newAgent, newWorkspace, start, walk } from "./support.js";

// A caller that is restricted to one workspace names a contact or an account of another workspace by its externalId.
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let here: string;
let there: string;
let restricted: Client;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  here = tenant.defaults.workspaceId;
  there = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
  restricted = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: here } });
});
afterAll(() => app.close());

let serial = 0;
/** A contact that appears only in the other workspace. */
async function stranger() {
  const externalId = `stranger-${++serial}`;
  const { contactId } = await start(tenant.live, there, {
    contact: { externalId, name: "Grace Hopper", emails: [`${externalId}@example.com`] },
  });
  return { id: contactId, externalId };
}
const read = async (id: string, client: Client = tenant.live) => (await client.get(`/api/contacts/${id}`, 200)).body;

describe("a contact out of reach is not taken by its externalId", () => {
  test("to start a conversation: the contact is a new one without externalId, and the stranger stays out of reach", async () => {
    const { id, externalId } = await stranger();
    const before = await read(id);
    for (const caller of [
      restricted,
      await keyFor(owner, { dataScope: { level: "workspace", workspaceId: here } }),
      await newAgent(owner, [here]),
    ]) {
      const { contactId } = await start(caller, here, { contact: { externalId, name: "Mine" } });
      expect(contactId).not.toBe(id);
      expect(await read(contactId, caller)).toMatchObject({ id: anId, externalId: null, name: "Mine", emails: [] });
      await caller.get(`/api/contacts/${id}`, 404);
      await caller.post(`/api/contacts/${contactId}/merge`, { sourceContactId: id }, 404);
      await caller.post(`/api/contacts/${id}/merge`, { sourceContactId: contactId }, 404);
      expect((await caller.get(`/api/contacts?externalId=${externalId}`, 200)).body).toEqual({ data: [] });
    }
    await restricted.post(`/api/contacts/${id}/erasure`, {}, 404);
    await restricted.delete(`/api/contacts/${id}`, 404);
    expect(await read(id)).toEqual(before);
  });

  test("to create a contact: 201 with externalId null", async () => {
    const { externalId } = await stranger();
    const { body } = await restricted.post("/api/contacts", { externalId, name: "Mine" }, 201);
    expect(body).toMatchObject({ externalId: null, name: "Mine" });
  });

  test("to change a contact: the other fields change, the externalId stays as it was", async () => {
    const { externalId } = await stranger();
    const own = (await restricted.post("/api/contacts", { externalId: `own-${externalId}`, name: "Mine" }, 201)).body;
    const { body } = await restricted.patch(`/api/contacts/${own.id}`, { externalId, name: "Renamed" }, 200);
    expect(body).toMatchObject({ id: own.id, externalId: own.externalId, name: "Renamed" });
    expect((await restricted.patch(`/api/contacts/${own.id}`, { externalId }, 200)).body.externalId).toBe(
      own.externalId,
    );
    expect((await restricted.patch(`/api/contacts/${own.id}`, { externalId: null }, 200)).body.externalId).toBeNull();
  });

  test("to import contacts: the lines become contacts without externalId", async () => {
    const { externalId } = await stranger();
    const mine = (await restricted.post("/api/contacts", { externalId: `mine-${externalId}` }, 201)).body;
    const lines = [
      { externalId, name: "Taken" },
      { externalId: `free-${externalId}` },
      { externalId: mine.externalId },
    ];
    const { body } = await restricted.post(
      "/api/contacts/import",
      new Blob([lines.map((line) => JSON.stringify(line)).join("\n")], { type: "application/x-ndjson" }),
      200,
    );
    expect(body).toMatchObject({
      imported: 2,
      lines: [
        { error: null, contactId: anId },
        { error: null, contactId: anId },
        { error: "A contact with this externalId exists already", contactId: null },
      ],
    });
    expect(await read(body.lines[0]!.contactId!, restricted)).toMatchObject({ externalId: null, name: "Taken" });
    expect(await read(body.lines[1]!.contactId!, restricted)).toMatchObject({ externalId: `free-${externalId}` });
  });
});

describe("a contact within reach", () => {
  test("is taken by its externalId, unchanged, and a repeat is 409", async () => {
    const { contactId } = await start(restricted, here, { contact: { externalId: "within", name: "Ada" } });
    expect((await start(restricted, here, { contact: { externalId: "within", name: "Other" } })).contactId).toBe(
      contactId,
    );
    expect((await read(contactId, restricted)).name).toBe("Ada");
    await restricted.post("/api/contacts", { externalId: "within" }, 409);
    const other = (await restricted.post("/api/contacts", {}, 201)).body;
    await restricted.patch(`/api/contacts/${other.id}`, { externalId: "within" }, 409);
    await restricted.patch(`/api/contacts/${contactId}`, { externalId: "within" }, 200);
  });

  test("is every contact of the tenant for a caller that is not restricted", async () => {
    const { id, externalId } = await stranger();
    expect((await start(tenant.live, here, { contact: { externalId } })).contactId).toBe(id);
    await tenant.live.post("/api/contacts", { externalId }, 409);
  });
});

test("an account out of reach is not told by its externalId: the account is created or changed without it", async () => {
  const theirs = (await tenant.live.post("/api/accounts", { name: "Theirs", externalId: "acc-theirs" }, 201)).body;
  const made = (await restricted.post("/api/accounts", { name: "Mine", externalId: theirs.externalId }, 201)).body;
  expect(made).toMatchObject({ name: "Mine", externalId: null });
  const { body } = await restricted.patch(
    `/api/accounts/${made.id}`,
    { name: "Ours", externalId: theirs.externalId },
    200,
  );
  expect(body).toMatchObject({ name: "Ours", externalId: null });
  await restricted.get(`/api/accounts/${theirs.id}`, 404);
  await restricted.patch(`/api/accounts/${made.id}`, { externalId: "acc-mine" }, 200);
  await restricted.post("/api/accounts", { name: "Again", externalId: "acc-mine" }, 409);
  await tenant.live.post("/api/accounts", { name: "Again", externalId: "acc-theirs" }, 409);
  expect((await walk(restricted, "/api/accounts")).map(({ id }) => id)).toEqual([made.id]);
});
