import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { JSON_PATH, readPath } from "../../../src/identity/lookup/json-path.js";
import { type LookupContact, lookUp } from "../../../src/identity/lookup/lookup-tool.js";
import { OutboundClient, OutboundError } from "../../../src/platform/outbound/outbound.client.js";

const CONTACT = {
  id: "0190c0de-0000-7000-8000-000000000001",
  externalId: "crm-1",
  name: "Ann",
  emails: ["ann@example.com"],
  phones: ["+442079460958"],
};
const KNOWN = {
  birth: "1985-04-03",
  policies: [{ number: 12, open: true, tags: [], holder: { city: "Łódź" } }],
  nothing: null,
};

describe("the look-up tool", () => {
  const seen: { method?: string; authorization?: string; body: unknown }[] = [];
  const server = http.createServer((request, response) => {
    let body = "";
    request
      .on("data", (chunk: Buffer) => {
        body += chunk.toString();
      })
      .on("end", () => {
        seen.push({ method: request.method, authorization: request.headers.authorization, body: JSON.parse(body) });
        response
          .writeHead(request.url === "/down" ? 503 : 200, { "content-type": "application/json" })
          .end(JSON.stringify(KNOWN));
      });
  });
  let url: string;
  let outbound: OutboundClient;
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    url = `http://${host}/`;
    outbound = new OutboundClient([host]);
  });
  afterAll(() => {
    server.close();
  });

  const questions = [
    { key: "birth", path: "$.birth" },
    { key: "city", path: "$.policies[0].holder.city" },
    { key: "policy", path: "$.policies[0].number" },
    { key: "open", path: "$.policies[0].open" },
    { key: "absent", path: "$.policies[1].number" },
    { key: "null", path: "$.nothing" },
    { key: "object", path: "$.policies[0].holder" },
    { key: "array", path: "$.policies" },
    { key: "no path", path: "$..city" },
  ];

  test("gets the contact's identifiers, and its answers are there for each question", async () => {
    const answers = await lookUp(outbound, { name: "crm", url, authorization: "Bearer t", questions }, CONTACT);
    expect([...answers]).toEqual([
      ["birth", "1985-04-03"],
      ["city", "Łódź"],
      ["policy", "12"],
      ["open", "true"],
      ["absent", null],
      ["null", null],
      ["object", null],
      ["array", null],
      ["no path", null],
    ]);
    const { id, ...rest } = CONTACT;
    expect(seen.pop()).toEqual({ method: "POST", authorization: "Bearer t", body: { contactId: id, ...rest } });
  });

  test("gets nothing else of the contact, and no header without credentials", async () => {
    await lookUp(outbound, { name: "crm", url, authorization: null, questions }, {
      ...CONTACT,
      externalId: null,
      name: null,
      emails: [],
      phones: [],
      attributes: { secret: 1 },
    } as LookupContact);
    expect(seen.pop()).toEqual({
      method: "POST",
      authorization: undefined,
      body: { contactId: CONTACT.id, externalId: null, name: null, emails: [], phones: [] },
    });
  });

  test("that fails or must not be called is an error, not an empty answer", async () => {
    for (const wrong of [`${url}down`, "https://localhost/", "http://169.254.169.254/"]) {
      await expect(
        lookUp(outbound, { name: "crm", url: wrong, authorization: null, questions }, CONTACT),
      ).rejects.toThrow(OutboundError);
    }
  });
});

describe("a JSON path", () => {
  const json = JSON.parse(
    '{"a":{"b":[{"c":"x"},[1.5]]},"long":12345678901234567890,"__proto__":{"own":"y"},"d-e_f":false,"length":"","straße":{"1":"z"}}',
  ) as unknown;
  test.each([
    ["$.a.b[0].c", "x"],
    ["$.a.b[1][0]", "1.5"],
    ["$.d-e_f", "false"],
    ["$.length", ""],
    ["$.straße.1", "z"],
    ["$.__proto__.own", "y"],
    ["$", null],
    ["$.a", null],
    ["$.a.b", null],
    ["$.a.b[2]", null],
    ["$.a.b[00]", null],
    ["$.a.b.length", null],
    ["$.a.b.0", null],
    ["$.a[0]", null],
    ["$.a.b[0].c[0]", null],
    ["$.a.b[0].c.length", null],
    ["$.constructor.name", null],
    ["$.a.toString", null],
    ["$.long", null],
    ["", null],
    ["a", null],
    ["$a", null],
    ["$..c", null],
    ["$.a.*", null],
    ["$.a.b[*].c", null],
    ["$.a.b[-1]", null],
    ["$.a.b[?(@.c)]", null],
    ['$["a"]', null],
    ["$.a.", null],
    ["$.length\n", null],
  ])("%j leads to %j", (path, value) => {
    expect(readPath(json, path)).toBe(value);
  });

  test("that a source takes is one that is read", () => {
    const paths = ["$.größe[0].a-b_c", "$.1", "$.名前", "$.-"];
    expect(paths.filter((path) => !JSON_PATH.test(path))).toEqual([]);
  });

  test("of a bare value is $", () => {
    expect([readPath("x", "$"), readPath(7, "$"), readPath(null, "$"), readPath(undefined, "$.a")]).toEqual([
      "x",
      "7",
      null,
      null,
    ]);
  });

  test("is told apart from an unsupported path", () => {
    expect(["$.a.b[0].c", "$"].every((path) => JSON_PATH.test(path))).toBe(true);
    expect(["$..c", "a", "$.a.*", "$[-1]", "$.a\n"].some((path) => JSON_PATH.test(path))).toBe(false);
  });
});
