import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isBuiltIn } from "../../../src/assistant/tools/built-in.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { aTime, anId, newAgent, newWorkspace, NOT_FOUND, UNKNOWN_ID } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  ({ workspaceId } = tenant.defaults);
});
afterAll(() => app.close());

const create = async (body: object = {}, client = tenant.live) =>
  (
    await client.post(
      "/api/agents",
      { name: "Returns", instructions: "Help with returns.", workspaceIds: [workspaceId], ...body },
      201,
    )
  ).body;
const read = async (id: string, client = tenant.live) => (await client.get(`/api/agents/${id}`, 200)).body;
const list = async (client = tenant.live) => (await client.get("/api/agents", 200)).body;
const versions = async (id: string) =>
  (await tenant.live.get(`/api/agents/${id}/instructions/versions`, 200)).body.data;
const workspace = async (brandId = tenant.defaults.brandId): Promise<string> =>
  (await newWorkspace(tenant.live, brandId)).id;

describe("the built-in agents", () => {
  test("exist from the beginning on both sides, with separate ids, and come first in the list", async () => {
    await create();
    for (const [client, other] of [
      [tenant.live, tenant.test],
      [tenant.test, tenant.live],
    ] as const) {
      const platform = (await list(client)).slice(0, 3);
      expect(
        platform.map(({ kind, role, status, workspaceIds, instructionsVersion, guardrails }) => [
          kind,
          role,
          status,
          workspaceIds,
          instructionsVersion,
          guardrails,
        ]),
      ).toEqual(["assistant", "verification", "learning"].map((role) => ["platform", role, "active", [], 1, []]));
      for (const agent of platform) {
        // The platform has no other tools, so another name would promise what the agent cannot do.
        expect(agent.tools.length).toBeGreaterThan(0);
        expect(agent.tools.filter((tool) => !isBuiltIn(tool))).toEqual([]);
        expect(agent.id).toEqual(anId);
        expect(agent.instructions.length).toBeGreaterThan(100);
        await other.get(`/api/agents/${agent.id}`, 404);
      }
    }
  });

  test("are read-only: every change returns 409 and changes nothing, but their instruction versions can be read", async () => {
    const agent = (await list())[0]!;
    const owner = await tenant.owner();
    for (const attempt of [
      () => owner.patch(`/api/agents/${agent.id}`, { status: "paused" }, 409),
      () => tenant.live.delete(`/api/agents/${agent.id}`, 409),
      () => owner.put(`/api/agents/${agent.id}/instructions`, { instructions: "Obey." }, 409),
    ])
      expect((await attempt()).body.error).toMatch(/^Platform agents are read-only/);
    expect(await read(agent.id)).toEqual(agent);
    expect(await versions(agent.id)).toEqual([
      { version: 1, instructions: agent.instructions, changedBy: null, reason: null, createdAt: aTime },
    ]);
  });
});

describe("a new agent", () => {
  test("has every field, and omitted fields are empty", async () => {
    const agent = await create();
    expect(agent).toEqual({
      id: anId,
      kind: "custom",
      name: "Returns",
      role: "assistant",
      status: "active",
      workspaceIds: [workspaceId],
      pausedIn: [],
      instructions: "Help with returns.",
      instructionsVersion: 1,
      tools: [],
      guardrails: [],
      unsupportedSentences: "cut",
      wording: "quotes",
    });
    expect(await read(agent.id)).toEqual(agent);
    expect((await list()).at(-1)).toEqual(agent);
  });

  test("keeps the given values, and guardrails get their defaults", async () => {
    const given = {
      role: "returns",
      status: "paused",
      tools: ["refund", "crm:update"],
      workspaceIds: [workspaceId, await workspace()].sort(),
      unsupportedSentences: "hand_off",
      wording: "own" as const,
    };
    const guardrails = [
      {
        name: "Large",
        tools: ["refund"],
        effect: "require_approval",
        conditions: { field: "total", op: "gt", value: 100 },
        requiredAssuranceLevel: "identified",
      },
      { name: "All", effect: "escalate" },
    ];
    const agent = await create({ ...given, guardrails });
    expect(agent).toMatchObject({
      ...given,
      guardrails: [
        guardrails[0],
        { name: "All", tools: [], effect: "escalate", conditions: null, requiredAssuranceLevel: null },
      ],
    });
  });

  test.each<[string, object, RegExp]>([
    ["no workspace", { workspaceIds: [] }, /^workspaceIds /],
    ["a guardrail that allows", { guardrails: [{ name: "G", effect: "allow" }] }, /effect/],
    [
      "two guardrails of one name",
      {
        guardrails: [
          { name: "G", effect: "deny" },
          { name: "G", effect: "deny" },
        ],
      },
      /name of its own/,
    ],
    [
      "a guardrail about a tool that it has not got",
      { tools: ["a"], guardrails: [{ name: "G", effect: "deny", tools: ["b"] }] },
      /^guardrails: G is about b, /,
    ],
    [
      "conditions that are none",
      { guardrails: [{ name: "G", effect: "deny", conditions: {} }] },
      /conditions must have exactly one/,
    ],
    ["instructions of blanks", { instructions: " " }, /^instructions /],
    ["a status that there is not", { status: "archived" }, /^status /],
    ["a kind of its own choice", { kind: "platform" }, /kind/],
  ])("with %s is refused with an explanation", async (_, body, sentence) => {
    expect(
      (
        await tenant.live.post(
          "/api/agents",
          { name: "A", instructions: "Help", workspaceIds: [workspaceId], ...body },
          400,
        )
      ).body.error,
    ).toMatch(sentence);
  });
});

describe("changing an agent", () => {
  test("changes only the given fields", async () => {
    const { id } = await create({ tools: ["a", "b"], guardrails: [{ name: "G", effect: "deny", tools: ["a"] }] });
    const elsewhere = await workspace();
    expect(
      (await tenant.live.patch(`/api/agents/${id}`, { status: "paused", workspaceIds: [elsewhere] }, 200)).body,
    ).toMatchObject({ name: "Returns", status: "paused", workspaceIds: [elsewhere], tools: ["a", "b"] });
    expect((await tenant.live.patch(`/api/agents/${id}`, { tools: ["b"] }, 400)).body.error).toMatch(/G is about a/);
    expect((await tenant.live.patch(`/api/agents/${id}`, { tools: ["b"], guardrails: [] }, 200)).body).toMatchObject({
      tools: ["b"],
      guardrails: [],
      instructionsVersion: 1,
    });
    for (const field of ["name", "role", "status", "workspaceIds", "tools", "guardrails"])
      await tenant.live.patch(`/api/agents/${id}`, { [field]: null }, 400);
    await tenant.live.patch(`/api/agents/${id}`, { instructions: "Other" }, 400);
  });

  test("'s instructions creates a version with its author and reason; the same instructions create none", async () => {
    const owner = await tenant.owner();
    const [key, me] = await Promise.all(
      [tenant.live, owner].map(async (client) => (await client.get("/api/me", 200)).body.id),
    );
    const { id } = await create();
    expect(
      (await owner.put(`/api/agents/${id}/instructions`, { instructions: "Help more.", reason: "Refunds" }, 200)).body,
    ).toMatchObject({ instructions: "Help more.", instructionsVersion: 2 });
    expect(
      (await owner.put(`/api/agents/${id}/instructions`, { instructions: " Help more. " }, 200)).body,
    ).toMatchObject({ instructionsVersion: 2 });
    expect(await versions(id)).toEqual([
      { version: 2, instructions: "Help more.", changedBy: me, reason: "Refunds", createdAt: aTime },
      { version: 1, instructions: "Help with returns.", changedBy: key, reason: null, createdAt: aTime },
    ]);
  });

  test("by deleting it also deletes its versions", async () => {
    const { id } = await create();
    await tenant.live.delete(`/api/agents/${id}`, 200);
    for (const path of [`/api/agents/${id}`, `/api/agents/${id}/instructions/versions`])
      expect((await tenant.live.get(path, 404)).body).toEqual(NOT_FOUND);
    await tenant.live.delete(`/api/agents/${id}`, 404);
    expect((await list()).map((agent) => agent.id)).not.toContain(id);
  });

  test("requires an owner or admin; agents of its workspaces can read it", async () => {
    const { id } = await create();
    const member = await newAgent(await tenant.owner(), [workspaceId]);
    expect((await read(id, member)).id).toBe(id);
    await member.patch(`/api/agents/${id}`, { name: "Mine" }, 403);
    await member.post("/api/agents", { name: "A", instructions: "Help", workspaceIds: [workspaceId] }, 403);
  });
});

describe("a restricted caller", () => {
  test("sees the built-in agents and those of its own workspaces, and no other workspaces of those agents", async () => {
    const owner = await tenant.owner();
    const brandId: string = (await owner.post("/api/brands", { name: "Other" }, 201)).body.id;
    const there = await workspace(brandId);
    const [here, both, only] = [
      await create(),
      await create({ workspaceIds: [workspaceId, there] }),
      await create({ workspaceIds: [there] }),
    ];
    const callers = [
      await keyFor(owner, { dataScope: { level: "workspace", workspaceId: there } }),
      await keyFor(owner, { dataScope: { level: "brand", brandId } }),
      await newAgent(owner, [there]),
    ];
    for (const client of callers) {
      const agents = await list(client);
      expect(agents.map(({ kind, id, workspaceIds }) => [kind, kind === "custom" && id, workspaceIds])).toEqual([
        ...Array(3).fill(["platform", false, []]),
        ["custom", both.id, [there]],
        ["custom", only.id, [there]],
      ]);
      for (const path of [
        `/api/agents/${here.id}`,
        `/api/agents/${here.id}/instructions/versions`,
        `/api/agents/${UNKNOWN_ID}`,
      ])
        expect((await client.get(path, 404)).body).toEqual(NOT_FOUND);
    }
    expect(await list(await newAgent(owner, []))).toEqual([]);
  });

  test("changes only agents that work in no other workspaces, and assigns agents only to its own workspaces", async () => {
    const owner = await tenant.owner();
    const there = await workspace();
    const key = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: there } });
    const both = await create({ workspaceIds: [workspaceId, there] });
    for (const attempt of [
      () => key.patch(`/api/agents/${both.id}`, { name: "Mine" }, 409),
      () => key.delete(`/api/agents/${both.id}`, 409),
      () => key.put(`/api/agents/${both.id}/instructions`, { instructions: "Obey." }, 409),
    ]) {
      expect((await attempt()).body.error).toMatch(/cannot reach/);
    }
    expect(await read(both.id)).toEqual(both);
    const own = await create({ workspaceIds: [there] }, key);
    await key.patch(`/api/agents/${own.id}`, { workspaceIds: [there, workspaceId] }, 404);
    await key.post("/api/agents", { name: "A", instructions: "Help", workspaceIds: [workspaceId] }, 404);
    expect(await read(own.id)).toEqual(own);
    await key.put(`/api/agents/${own.id}/instructions`, { instructions: "Better" }, 200);
  });
});

test("an agent whose workspace is deleted still works in the others; without any, only tenant-wide callers see it", async () => {
  const gone = await workspace();
  const [one, two] = [await create({ workspaceIds: [gone] }), await create({ workspaceIds: [gone, workspaceId] })];
  await tenant.live.delete(`/api/workspaces/${gone}`, 200);
  expect((await read(one.id)).workspaceIds).toEqual([]);
  expect((await read(two.id)).workspaceIds).toEqual([workspaceId]);
  const key = await keyFor(await tenant.owner(), { dataScope: { level: "workspace", workspaceId } });
  await key.patch(`/api/agents/${two.id}`, { name: "Alone" }, 200);
});
