import { afterAll, beforeAll, expect, test } from "vitest";
import { codeOf, complete, person, withApp, withPassword } from "../server/auth/second-factor-support.js";
import { concurrently, startTwo, tally, type TwoNodes } from "./support.js";
import type { Client } from "../support/client.js";

let nodes: TwoNodes;
let owner: Client;
beforeAll(async () => {
  nodes = await startTwo();
  owner = await (await nodes.a.tenant()).owner();
});
afterAll(() => nodes.close());

const node = (index: number) => (index % 2 ? nodes.a : nodes.b);
const forgetAttempts = (): Promise<unknown> => nodes.a.db.query("delete from login_attempt");

test("of many sign-ins with one code at the same time, one succeeds", async () => {
  const { email, client } = await person(owner);
  const { secret } = await withApp(client);
  const tokens = await Promise.all([1, 2, 3, 4].map(async () => (await withPassword(nodes.a, email)).token));
  await forgetAttempts();
  const code = codeOf(secret);
  const answers = await concurrently(4, (index) => complete(node(index), tokens[index]!, { code }));
  expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 401: 3 });
});

test("of many sign-ins with one recovery code at the same time, one succeeds", async () => {
  const { email, client } = await person(owner);
  await withApp(client);
  const [code] = (await client.post("/api/me/second-factors/recovery-codes", undefined, 201)).body.codes;
  const tokens = await Promise.all([1, 2, 3, 4].map(async () => (await withPassword(nodes.a, email)).token));
  await forgetAttempts();
  const answers = await concurrently(4, (index) => complete(node(index), tokens[index]!, { recoveryCode: code }));
  expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 401: 3 });
});

test("a token gives one session, even for different right answers at the same time", async () => {
  const { email, client } = await person(owner);
  await withApp(client);
  const { codes } = (await client.post("/api/me/second-factors/recovery-codes", undefined, 201)).body;
  const { token } = await withPassword(nodes.a, email);
  await forgetAttempts();
  const answers = await concurrently(4, (index) => complete(node(index), token, { recoveryCode: codes[index] }));
  expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 401: 3 });
  // What the others presented is still good.
  expect((await client.get("/api/me/second-factors", 200)).body.recoveryCodesLeft).toBe(9);
});

test("of any number of guesses at the same time, no more than five are compared", async () => {
  const { id, email, client } = await person(owner);
  const { secret } = await withApp(client);
  const { token } = await withPassword(nodes.a, email);
  const wrong = codeOf(secret) === "000000" ? "111111" : "000000";
  await forgetAttempts();
  await concurrently(9, (index) => complete(node(index), token, { code: wrong }));
  const [row] = await nodes.a.db.query<{ tries: number }>("select tries from second_factor where member_id = $1", [id]);
  expect(row!.tries).toBe(5);
});
