import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { handOverText, TEXTS } from "../../../src/assistant/context/texts.js";
import { newWorkspace, start } from "../e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { ASKED } from "../../unit/assistant/asked.js";
import { ask, assist, saidIn, teach } from "./support.js";
import {
  askForApproval,
  beginRun,
  call,
  carryOut,
  type Desk,
  openDesk,
  policy,
  startToolServer,
  type ToolServer,
} from "./tools-support.js";

// In which language the assistant says what it says in its own words.

const LANGUAGES = Object.keys(TEXTS) as (keyof typeof TEXTS)[];

let app: TestApp;
let tenant: TestTenant;
let key: Client;
let owner: Client;
let server: ToolServer;
beforeAll(async () => {
  server = await startToolServer();
  app = await startApp({ OUTBOUND_ALLOW: [server.host] });
  tenant = await app.tenant();
  key = tenant.live;
  owner = await tenant.owner();
});
afterAll(async () => {
  await app.close();
  await server.close();
});

test.each(LANGUAGES)("a hand-over is told in the contact's language: %s", async (language) => {
  const { id: workspaceId } = await newWorkspace(key, tenant.defaults.brandId);
  const { id } = await start(key, workspaceId, { message: { body: ASKED[language] } });
  await assist(app);
  expect(await saidIn(key, id)).toEqual([`system: ${handOverText("nothingFound", [], language, "en")}`]);
  expect((await key.get(`/api/conversations/${id}`, 200)).body.summary, "for colleagues").toContain(
    TEXTS.en.nothingFound,
  );
});

test("a question back in Spanish names the questions without their marks", async () => {
  const { id: workspaceId } = await newWorkspace(key, tenant.defaults.brandId, { primaryLanguage: "es" });
  await teach(key, workspaceId, [
    { question: "¿Cómo cancelo mi pedido?", answer: "Pulse Cancelar en el pedido.", language: "es" },
    { question: "¿Cómo cancelo mi visita?", answer: "Pulse Cancelar en su cuenta.", language: "es" },
  ]);
  const { id } = await start(key, workspaceId, { message: { body: "¿Cómo cancelo?" } });
  await assist(app);
  expect((await saidIn(key, id))[0]).toMatch(
    /^assistant: ¿Se refiere a «Cómo cancelo mi (pedido|visita)» o a «Cómo cancelo mi (pedido|visita)»\?$/,
  );
});

describe("what is said about a tool", () => {
  let desk: Desk;
  beforeEach(async () => {
    server.answers = { "/refund": () => ({ body: { refunded: 30 } }) };
    desk = await openDesk(app, tenant, owner, server);
  });

  test.each(["fr", "es"] as const)("asks for proof of identity in the contact's language: %s", async (language) => {
    const questions = [{ key: "id", prompt: "4 + 4?", attribute: "number" }];
    const sources = [{ name: "crm", type: "contact_attributes", questions }];
    await owner.put(`/api/workspaces/${desk.workspaceId}/verification-sources`, { sources }, 200);
    await policy(desk, "allow", { requiredAssuranceLevel: "identified" });
    const run = await beginRun(desk, { attributes: { number: "8" } }, ASKED[language]);
    expect(await call(desk, run)).toMatchObject({ kind: "waits", for: "verification" });
    const asked = TEXTS[language].prove.replace("{prompt}", "4 + 4?");
    expect(await saidIn(key, run.conversationId)).toEqual([`system: ${asked}`]);
  });

  test.each(["fr", "es"] as const)("tells what became of an action in the contact's language: %s", async (language) => {
    await policy(desk, "require_approval");
    const rejected = await askForApproval(desk, undefined, ASKED[language]);
    await owner.post(`/api/pending-actions/${rejected.action.id}/reject`, {}, 200);
    expect(await saidIn(key, rejected.run.conversationId)).toEqual([`system: ${TEXTS[language].refused}`]);
    const { action, run } = await askForApproval(desk, undefined, ASKED[language]);
    await ask(key, run.conversationId, "OK");
    await app.db.query("update assistant_run set outcome = 'superseded', ended_at = now() where id = $1", [run.id]);
    await owner.post(`/api/pending-actions/${action.id}/approve`, { argumentsHash: action.argumentsHash }, 200);
    await carryOut(app);
    expect(await saidIn(key, run.conversationId)).toEqual([`system: ${TEXTS[language].executed}`]);
  });
});
