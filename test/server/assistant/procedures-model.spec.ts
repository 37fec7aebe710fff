import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Step } from "../../../src/assistant/procedures/definition.js";
import { newWorkspace, start } from "../e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { calls, type Request, type ScriptedModel, startModel } from "./model-support.js";
import { activityOf, ask, assist, saidIn, teach } from "./support.js";
import { startToolServer, type ToolServer } from "./tools-support.js";

// A procedure reads the contact by patterns. What they do not read, a language model does, and the contact is asked whether it is so.

const STEPS: Step[] = [
  {
    id: "size",
    type: "ask",
    text: "Which size?",
    slot: {
      kind: "choice",
      options: [
        { value: "s", label: "Small (38)" },
        { value: "l", label: "Large (44)" },
      ],
    },
  },
  { id: "sure", type: "confirm", text: "Shall I exchange it for {size}?" },
  { id: "exchanged", type: "call", tool: "exchange", arguments: { size: "{size}" } },
  { id: "done", type: "say", text: "Done, reference {exchanged.reference}." },
];
const HOURS = { question: "When are your shops open?", answer: "From nine to six." };

let app: TestApp;
let model: ScriptedModel;
let server: ToolServer;
let tenant: TestTenant;
let owner: Client;
let key: Client;
let workspaceId: string;
let procedureId: string;
beforeAll(async () => {
  [model, server] = await Promise.all([startModel(), startToolServer()]);
  app = await startApp({ ...model.settings, OUTBOUND_ALLOW: [...model.settings.OUTBOUND_ALLOW, server.host] });
  tenant = await app.tenant();
  owner = await tenant.owner();
  key = tenant.live;
  ({ id: workspaceId } = await newWorkspace(key, tenant.defaults.brandId));
  const parameters = { type: "object", properties: { size: { type: "string" } }, required: ["size"] };
  const tool = { name: "exchange", description: "Exchanges", effect: "write", publicFields: ["reference"], parameters };
  await owner.post(`/api/workspaces/${workspaceId}/tools`, { ...tool, url: server.url("/exchange") }, 201);
  server.answers["/exchange"] = () => ({ body: { reference: "R7" } });
  const agent = { name: "Shop", role: "assistant", status: "active", workspaceIds: [workspaceId] };
  const { id: agentId } = (await key.post("/api/agents", { ...agent, instructions: "Help", tools: ["exchange"] }, 201))
    .body;
  const rule = { title: "Everybody", rule: "Always", effect: "allow", tools: ["exchange"] };
  await key.post(`/api/workspaces/${workspaceId}/policy-entries`, rule, 201);
  await teach(key, workspaceId, [HOURS]);
  const procedure = { agentId, name: "Exchange", status: "active", steps: STEPS as never };
  const startsWith = { entries: [], phrases: ["exchange my shoes"] };
  ({ id: procedureId } = (
    await owner.post(`/api/workspaces/${workspaceId}/procedures`, { ...procedure, startsWith }, 201)
  ).body);
});
afterAll(async () => {
  await app.close();
  await server.close();
  model.close();
});
let before = 0;
beforeEach(() => {
  before = server.on("/exchange").length;
  model.script(() => {
    throw new Error("nobody asks the model");
  });
});
const exchanged = () => server.on("/exchange").slice(before);

const means = (meaning: object): object => calls(["respond", meaning]);
async function talk(body = "I want to exchange my shoes") {
  const { id } = await start(key, workspaceId, { contact: { name: "Ada" }, message: { body } });
  await assist(app);
  const write = async (text: string): Promise<string[]> => {
    const length = (await saidIn(key, id)).length;
    await ask(key, id, text);
    await assist(app);
    return (await saidIn(key, id)).slice(length);
  };
  return { id, write };
}
const dataIn = ({ messages }: Request): Record<string, unknown> =>
  JSON.parse(messages[1]!.content!.replace(/^[^{]*/, "")) as Record<string, unknown>;

describe("what the patterns do not read", () => {
  test("the model reads, the contact says yes to it, and only then it counts", async () => {
    const { id, write } = await talk();
    model.script(means({ means: "value", step: "size", value: "2" }));
    expect(await write("my feet are huge")).toEqual(["assistant: Do you mean “Large (44)”?"]);
    const [request] = model.requests;
    expect(dataIn(request!)).toMatchObject({
      asked: { step: "size", question: "Which size?", options: ["1. Small (38)", "2. Large (44)"] },
      message: "my feet are huge",
    });
    expect(request!.tools.map(({ function: { name } }) => name)).toEqual(["respond"]);
    expect(await write("yes")).toEqual(["assistant: Shall I exchange it for Large (44)?"]);
    expect(exchanged()).toEqual([]);
    expect(await write("yes please")).toEqual(["assistant: Done, reference R7."]);
    expect(exchanged()).toMatchObject([{ body: { arguments: { size: "l" } } }]);
    const steps = (await activityOf(key, id)).flatMap((run) => run.steps);
    expect(steps.filter(({ type }) => type === "model")).toMatchObject([{ inputTokens: 100, outputTokens: 20 }]);
    expect(steps.flatMap(({ procedureStep, did }) => (did === "understood" ? [procedureStep] : []))).toEqual(["size"]);
  });

  test("no half of an emoji goes to the model, where the message is cut off", async () => {
    const { write } = await talk();
    model.script(means({ means: "nothing" }));
    await write(`${"my feet are huge ".repeat(120).slice(0, 1_999)}😀`);
    const message = dataIn(model.requests[0]!).message as string;
    expect([message.slice(0, 15), message.isWellFormed()]).toEqual(["my feet are hug", true]);
  });

  test("no model says yes to the change", async () => {
    const { write } = await talk();
    await write("small");
    model.script(means({ means: "value", step: "sure", value: "yes" }));
    expect(await write("splendid idea")).toEqual([
      "assistant: I am sorry, I did not understand that.\n\nShall I exchange it for Small (38)?",
    ]);
    expect(exchanged()).toEqual([]);
  });

  test("a question is answered by an entry, as without a model", async () => {
    const { write } = await talk();
    model.script(means({ means: "question" }));
    expect((await write(HOURS.question))[0]).toContain(HOURS.answer);
  });

  test.each([
    ["the model is down", (_: Request, response: { destroy(): void }) => void response.destroy()],
    ["it answers with something else", means({ means: "everything", value: 7 })],
    ["it chooses what there is not", means({ means: "value", step: "size", value: "9" })],
    ["it answers for another step", means({ means: "value", step: "exchanged", value: "R7" })],
  ])("it is asked again where %s", async (_, turn) => {
    const { write } = await talk();
    model.script(turn);
    expect(await write("my feet are huge")).toEqual([
      expect.stringContaining("assistant: I am sorry, I did not understand that.\n\nWhich size?"),
    ]);
  });
});

describe("a procedure that the model begins", () => {
  test("does what the contact wants, in words that no phrase has", async () => {
    model.script(calls(["begin_procedure", { name: "Exchange" }]));
    const { id } = await talk("These sneakers pinch, can I get others?");
    expect(await saidIn(key, id)).toEqual([expect.stringMatching(/^assistant: Which size\?/)]);
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]!.tools.find(({ function: { name } }) => name === "begin_procedure")).toMatchObject({
      function: { parameters: { properties: { name: { enum: ["Exchange"] } } } },
    });
    const [run] = await activityOf(key, id);
    expect(run!.steps.map(({ type, did }) => did ?? type)).toEqual(["retrieve", "model", "asked", "send"]);
  });

  test("changes nothing before the contact has answered it", async () => {
    const steps = STEPS.slice(2).map((step) => (step.type === "call" ? { ...step, arguments: { size: "l" } } : step));
    const { agentId } = (await owner.get(`/api/procedures/${procedureId}`, 200)).body;
    const procedure = { agentId, name: "At once", status: "active", steps: steps as never };
    const startsWith = { entries: [], phrases: ["send the large pair"] };
    const { id: atOnce } = (
      await owner.post(`/api/workspaces/${workspaceId}/procedures`, { ...procedure, startsWith }, 201)
    ).body;
    model.script(calls(["begin_procedure", { name: "At once" }]));
    const { id } = await talk("These sneakers pinch, can I get others?");
    expect(exchanged()).toEqual([]);
    expect((await key.get(`/api/conversations/${id}`, 200)).body.handlingMode).toBe("human");
    const [run] = await activityOf(key, id);
    expect(run!.steps.map(({ type, did }) => did ?? type)).toContain("handed_over");
    // The contact's own words are enough.
    await talk("Please send the large pair");
    expect(exchanged()).toHaveLength(1);
    await owner.delete(`/api/procedures/${atOnce}`, 200);
  });

  test("is one that there is: another name is refused, and a paused one is not offered", async () => {
    const respond = ["respond", { action: "hand_off", say: [], confidence: 1 }] as const;
    model.script(calls(["begin_procedure", { name: "Refund" }]), calls([...respond]));
    const { id } = await talk("These sneakers pinch, can I get others?");
    expect((await saidIn(key, id)).join()).not.toContain("Which size?");
    expect(model.requests[1]!.messages.at(-1)!.content).toContain("There is no such tool");
    await owner.patch(`/api/procedures/${procedureId}`, { status: "paused" }, 200);
    model.script(calls([...respond]));
    await talk("These sneakers pinch, can I get others?");
    expect(JSON.stringify(model.requests[0]!.tools)).not.toContain("begin_procedure");
    await owner.patch(`/api/procedures/${procedureId}`, { status: "active" }, 200);
  });
});
