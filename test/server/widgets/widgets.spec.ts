import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PurgeWorkspacesJob } from "../../../src/maintenance/purge-workspaces.job.js";
import { aTime, anId, newAgent, newWorkspace, NOT_FOUND } from "../e2e/support.js";
import { tablesWith } from "../../races/support.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { ask, lookAt, newForm, newSearch, send } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let visitor: Client;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  visitor = app.client();
  ({ workspaceId } = tenant.defaults);
});
afterAll(() => app.close());

const KINDS = ["kb-widgets", "contact-form-widgets"] as const;
const make = (kind: (typeof KINDS)[number]) => (kind === "kb-widgets" ? newSearch : newForm);
const LOOK = { title: null, colour: "#1d4ed8", language: null, placeholder: null };

describe("a widget", () => {
  test("has every field, default settings, and its own key", async () => {
    const search = await newSearch(owner, workspaceId);
    expect(search).toEqual({
      id: anId,
      workspaceId,
      kind: "kb",
      name: "Search",
      publicKey: expect.stringMatching(/^wgt_[\w-]{24}$/),
      allowedOrigins: [],
      settings: { ...LOOK, results: 5, minConfidence: 0.1 },
      enabled: true,
      createdAt: aTime,
      updatedAt: aTime,
    });
    const form = await newForm(owner, workspaceId);
    expect(form.settings).toEqual({
      ...LOOK,
      fields: { name: "required", phone: "hidden", subject: "optional" },
      thankYou: null,
      consent: null,
    });
    expect(form.publicKey).not.toBe(search.publicKey);
  });

  test("is listed with its own kind and workspace only, changes only in the given fields, and is deleted", async () => {
    for (const kind of KINDS) {
      const { id: place } = await newWorkspace(owner, tenant.defaults.brandId);
      const path = `/api/workspaces/${place}/${kind}` as const;
      const [one, two] = [
        await make(kind)(owner, place, { settings: { title: "One" } }),
        await make(kind)(owner, place),
      ];
      for (const other of KINDS) if (other !== kind) await make(other)(owner, place);
      expect((await tenant.live.get(path, 200)).body).toEqual([one, two]);
      const { body: changed } = await owner.patch(`/api/${kind}/${one.id}`, { enabled: false }, 200);
      expect(changed).toEqual({ ...one, enabled: false, updatedAt: aTime });
      expect(
        (await owner.patch(`/api/${kind}/${one.id}`, { settings: { colour: "#0F766E" } }, 200)).body.settings,
      ).toMatchObject({ title: null, colour: "#0f766e" });
      // The routes of the other kind do not find it.
      for (const other of KINDS)
        if (other !== kind) expect((await owner.delete(`/api/${other}/${one.id}`, 404)).body).toEqual(NOT_FOUND);
      await owner.delete(`/api/${kind}/${one.id}`, 200);
      expect((await tenant.live.get(path, 200)).body).toEqual([two]);
      await owner.delete(`/api/${kind}/${one.id}`, 404);
    }
  });

  test("is managed by keys with its scope and by owners and admins; agents can read it", async () => {
    const agent = await newAgent(owner, [workspaceId]);
    for (const [kind, read, write] of [
      ["kb-widgets", "kb:read", "kb:write"],
      ["contact-form-widgets", "contacts:read", "contacts:write"],
    ] as const) {
      const path = `/api/workspaces/${workspaceId}/${kind}` as const;
      await agent.get(path, 200);
      await agent.post(path, { name: "X" }, 403);
      const [reader, writer] = [await keyFor(owner, { scopes: [read] }), await keyFor(owner, { scopes: [write] })];
      await reader.get(path, 200);
      await reader.post(path, { name: "X" }, 403);
      const { body } = await writer.post(path, { name: "X" }, 201);
      await writer.get(path, 403);
      await writer.delete(`/api/${kind}/${body.id}`, 200);
    }
  });

  test.each([
    [{ allowedOrigins: ["https://www.example.com/help"] }, "each value in allowedOrigins must be an origin"],
    [{ allowedOrigins: ["https://*.example.com"] }, "allowedOrigins must be an origin"],
    [{ allowedOrigins: ["www.example.com"] }, "must be an origin"],
    [{ allowedOrigins: ["javascript:alert(1)"] }, "must be an origin"],
    [{ allowedOrigins: ["https://user@example.com"] }, "must be an origin"],
    [{ settings: { colour: "red" } }, "settings.colour must be # and six"],
    [{ settings: { language: "english" } }, "settings.language must be two"],
    [{ settings: { subtitle: "x" } }, "property settings.subtitle should not exist"],
  ])("is refused with %j", async (body, sentence) => {
    for (const kind of KINDS)
      expect(
        (await owner.post(`/api/workspaces/${workspaceId}/${kind}`, { name: "X", ...body }, 400)).body.error,
      ).toContain(sentence);
  });

  test("accepts origins as browsers write them", async () => {
    expect(
      (await newForm(owner, workspaceId, { allowedOrigins: ["HTTPS://Www.Example.com:443/", "http://localhost:8080"] }))
        .allowedOrigins,
    ).toEqual(["https://www.example.com", "http://localhost:8080"]);
  });

  test("takes nothing while its channel is disabled", async () => {
    const { id } = await newWorkspace(owner, tenant.defaults.brandId);
    const form = await newForm(owner, id);
    const search = await newSearch(owner, id);
    const channels = (await owner.get(`/api/workspaces/${id}/channels`, 200)).body;
    const channel = channels.find(({ type }) => type === "contact_form");
    await owner.patch(`/api/channels/${channel!.id}`, { enabled: false }, 200);
    expect((await lookAt(visitor, form)).status).toBe(404);
    expect((await send(visitor, form, {})).status).toBe(404);
    expect((await ask(visitor, search, "parcel")).status).toBe(200);
    await owner.patch(`/api/channels/${channel!.id}`, { enabled: true }, 200);
    expect((await send(visitor, form, {})).status).toBe(201);
  });

  test("cannot be created in an archived workspace, and is not served there", async () => {
    const { id } = await newWorkspace(owner, tenant.defaults.brandId);
    const form = await newForm(owner, id);
    await owner.patch(`/api/workspaces/${id}`, { status: "archived" }, 200);
    await owner.post(`/api/workspaces/${id}/kb-widgets`, { name: "X" }, 409);
    expect((await lookAt(visitor, form)).status).toBe(404);
    expect((await send(visitor, form, {})).status).toBe(404);
  });

  test("is deleted with its workspace, including its key", async () => {
    const { id } = await newWorkspace(owner, tenant.defaults.brandId);
    const widgets = [await newForm(owner, id), await newSearch(owner, id)];
    expect((await send(visitor, widgets[0]!, { email: "purged@example.com" })).status).toBe(201);
    await owner.delete(`/api/workspaces/${id}`, 200);
    expect((await lookAt(visitor, widgets[0]!)).status).toBe(404);
    expect((await ask(visitor, widgets[1]!, "parcel")).status).toBe(404);
    await app.app.get(PurgeWorkspacesJob).run();
    for (const { publicKey } of widgets) expect(await tablesWith(app.db, publicKey)).toEqual({});
  });

  test("is in the audit log: who created, changed and deleted it", async () => {
    const { id } = await newSearch(owner, workspaceId);
    await owner.patch(`/api/kb-widgets/${id}`, { name: "Other", enabled: false }, 200);
    await owner.delete(`/api/kb-widgets/${id}`, 200);
    const { body } = await owner.get(`/api/audit-log?resourceId=${id}`, 200);
    expect(body.data.map(({ action, change, resourceType, fields }) => [action, change, resourceType, fields])).toEqual(
      [
        ["kbWidgets.delete", "deleted", "widget", []],
        ["kbWidgets.update", "updated", "widget", ["name", "enabled"]],
        ["kbWidgets.create", "created", "widget", []],
      ],
    );
  });
});

describe("a page", () => {
  const HOME = "https://www.example.com";

  test("of a disallowed origin is refused and cannot read the response; nothing is stored", async () => {
    const form = await newForm(owner, workspaceId, { allowedOrigins: [HOME] });
    const search = await newSearch(owner, workspaceId, { allowedOrigins: [HOME] });
    for (const origin of ["https://evil.example", "http://www.example.com", "https://www.example.com:8443", "null"]) {
      for (const answer of [
        await lookAt(visitor, form, { origin }),
        await send(visitor, form, { email: "needle@example.com" }, { origin }),
        await ask(visitor, search, "parcel", { origin }),
      ]) {
        expect([answer.status, answer.headers.get("access-control-allow-origin")], origin).toEqual([403, null]);
        expect(answer.body.error).toMatch(/allowedOrigins/);
      }
    }
    // In any spelling of the key in the URL.
    for (const publicKey of [search.publicKey.replace("_", "%5F"), search.publicKey.replace("w", "%77")])
      expect((await ask(visitor, { publicKey }, "parcel", { origin: "https://evil.example" })).status).toBe(403);
    expect(await tablesWith(app.db, "needle@example.com")).toEqual({});
  });

  test("of an allowed origin, of any origin if none are listed, and a client without an origin, are answered", async () => {
    const search = await newSearch(owner, workspaceId, { allowedOrigins: [HOME] });
    const answer = await ask(visitor, search, "parcel", { origin: HOME });
    expect([
      answer.status,
      answer.headers.get("access-control-allow-origin"),
      answer.headers.get("vary"),
      answer.headers.get("cross-origin-resource-policy"),
    ]).toEqual([200, HOME, "Origin", "cross-origin"]);
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    expect((await ask(visitor, search, "parcel")).status).toBe(200);
    const open = await newSearch(owner, workspaceId);
    expect(
      (await ask(visitor, open, "parcel", { origin: "https://elsewhere.example" })).headers.get(
        "access-control-allow-origin",
      ),
    ).toBe("https://elsewhere.example");
    // For an unknown widget, its page may read the error.
    expect(await ask(visitor, { publicKey: `wgt_${"x".repeat(24)}` }, "parcel", { origin: HOME })).toMatchObject({
      status: 404,
      body: NOT_FOUND,
    });
  });

  test("may send a request that its preflight allows, from an allowed origin only", async () => {
    const form = await newForm(owner, workspaceId, { allowedOrigins: [HOME] });
    const before = (origin: string) =>
      fetch(`${app.baseUrl}/api/public/contact-form-widgets/${form.publicKey}/submissions`, {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
      });
    const allowed = await before(HOME);
    expect([
      allowed.status,
      allowed.headers.get("access-control-allow-origin"),
      allowed.headers.get("access-control-allow-methods"),
      allowed.headers.get("access-control-allow-headers"),
    ]).toEqual([204, HOME, "GET, POST", "Authorization, Content-Type, Last-Event-ID"]);
    const refused = await before("https://evil.example");
    expect([
      refused.headers.get("access-control-allow-origin"),
      refused.headers.get("access-control-allow-methods"),
    ]).toEqual([null, null]);
  });

  test("gets 404 for a key of the other kind, and for a malformed or disabled one", async () => {
    const [form, search] = [await newForm(owner, workspaceId), await newSearch(owner, workspaceId)];
    expect((await ask(visitor, form, "parcel")).status).toBe(404);
    expect((await lookAt(visitor, search)).status).toBe(404);
    for (const publicKey of ["x", form.publicKey.slice(0, -1), `${form.publicKey}x`, "%27", form.id])
      expect((await lookAt(visitor, { publicKey })).body).toEqual(NOT_FOUND);
    await owner.patch(`/api/contact-form-widgets/${form.id}`, { enabled: false }, 200);
    expect((await send(visitor, form, {})).status).toBe(404);
    expect((await lookAt(visitor, form)).body).toEqual(NOT_FOUND);
  });
});

describe("a search", () => {
  test("finds approved entries in the widget's language, and returns no internal data", async () => {
    const { id } = await newWorkspace(owner, tenant.defaults.brandId);
    const entry = (body: object) =>
      owner.post(
        `/api/workspaces/${id}/kb-entries`,
        { question: "How long does delivery take?", answer: "Two days.", labels: ["internal"], ...body },
        201,
      );
    await entry({});
    await entry({ answer: "A pending answer", status: "pending" });
    await entry({ answer: "Zwei Tage.", language: "de" });
    const search = await newSearch(owner, id);
    expect((await ask(visitor, search, "how long does delivery take")).body).toEqual({
      data: [{ question: "How long does delivery take?", answer: "Two days." }],
    });
    expect((await ask(visitor, search, "")).body).toEqual({ data: [] });
    expect(
      (await ask(visitor, await newSearch(owner, id, { settings: { language: "de" } }), "how long does delivery take"))
        .body,
    ).toEqual({ data: [{ question: "How long does delivery take?", answer: "Zwei Tage." }] });
    expect(
      (
        await ask(
          visitor,
          await newSearch(owner, id, { settings: { minConfidence: 1 } }),
          "how long does delivery take",
        )
      ).body,
    ).toEqual({ data: [] });
  });

  test("of another workspace, tenant or side does not find this one's entries", async () => {
    await owner.post(
      `/api/workspaces/${workspaceId}/kb-entries`,
      { question: "Where is the treasure?", answer: "On the island." },
      201,
    );
    const other = await app.tenant();
    const widgets = [
      await newSearch(owner, (await newWorkspace(owner, tenant.defaults.brandId)).id),
      await newSearch(await other.owner(), other.defaults.workspaceId),
      await newSearch(await tenant.owner("test"), tenant.testDefaults.workspaceId),
    ];
    expect((await ask(visitor, await newSearch(owner, workspaceId), "where is the treasure")).body.data).toHaveLength(
      1,
    );
    for (const widget of widgets)
      expect((await ask(visitor, widget, "where is the treasure")).body).toEqual({ data: [] });
  });
});
