import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { start } from "../e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";

let app: TestApp;
let tenant: TestTenant;
/** Runs while the look-up tool is asked. */
let meanwhile: () => Promise<unknown>;
const tool = http.createServer((request, response) => {
  request.resume().on("end", () => {
    void meanwhile().then(() =>
      response.setHeader("content-type", "application/json").end(JSON.stringify({ pin: "9503" })),
    );
  });
});
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    tool.listen(0, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(tool.address() as AddressInfo).port}`;
  app = await startApp({ OUTBOUND_ALLOW: [host] });
  tenant = await app.tenant();
  const owner = await tenant.owner();
  const settings = `/api/workspaces/${tenant.defaults.workspaceId}` as const;
  await owner.put(`${settings}/identity-settings`, { requiredCorrectAnswers: 1 }, 200);
  const questions = [{ key: "pin", prompt: "PIN?", path: "$.pin" }];
  const sources = [{ name: "crm", type: "http", url: `http://${host}/`, questions }];
  await owner.put(`${settings}/verification-sources`, { sources }, 200);
});
afterAll(async () => {
  await app.close();
  tool.close();
});

test("a right answer about a contact that is merged during the look-up proves nothing of the survivor", async () => {
  const { workspaceId } = tenant.defaults;
  const answer = async (during: (contactId: string) => Promise<unknown>) => {
    const { id, contactId } = await start(tenant.live, workspaceId);
    const path = `/api/conversations/${id}` as const;
    const { body } = await tenant.live.post(`${path}/verification/questions`, {}, 200);
    meanwhile = () => during(contactId);
    const { status } = await tenant.live.post(`${path}/verification/answers`, {
      questionId: body.questions[0]!.questionId,
      answer: "9503",
    });
    return { status, level: (await tenant.live.get(`${path}/assurance`, 200)).body.level };
  };
  expect(await answer(() => Promise.resolve())).toEqual({ status: 200, level: "identified" });
  const survivor = (await start(tenant.live, workspaceId)).contactId;
  expect(
    await answer((sourceContactId) => tenant.live.post(`/api/contacts/${survivor}/merge`, { sourceContactId }, 200)),
  ).toEqual({ status: 404, level: "none" });
});
