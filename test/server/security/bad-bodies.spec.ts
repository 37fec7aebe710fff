import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Afterwards } from "../../../src/platform/jobs/afterwards.js";
import { bodyFor, goesOutOfDate, idFor, isOwn, ownMember, type Side, sideOf, snapshot } from "../contract/fixtures.js";
import { ROUTES, type Route } from "../../support/routes.js";
import { UNKNOWN_ID } from "../e2e/support.js";
import { AUTH_WEBHOOK_SECRET, PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { encode } from "../../support/client.js";
import { type Operation, operations } from "../../support/contract.js";
import { leastHold } from "../../support/cost.js";
import { inTurn } from "../../support/in-turn.js";
import { WHOLE } from "../../support/sweep.js";
import { badFields, nested, resolve, type Schema, spoil } from "./bad-values.js";
import { ask, faults, type RawAnswer } from "./http.js";
import { SHAPES } from "./shapes.js";

/** A test here walks over all routes, and a whole sweep sends thousands of requests. */
const WALK_MS = 600_000;

let app: TestApp;
let tenant: TestTenant;
let side: Side;
let publicKey: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  side = await sideOf(tenant);
  publicKey = (await tenant.live.get(`/api/workspaces/${side.workspaceId}/channels`, 200)).body.find(
    ({ type }) => type === "webchat",
  )!.address!;
});
afterAll(() => app.close());

interface Target {
  name: string;
  operation: Operation;
  route: Route;
  schema?: Schema;
}
const targets: Target[] = operations
  .filter(({ method }) => method !== "GET")
  .map((operation) => {
    const name = `${operation.method} ${operation.path}`;
    return {
      name,
      operation,
      route: ROUTES.find((route) => route.name === name)!,
      schema: operation.requestBody?.content["application/json"]?.schema,
    };
  });
/** What the body may be follows from the channel, and here there is none: it is 401, whatever comes. test/server/channels covers the others. */
const OF_PROVIDERS = "POST /api/webhooks/mail/{channelId}/mime";
const withBody = targets.filter(({ name, schema }) => schema !== undefined && name !== OF_PROVIDERS);
const each = (some: Target[]): [string, Target][] => some.map((target) => [target.name, target]);

/** For each public route, a valid body and its response. The bodies of other routes come from test/server/contract. */
const PUBLIC: Record<string, { body?: () => object; good: number }> = {
  "POST /api/auth/login": { body: () => ({ email: tenant.ownerEmail, password: PASSWORD }), good: 200 },
  "POST /api/auth/refresh": { body: () => ({ environment: "test" }), good: 401 },
  "POST /api/auth/second-factor": { body: () => ({ token: "no-sign-in", code: "123456" }), good: 401 },
  "POST /api/auth/password": { body: () => ({ token: "no-invitation", password: "a new password" }), good: 401 },
  "POST /api/auth/password-reset": { body: () => ({ email: "nobody@example.com" }), good: 200 },
  "POST /api/auth/email-proof": { body: () => ({ token: "no-link" }), good: 401 },
  "POST /api/public/verifications/{token}": { good: 404 },
  "POST /api/public/csat/{token}": { good: 404 },
  "POST /api/public/eid/start/{token}": { good: 404 },
  "POST /api/webhooks/channels/{channelId}": { good: 401 },
  "POST /api/webhooks/mail/{channelId}/mime": { good: 401 },
  "POST /api/public/webchat/{publicKey}/sessions": { body: () => ({}), good: 200 },
  // Without a session: the body is validated first, because anyone can send one.
  "POST /api/public/webchat/{publicKey}/messages": {
    body: () => ({ body: "Hello", clientMessageId: "one" }),
    good: 401,
  },
  "POST /api/public/webchat/{publicKey}/typing": { body: () => ({ typing: true }), good: 401 },
  "POST /api/public/webchat/{publicKey}/attachments": { good: 401 },
  "POST /api/public/contact-form-widgets/{publicKey}/submissions": {
    body: () => ({ email: "nobody@example.com", message: "Hello" }),
    good: 404,
  },
  "POST /api/webhooks/auth-provider": {
    body: () => ({
      type: "organization.created",
      timestamp: "2026-01-01T00:00:00Z",
      data: { id: randomUUID(), name: "Org", owner: { email: `${randomUUID()}@example.com`, name: "O" } },
    }),
    good: 200,
  },
};
/** A provider's requests may contain unknown fields. */
const LENIENT = "POST /api/webhooks/auth-provider";

function signature(body: string | Buffer): Record<string, string> {
  const [id, at] = [randomUUID(), new Date()];
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": new Webhook(AUTH_WEBHOOK_SECRET).sign(id, at, body.toString()),
  };
}

interface Sender {
  good: () => object | undefined;
  send(body?: string | Buffer, headers?: Record<string, string>): Promise<RawAnswer>;
}

/** Sends each body to its route with valid credentials: an owner's, or a valid signature. */
async function makeSender({ name, operation, route }: Target): Promise<Sender> {
  const known = PUBLIC[name];
  const { client, side: theirs } =
    known || !isOwn(route) ? { client: side.owner, side } : await ownMember(side, "admin");
  const id = await idFor(route, theirs);
  const path = operation.path
    .replace("{publicKey}", publicKey)
    .replace("{channelId}", UNKNOWN_ID)
    .replace(/\{[^}]+\}/, id ?? "x");
  // It belongs to the id: an approval names what it approves.
  const body = known ? undefined : bodyFor(route, theirs);
  return {
    // The codes of an authenticator app go out of date.
    good: () => (known ? known.body?.() : isOwn(route) ? bodyFor(route, theirs) : body),
    send: (sent, headers = {}) =>
      ask(app.baseUrl, {
        method: operation.method,
        path,
        body: sent,
        headers: {
          ...(known ? {} : { authorization: `Bearer ${client.token}` }),
          ...(name === LENIENT && sent !== undefined ? signature(sent) : {}),
          ...(sent === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
      }),
  };
}

const senders = new Map<Target, Promise<Sender>>();
/** The route's sender for bodies that are refused. They change nothing, so all tests have the same one. */
function senderFor(target: Target): Promise<Sender> {
  let sender = senders.get(target);
  if (!sender) senders.set(target, (sender = makeSender(target)));
  return sender;
}

interface Attempt {
  what: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
  status?: number;
  text?: string;
}

/** Sends some of the bodies to each route, and others to the next one. They are refused, and change nothing. */
async function expectAllRefused(
  some: Target[],
  everyWhich: { few: number; whole: number },
  attemptsOf: (target: Target, good: object | undefined) => Attempt[],
): Promise<void> {
  const all: [Target, Sender][] = [];
  for (const target of some) all.push([target, await senderFor(target)]);
  // What earlier sign-ins leave to be written after their responses.
  await app.app.get(Afterwards).finished();
  const before = await snapshot(app.db);
  const wrong: string[] = [];
  for (const [turn, [target, { good, send }]] of all.entries()) {
    for (const { what, body, headers, ...expected } of inTurn(attemptsOf(target, good()), everyWhich, turn)) {
      const answer = await send(body, headers);
      const found = faults(answer);
      if (!found.length && !isMatch(answer, expected)) found.push(`answered ${answer.status} ${answer.text}`);
      wrong.push(...found.map((fault) => `${target.name}, ${what}: ${fault}`));
    }
  }
  expect(wrong).toEqual([]);
  const { login_attempt: _, ...after } = await snapshot(app.db);
  expect(before).toMatchObject(after);
}
const isMatch = (answer: RawAnswer, { status = answer.status, text = answer.text }: Omit<Attempt, "what">): boolean =>
  answer.status === status && answer.text === text;

/** Their fields are optional because there are several ways: to prove something, or to name a member. One of them has to be there. */
const NEEDS_ONE_OF_SEVERAL = [
  "POST /api/auth/reauthenticate",
  "POST /api/me/second-factors/{id}/confirm",
  "POST /api/conversations/{id}/assign",
];
const withOptionalBody = withBody.filter(({ operation }) => !operation.requestBody!.required);

test.each(each(withOptionalBody))("%s works without a body, or names what it needs", async (name, target) => {
  const { send } = await makeSender(target);
  const { status, text } = await send();
  if (NEEDS_ONE_OF_SEVERAL.includes(name)) expect([status, text]).toEqual([400, expect.stringContaining("error")]);
  else if (PUBLIC[name]) expect(status, text).toBe(PUBLIC[name].good);
  else expect(status, text).toSatisfy((given: number) => given >= 200 && given < 300);
});

/** Bodies that no JSON parser can or should accept. */
const UNREADABLE: [string, string | Buffer][] = [
  ["a truncated object", '{"name":'],
  ["a truncated string", '{"name":"x'],
  ["an opened brace", "{"],
  ["nothing but spaces", "   "],
  ["two values", "{}{}"],
  ["single quotes", "{'name':'x'}"],
  ["NaN", '{"name":NaN}'],
  ["a comment", "{/**/}"],
  ["a trailing comma", '{"name":"x",}'],
  ["a form", "name=x&body=y"],
  ["XML", "<name>x</name>"],
  ["a raw NUL", '{"name":"\0"}'],
  ["a raw NUL alone", "\0"],
  ["a line break in a string", '{"name":"a\nb"}'],
  ["bytes that are not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ["a surrogate in bytes", Buffer.from("7b2261223a22eda080227d", "hex")],
  ["an overlong encoding of NUL", Buffer.from("7b2261223a22c080227d", "hex")],
  ["UTF-16", Buffer.from('{"name":"x"}', "utf16le")],
  ["10,000 arrays in each other", nested(10_000)],
  ["10,000 objects in each other", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`],
  ["arrays without an end", "[".repeat(100_000)],
  ["a key __proto__", '{"__proto__":{"admin":true}}'],
  ["a key __proto__ in escapes", '{"\\u005f_proto__":{"admin":true}}'],
  ["a key constructor.prototype", '{"constructor":{"prototype":{"admin":true}}}'],
  ["such a key deep within", '{"metadata":{"a":[{"__proto__":1}]}}'],
  ["an escaped NUL", '{"name":"\\u0000"}'],
  ["a lone surrogate", '{"name":"\\ud800"}'],
  ["a number without bounds", '{"name":1e400}'],
];

describe("an unreadable body", () => {
  test(
    "is refused by every route with a helpful message, and changes nothing",
    () => expectAllRefused(targets, { few: 6, whole: 3 }, () => UNREADABLE.map(([what, body]) => ({ what, body }))),
    WALK_MS,
  );

  const TYPES = [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonx",
    "xapplication/json",
    "application/xml",
    "application/octet-stream",
    "*/*",
    "json",
    ";;;",
    "",
  ];
  test(
    "is refused by every route with 415 if it is valid JSON with another content type, or none",
    () =>
      expectAllRefused(withBody, { few: 6, whole: 3 }, (_, good) => {
        const body = JSON.stringify(good);
        return [
          ...TYPES.map((type) => ({
            what: `Content-Type: ${type}`,
            body,
            headers: { "content-type": type },
            status: 415,
          })),
          {
            what: "another content type, and compressed",
            body,
            headers: { "content-encoding": "gzip", "content-type": "application/gzip" },
            status: 415,
          },
        ];
      }),
    WALK_MS,
  );

  test(
    "is refused by every route with 415 if it is compressed, or says so",
    () => {
      const bomb = gzipSync(Buffer.alloc(50_000_000));
      return expectAllRefused(targets, { few: 4, whole: 2 }, (_, good) => {
        const json = JSON.stringify(good ?? {});
        return (
          [
            ["gzip", json],
            ["gzip", gzipSync(json)],
            ["GZIP", bomb],
            ["deflate", json],
            ["br", brotliCompressSync(json)],
            ["identity, gzip", json],
            ["nonsense", json],
            ["", json],
          ] as const
        ).map(([encoding, body]) => ({
          what: `Content-Encoding: ${encoding}`,
          body,
          headers: { "content-encoding": encoding },
          status: 415,
        }));
      });
    },
    WALK_MS,
  );
});

describe("JSON that is not an object", () => {
  test(
    "is refused by every route with a helpful message, and changes nothing",
    () =>
      expectAllRefused(withBody, { few: 6, whole: 3 }, (_, good) =>
        [
          "null",
          "[]",
          '""',
          '"x"',
          "1",
          "0",
          "true",
          "false",
          "[[]]",
          "[null]",
          "[{}]",
          `[${JSON.stringify(good)}]`,
        ].map((body) => ({ what: body, body })),
      ),
    WALK_MS,
  );
});

describe("an empty body", () => {
  const demanding = withBody.filter(({ schema }) =>
    badFields(schema!).some(({ what, path }) => what === "a field that is missing" && path.length === 1),
  );
  test(
    "is refused by every route with required fields",
    () =>
      expectAllRefused(demanding, { few: 3, whole: 1 }, ({ name }) => [
        { what: "an empty object", body: "{}" },
        { what: "an empty body that calls itself JSON", body: "" },
        { what: "no body", headers: { "content-length": "0", ...(name === LENIENT ? signature("") : {}) } },
      ]),
    WALK_MS,
  );
});

describe("no body", () => {
  test(
    "is refused by every PATCH and PUT, even if no field is required",
    () => {
      const changes = targets.filter(({ operation: { method } }) => method === "PATCH" || method === "PUT");
      const ways: Record<string, Record<string, string>> = {
        "none at all": {},
        "of type JSON": { "content-type": "application/json" },
        "of no length": { "content-length": "0" },
        "of no chunks": { "transfer-encoding": "chunked", "content-type": "application/json" },
      };
      return expectAllRefused(changes, { few: 2, whole: 1 }, () =>
        Object.entries(ways).map(([what, headers]) => ({
          what,
          headers,
          status: 400,
          text: '{"error":"The body is missing"}',
        })),
      );
    },
    WALK_MS,
  );
});

describe("a field that does not match the description", () => {
  test(
    "is refused by every route with a helpful message, and changes nothing",
    () =>
      expectAllRefused(withBody, { few: 8, whole: 1 }, ({ name, schema }, good) =>
        badFields(schema!, { strict: name !== LENIENT })
          // Any other type of event is acknowledged and ignored.
          .filter(
            ({ path, json }) =>
              name !== LENIENT || path.join() !== "type" || !json.startsWith('"') || json.includes("\\u"),
          )
          .map((field) => ({
            what: `${field.path.join(".")} ${field.what} ${field.json.slice(0, 60)}`,
            body: spoil(good, schema!, field),
          })),
      ),
    WALK_MS,
  );

  test(
    "is refused by every route, even if it is named like a property of every object",
    () => {
      const names = [...Object.getOwnPropertyNames(Object.prototype), "toJSON", "then", "length"];
      return expectAllRefused(
        withBody.filter(({ name }) => name !== LENIENT),
        { few: 4, whole: 2 },
        (_, good) =>
          names.map((name) => ({
            what: name,
            body: `{"${name}":1${JSON.stringify({ x: 1, ...good }).replace('{"x":1', "")}`,
            status: 400,
          })),
      );
    },
    WALK_MS,
  );

  test("is kept in free JSON, whatever its name", async () => {
    const attributes = { toString: "x", constructor: 1, hasOwnProperty: { valueOf: null } };
    const { body } = await tenant.live.post("/api/contacts", { name: "Ada", attributes }, 201);
    expect(body.attributes).toEqual(attributes);
  });

  test("is tested with every kind of invalid value", () => {
    const schema: Schema = {
      type: "object",
      required: ["a"],
      properties: { a: { type: "string", maxLength: 3 }, b: { type: "object", properties: { c: { type: "number" } } } },
    };
    const texts = badFields(schema).map((field) => spoil({ a: "x" }, schema, field));
    expect(texts).toEqual(
      expect.arrayContaining([
        "{}",
        '{"a":1}',
        '{"a":"xxxx"}',
        '{"a":"\\ud800"}',
        '{"a":"x","b":{"c":1e400}}',
        '{"a":"x","b":[]}',
        '{"a":"x","nonsense":1}',
        '{"a":"x","__proto__":{"prototype":{"admin":true}}}',
      ]),
    );
    expect(texts.filter((text) => text.includes("@@"))).toEqual([]);
  });
});

test(
  "a valid body is accepted by every route, so what was invalid was the reason to refuse the others",
  async () => {
    const wrong: string[] = [];
    for (const target of targets) {
      const { good, send } = await (goesOutOfDate(target.route) ? makeSender : senderFor)(target);
      const { bytes, headers } = await encode(good());
      const { status, text } = await send(bytes, headers);
      const expected =
        PUBLIC[target.name]?.good ??
        Number(
          Object.keys(target.operation.responses)
            .filter((code) => code.startsWith("2"))
            .at(-1),
        );
      if (status !== expected) wrong.push(`${target.name}: ${status} ${text} and not ${expected}`);
    }
    expect(wrong).toEqual([]);
  },
  WALK_MS,
);

/** Less than the route takes. */
const bytesFor = ({ name }: Target): number => (/\/api\/auth\/|\/submissions$/.test(name) ? 15_000 : 1_000_000);

/** Ten times what the longest takes. What is not linear takes seconds. `npm run bench -- bodies` measures. */
const MAX_HOLD_MS = 500;
/** The file for what each body costs, which `npm run bench -- bodies` sets. It tries again what takes longer than 10 ms. */
const REPORT = process.env.PARLEY_BODIES_REPORT;

test(
  "no body holds up the process, whatever its fields have in them",
  async () => {
    const slow: string[] = [];
    for (const [turn, target] of withBody.entries()) {
      const { good, send } = await senderFor(target);
      const fields = Object.keys(resolve(target.schema!).properties ?? {});
      const all = Object.keys(SHAPES).flatMap((shape) => fields.map((field) => ({ shape, field })));
      // All of them take three minutes, so `SWEEP=all` takes a twelfth, and the hunts all.
      const which = REPORT || process.env.HUNT ? 1 : WHOLE ? 12 : 30;
      for (const { shape, field } of all.filter((_, i) => (i + turn) % which === 0)) {
        const { [field]: _, ...others } = good() as Record<string, unknown>;
        const rest = JSON.stringify(others).slice(0, -1);
        const body = `${rest}${rest === "{" ? "" : ","}"${field}":${SHAPES[shape]!(bytesFor(target))}}`;
        let status = 0;
        const ms = await leastHold(async () => ({ status } = await send(body)), REPORT ? 10 : MAX_HOLD_MS);
        if (REPORT)
          fs.appendFileSync(
            REPORT,
            `${JSON.stringify({ route: target.name, field, shape, bytes: body.length, status, ms })}\n`,
          );
        if (ms >= MAX_HOLD_MS || status >= 500) slow.push(`${target.name}, ${field} ${shape}: ${status}, ${ms} ms`);
      }
    }
    expect(slow).toEqual([]);
  },
  // A report has all of them, on a machine that may be busy.
  REPORT ? 3 * WALK_MS : WALK_MS,
);
