import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "../../support/app.js";
import { Client } from "../../support/client.js";
import { PROTECTED } from "../../support/routes.js";
import { settled } from "../feed/support.js";
import { environmentOf, idFor, isOwn, ownMember, send, type Side, sideOf } from "./fixtures.js";

// One server reads with Parley's engine, the other one with `pg` alone.

let app: TestApp;
let plain: TestApp;
let live: Side;
let onTest: Side;
beforeAll(async () => {
  app = await startApp();
  plain = await startApp({ READ_ENGINE: "pg" }, app.db);
  const tenant = await app.tenant();
  live = await sideOf(tenant);
  onTest = await sideOf(tenant, "test");
});
afterAll(async () => {
  await plain.close();
  await app.close();
});

/** A stream, and an address with new secrets in each answer. */
const DIFFERS = ["/api/events", "/api/channels/{id}/sign-in"];
const READS = PROTECTED.filter(({ method, path }) => method === "GET" && !DIFFERS.includes(path));

/** When the answer was made. The link of a file says until when it is valid. */
const MADE_NOW = /"(?:lastUsedAt|lastSeenAt)":(?:"[^"]*"|null)|\/public\/attachments\/[\w-]+/g;

test("every route that reads gives the same answer with either engine, to the byte", async () => {
  let compared = 0;
  for (const route of READS) {
    const whole = environmentOf(route) === "test" ? onTest : live;
    const { client, side } = isOwn(route)
      ? await ownMember(whole, "owner")
      : { client: route.access === "scope" ? whole.key : whole.owner, side: whole };
    const id = await idFor(route, side);
    const ask = async ({ baseUrl }: TestApp) => {
      const { status, text } = await send(new Client(baseUrl, client.token), route, { id });
      return { route: route.name, status, text: text.replace(MADE_NOW, "") };
    };
    // A transaction of another file holds the feed back. What it held is in the later answers.
    if (route.path === "/api/changes") await settled(app.db);
    const [one, other] = [await ask(app), await ask(plain)];
    expect(other).toEqual(one);
    if (one.status === 200) compared++;
  }
  expect(compared).toBeGreaterThan(60);
});
