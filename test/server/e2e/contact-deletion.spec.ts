import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { askForNames } from "../contract/fixtures.js";
import { tablesWith } from "../../races/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { newAgent, NOT_FOUND, start, walk } from "./support.js";
import { run as runSql } from "../../support/sql.js";

let app: TestApp;
let tenant: TestTenant;
let key: Client;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  key = tenant.live;
  ({ workspaceId } = tenant.defaults);
  await askForNames(await tenant.owner(), workspaceId);
});
afterAll(() => app.close());

const eventsOf = async (id: string) => (await key.get(`/api/conversations/${id}/identity-events`, 200)).body.events;
const person = {
  name: "Needle",
  externalId: "needle",
  emails: ["needle@example.com"],
  phones: ["+4930901820"],
  attributes: { is: "needle" },
};
const begin = (externalId: string) =>
  start(key, workspaceId, { externalId, contact: { ...person, externalId }, message: { body: "Hello" } });
const age = (id: string, days: number) =>
  app.db.query(`update contact set deleted_at = now() - make_interval(days => $2) where id = $1`, [id, days]);
const run = async () => app.app.get(DailyService).runNow();

describe("a deleted contact", () => {
  test("disappears from every response at once, with its identity events; its conversations stay", async () => {
    const conversation = await begin("gone");
    const id = conversation.contactId;
    await key.post(`/api/conversations/${conversation.id}/verification/questions`, {}, 200);
    expect(await eventsOf(conversation.id)).toHaveLength(1);
    const first = await key.post("/api/contacts", { externalId: "stored" }, 201, {
      headers: { "idempotency-key": "stored" },
    });
    expect((await key.delete(`/api/contacts/${id}`, 200)).body).toEqual({ ok: true });
    await key.delete(`/api/contacts/${first.body.id}`, 200);

    for (const answer of [
      await key.get(`/api/contacts/${id}`, 404),
      await key.patch(`/api/contacts/${id}`, { name: "X" }, 404),
      await key.delete(`/api/contacts/${id}`, 404),
      await key.post(`/api/contacts/${id}/merge`, { sourceContactId: first.body.id }, 404),
    ]) {
      expect(answer.body).toEqual(NOT_FOUND);
    }
    expect((await walk(key, "/api/contacts")).map((contact) => contact.id)).not.toContain(id);
    for (const q of ["needle", "30901820"]) expect(await walk(key, `/api/contacts/search?q=${q}`), q).toEqual([]);
    expect((await key.get("/api/contacts?externalId=gone", 200)).body.data).toEqual([]);
    expect(await eventsOf(conversation.id)).toEqual([]);
    expect((await key.post("/api/conversations/search", { query: "needle" }, 200)).body.data).toEqual([]);
    expect((await key.get(`/api/conversations/${conversation.id}/messages`, 200)).body.data).toMatchObject([
      { body: "Hello" },
    ]);
    await key.post("/api/conversations", { workspaceId, contactId: id }, 404);
    await key.post(`/api/conversations/${conversation.id}/verification/questions`, {}, 404);
    // A retry does not restore it either.
    await key.post("/api/contacts", { externalId: "stored" }, 409, { headers: { "idempotency-key": "stored" } });
  });

  test("hides its own identity events alone, where a conversation has events of two contacts", async () => {
    for (const deleted of ["the conversation's contact", "the other one"]) {
      const [conversation, other] = [await begin(`of two, ${deleted}`), await start(key, workspaceId)];
      await key.post(`/api/conversations/${conversation.id}/verification/questions`, {}, 200);
      await app.db.query(
        `insert into identity_event (tenant_id, id, workspace_id, conversation_id, event_type, factor_category, factor_bound_to_principal, evidence_ref, transition_key)
         select tenant_id, gen_random_uuid(), workspace_id, conversation_id, event_type, factor_category, $2, evidence_ref, transition_key || ' of another'
         from identity_event where conversation_id = $1`,
        [conversation.id, other.contactId],
      );
      await app.db.query(
        `insert into identity_event (tenant_id, id, workspace_id, conversation_id, event_type, scope_dimension, scope_values, transition_key)
         select tenant_id, gen_random_uuid(), workspace_id, id, 'ani_blocked', 'caller_ani', '["+4930901820"]', 'of nobody ' || id
         from conversation where id = $1`,
        [conversation.id],
      );
      const bound = async () => (await eventsOf(conversation.id)).map((event) => event.factorBoundToPrincipal);
      expect(await bound()).toEqual([conversation.contactId, other.contactId, null]);
      const [gone, kept] =
        deleted === "the other one"
          ? [other.contactId, conversation.contactId]
          : [conversation.contactId, other.contactId];
      await key.delete(`/api/contacts/${gone}`, 200);
      expect(await bound(), deleted).toEqual([kept, null]);
    }
  });

  test("frees its externalId, so the person can return as a new contact", async () => {
    const { contactId } = await begin("back");
    await key.delete(`/api/contacts/${contactId}`, 200);
    const { body } = await key.post("/api/contacts", { ...person, externalId: "back" }, 201);
    expect(body.id).not.toBe(contactId);
    await key.delete(`/api/contacts/${body.id}`, 200);
  });

  test("is deleted with the contacts merged into it, by the id of any of them", async () => {
    const [one, two] = [await begin("m-1"), await start(key, workspaceId)];
    await key.post(`/api/contacts/${one.contactId}/merge`, { sourceContactId: two.contactId }, 200);
    await key.delete(`/api/contacts/${two.contactId}`, 200);
    for (const { contactId } of [one, two]) await key.get(`/api/contacts/${contactId}`, 404);
  });

  test("is purged with its events by the daily run after 30 days, and not earlier; conversations stay", async () => {
    const { db, close, ...own } = await startApp();
    try {
      const other = await own.tenant();
      await askForNames(await other.owner(), other.defaults.workspaceId);
      const conversation = await start(other.live, other.defaults.workspaceId, {
        contact: { ...person, externalId: "purged" },
        message: { body: "Hello" },
      });
      await other.live.post(`/api/conversations/${conversation.id}/verification/questions`, {}, 200);
      const neighbour = await start(other.live, other.defaults.workspaceId, { contact: { name: "Ada" } });
      await other.live.post(`/api/conversations/${neighbour.id}/verification/questions`, {}, 200);
      const daily = () => own.app.get(DailyService).runNow();
      await other.live.delete(`/api/contacts/${conversation.contactId}`, 200);
      await db.query(`update contact set deleted_at = now() - interval '29 days 23 hours' where id = $1`, [
        conversation.contactId,
      ]);
      expect(await daily()).toMatchObject({ deletedContacts: 0, deletedContactsEvents: 0 });
      expect(Object.keys(await tablesWith(db, "needle")).length).toBeGreaterThan(0);
      await db.query(`update contact set deleted_at = now() - interval '30 days' where id = $1`, [
        conversation.contactId,
      ]);
      expect(await daily()).toMatchObject({ deletedContacts: 1, deletedContactsEvents: 1 });
      expect(await tablesWith(db, "needle")).toEqual({});
      expect(await tablesWith(db, "+4930901820")).toEqual({});
      expect(await db.query("select factor_bound_to_principal as bound from identity_event")).toEqual([
        { bound: neighbour.contactId },
      ]);
      expect(await daily()).toMatchObject({ deletedContacts: 0, deletedContactsEvents: 0 });
      expect((await other.live.get(`/api/conversations/${conversation.id}/messages`, 200)).body.data).toMatchObject([
        { body: "Hello" },
      ]);
      await other.live.get(`/api/contacts/${conversation.contactId}`, 404);
    } finally {
      await close();
    }
  });

  test("can still be erased, including the text of its conversations", async () => {
    const conversation = await begin("later");
    await key.delete(`/api/contacts/${conversation.contactId}`, 200);
    await age(conversation.contactId, 3);
    expect(
      (await key.post(`/api/contacts/${conversation.contactId}/erasure`, undefined, 200)).body.erased,
    ).toMatchObject({ contacts: 1, conversations: 1, messages: 1 });
    expect((await key.get(`/api/conversations/${conversation.id}/messages`, 200)).body.data).toMatchObject([
      { body: "" },
    ]);
    expect(await run()).toMatchObject({ leftovers: { contacts: 0 } });
  });
});

test("requires an owner or admin; an agent cannot delete", async () => {
  const owner = await tenant.owner();
  const { contactId } = await start(key, workspaceId);
  await (await newAgent(owner, [workspaceId])).delete(`/api/contacts/${contactId}`, 403);
  await owner.delete(`/api/contacts/${contactId}`, 200);
});

test("the owner's functions change nothing for a contact that was neither merged nor deleted long ago", async () => {
  const conversation = await begin("untouched");
  await key.post(`/api/conversations/${conversation.id}/verification/questions`, {}, 200);
  for (const name of ["move_identity_events", "purge_identity_events"]) {
    expect(
      await app.transaction(tenant.tenantId, (tx) =>
        runSql(tx, `select ${name}(:tenant, :id) as rows`, { id: conversation.contactId }),
      ),
    ).toEqual([{ rows: 0 }]);
  }
  expect(await eventsOf(conversation.id)).toHaveLength(1);
});
