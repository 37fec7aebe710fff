import http, { type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ExpectedAnswers, type Person } from "../../../src/identity/verification/expected-answers.js";
import { startApp, type TestApp } from "../../support/app.js";
import { eventually } from "../../support/eventually.js";

let app: TestApp;
let url: string;
/** Requests to the slow tool, which answers when the test says so. */
const open: ServerResponse[] = [];
const answer = (response: ServerResponse): unknown =>
  response.setHeader("content-type", "application/json").end('{"pin":"9503"}');
const tool = http.createServer((request, response) => {
  request.resume().on("end", () => (request.url === "/slow" ? open.push(response) : answer(response)));
});
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    tool.listen(0, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(tool.address() as AddressInfo).port}`;
  url = `http://${host}`;
  app = await startApp({ OUTBOUND_ALLOW: [host] });
});
afterAll(async () => {
  await app.close();
  tool.close();
});

test("one tenant has fifty look-ups open at most, and others find room beside them", async () => {
  const ada: Person = { id: "1", externalId: null, name: "Ada", emails: [], phones: [], attributes: {} };
  const answers = app.app.get(ExpectedAnswers);
  const lookUp = (tenantId: string, path: string) =>
    answers.answers(
      tenantId,
      {
        name: "crm",
        type: "http",
        url: url + path,
        authorization: null,
        questions: [{ key: "pin", prompt: "PIN?", path: "$.pin", attribute: null }],
      },
      "pin",
      ada,
    );
  const found = { answers: ["9503"], lookedUp: true };
  const slow = Array.from({ length: 120 }, () => lookUp("slow", "/slow"));
  await eventually(() => expect(open.length).toBeGreaterThanOrEqual(50));
  expect(await lookUp("quick", "/")).toEqual(found);
  expect(open).toHaveLength(50);
  // What ends makes room for those that wait.
  for (let answered = 0; answered < slow.length;) {
    await eventually(() => expect(open.length).toBeGreaterThan(0));
    for (const response of open.splice(0)) {
      answer(response);
      answered++;
    }
  }
  expect(await Promise.all(slow)).toEqual(slow.map(() => found));
});
