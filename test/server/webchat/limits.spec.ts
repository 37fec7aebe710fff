import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { fileForm } from "../../support/client.js";
import { eventually } from "../../support/eventually.js";
import { type Chat, chatOf, Visitor } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let chat: Chat;
beforeAll(async () => {
  app = await startApp({
    WEBCHAT_STREAMS_PER_ADDRESS: 3,
    WEBCHAT_STREAMS_PER_TENANT: 5,
    TRUSTED_PROXIES: ["127.0.0.1"],
  });
  tenant = await app.tenant();
  chat = await chatOf(tenant);
});
afterAll(() => app.close());

const visitor = (of = chat): Promise<Visitor> => Visitor.open(app.baseUrl, of);
/** A stream of a new visitor from the address. */
async function stream(
  address: string,
  of = chat,
): Promise<{ status: number; retryAfter: string | null; end: () => Promise<void> }> {
  const { token } = await visitor(of);
  const response = await fetch(`${app.baseUrl}${of.path}/stream`, {
    headers: { authorization: `Bearer ${token}`, "x-forwarded-for": address },
  });
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    end: async () => response.body?.cancel(),
  };
}

test("one address, and one tenant, may open only so many streams; what is closed makes room", async () => {
  const open = [await stream("192.0.2.1"), await stream("192.0.2.1"), await stream("192.0.2.1")];
  expect(open.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await stream("192.0.2.1")).toMatchObject({ status: 429, retryAfter: "5" });
  open.push(await stream("192.0.2.2"), await stream("192.0.2.3"));
  expect(open.at(-1)!.status).toBe(200);
  expect((await stream("192.0.2.4")).status).toBe(429);
  const other = await stream("192.0.2.4", await chatOf(await app.tenant()));
  expect(other.status).toBe(200);
  await open[0]!.end();
  const again = await eventually(async () => {
    const one = await stream("192.0.2.1");
    expect(one.status).toBe(200);
    return one;
  });
  for (const one of [...open.slice(1), other, again]) await one.end();
});

test("one address may send only so many files to a channel in an hour, whoever the visitors are", async () => {
  const send = ({ token }: Visitor, address: string): Promise<Response> =>
    fetch(`${app.baseUrl}${chat.path}/attachments`, {
      method: "POST",
      body: fileForm("Hello", "a.txt", "text/plain"),
      headers: { authorization: `Bearer ${token}`, "x-forwarded-for": address },
    });
  // One visitor may send ten in a minute.
  const visitors = await Promise.all(Array.from({ length: 6 }, () => visitor()));
  const statuses: number[] = [];
  for (let n = 0; n < 60; n++) statuses.push((await send(visitors[n % 6]!, "192.0.2.9")).status);
  expect(new Set(statuses)).toEqual(new Set([201]));
  const newcomer = await visitor();
  const refused = await send(newcomer, "192.0.2.9");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_000);
  expect((await send(newcomer, "192.0.2.10")).status).toBe(201);
});
