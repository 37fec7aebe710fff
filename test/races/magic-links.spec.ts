import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  LINK,
  type Desk,
  eventsOf,
  open,
  pageOf,
  person,
  sendLink,
  testDesk,
  typesOf,
} from "../server/e2e/magic-links-support.js";
import { startApp, type TestApp, type TestTenant } from "../support/app.js";
import { Client } from "../support/client.js";
import { type Process, startProcess } from "./processes.js";
import { concurrently, tally } from "./support.js";
import { allowTimeForProcesses } from "../server/process/support.js";

allowTimeForProcesses();

let app: TestApp;
let tenant: TestTenant;
let desk: Desk;
let nodes: Process[];
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  desk = await testDesk(app, tenant);
  nodes = await Promise.all([startProcess(app.db), startProcess(app.db)]);
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await app.close();
});

const baseUrl = (n: number): string => [app.baseUrl, ...nodes.map((node) => node.baseUrl)][n % 3]!;
const press = (n: number, token: string): Promise<Response> => fetch(baseUrl(n) + pageOf(token), { method: "POST" });

describe("on three processes", () => {
  test.each([1, 2, 3])(
    "fifty concurrent presses of one link, while other clients open it, redeem it once (round %i)",
    async () => {
      const one = await person(desk);
      const { token, linkId } = await sendLink(desk, one);
      const [presses] = await Promise.all([
        concurrently(50, (n) => press(n, token)),
        concurrently(20, () => open(app, token)),
      ]);
      expect(tally(presses.map(({ status }) => status))).toEqual({ 200: 1, 404: 49 });
      expect(await eventsOf(desk, one)).toMatchObject([
        { eventType: "factor_added", evidenceRef: `magic_link:${linkId}` },
        { eventType: "assurance_level_reached" },
      ]);
      expect(await app.db.query("select 1 from verification_factor where conversation_id = $1", [one.id])).toHaveLength(
        1,
      );
    },
  );

  test("only the newest of five links requested concurrently works", async () => {
    const one = await person(desk);
    const answers = await concurrently(5, (n) =>
      new Client(baseUrl(n), desk.key.token).post(`${one.path}/verification/magic-links`, { channel: "email" }, 200),
    );
    const { data } = (await desk.owner.get("/api/captured-messages?limit=5", 200)).body;
    const statuses = [];
    for (const { body } of data) statuses.push((await press(0, LINK.exec(body)![1]!)).status);
    expect(tally(statuses)).toEqual({ 200: 1, 404: 4 });
    expect(new Set(answers.map(({ body }) => body.linkId)).size).toBe(5);
    expect(tally(await typesOf(desk, one))).toEqual({ factor_added: 1, assurance_level_reached: 1, factor_failed: 4 });
  });

  test("a press and a concurrent newer link: either the press counts or the link is replaced, never both", async () => {
    for (let round = 0; round < 10; round++) {
      const one = await person(desk);
      const { token, linkId } = await sendLink(desk, one);
      const [pressed] = await Promise.all([
        press(round, token),
        new Client(baseUrl(round + 1), desk.key.token).post(
          `${one.path}/verification/magic-links`,
          { channel: "email" },
          200,
        ),
      ]);
      const [link] = await app.db.query<{ redeemed: boolean; replaced: boolean }>(
        "select redeemed_at is not null as redeemed, replaced_at is not null as replaced from magic_link where id = $1",
        [linkId],
      );
      expect([link, await typesOf(desk, one)]).toEqual(
        pressed.status === 200
          ? [{ redeemed: true, replaced: false }, ["factor_added", "assurance_level_reached"]]
          : [{ redeemed: false, replaced: true }, ["factor_failed"]],
      );
    }
  });

  test("a press and a concurrent erasure: either the link is redeemed and then erased, or it is gone", async () => {
    for (let round = 0; round < 10; round++) {
      const one = await person(desk);
      const { token } = await sendLink(desk, one);
      const [pressed] = await Promise.all([
        press(round, token),
        new Client(baseUrl(round + 1), desk.key.token).post(`/api/contacts/${one.contactId}/erasure`, undefined, 200),
      ]);
      expect([200, 404]).toContain(pressed.status);
      expect(await eventsOf(desk, one)).toEqual([]);
      for (const table of ["magic_link", "verification_factor"])
        expect(await app.db.query(`select 1 from ${table} where conversation_id = $1`, [one.id])).toEqual([]);
    }
  });
});
