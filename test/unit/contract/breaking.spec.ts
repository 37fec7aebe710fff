/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-return --
   the changes reach into a JSON document that no type describes */
import { describe, expect, it } from "vitest";

const { breakingChanges } = (await import(new URL("../../../scripts/openapi-breaking.mjs", import.meta.url).href)) as {
  breakingChanges: (before: object, after: object) => string[];
};

const THING = {
  type: "object",
  required: ["id", "kind"],
  properties: {
    id: { type: "string" },
    kind: { type: "string", enum: ["a", "b"] },
    note: { type: ["string", "null"] },
    size: { type: "integer" },
  },
};
const CREATE = {
  type: "object",
  required: ["name"],
  properties: { name: { type: "string", maxLength: 100 }, count: { type: "integer" }, kind: { enum: ["a", "b"] } },
};
const base = () =>
  structuredClone({
    paths: {
      "/things": {
        get: {
          operationId: "things.list",
          "x-access": "scope",
          "x-required-scope": "things:read",
          parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 100, default: 25 } }],
          responses: { 200: { content: json("Thing") } },
        },
        post: {
          operationId: "things.create",
          requestBody: { required: false, content: json("Create") },
          responses: { 201: { content: json("Thing") } },
        },
      },
    },
    components: { schemas: { Thing: THING, Create: CREATE } },
  });
const json = (name: string) => ({ "application/json": { schema: { $ref: `#/components/schemas/${name}` } } });

/** Changes a copy in ways that its type does not know. */
type Change = (document: any) => void;
const after = (change: Change): string[] => {
  const document = base();
  change(document);
  return breakingChanges(base(), document);
};

describe("a change breaks clients", () => {
  it.each<[string, Change, RegExp]>([
    ["an operation is gone", (d) => delete d.paths["/things"].post, /POST \/things: the operation is gone/],
    ["a path is gone", (d) => delete d.paths["/things"], /GET \/things: the operation is gone/],
    ["an operation is renamed", (d) => (d.paths["/things"].get.operationId = "things.find"), /was named things\.list/],
    ["another scope is needed", (d) => (d.paths["/things"].get["x-required-scope"] = "all:read"), /another .*scope/],
    ["a parameter is gone", (d) => d.paths["/things"].get.parameters.pop(), /the parameter limit is gone/],
    [
      "a parameter became mandatory",
      (d) => (d.paths["/things"].get.parameters[0].required = true),
      /limit became mandatory/,
    ],
    [
      "a mandatory parameter is new",
      (d) => d.paths["/things"].get.parameters.push({ name: "q", in: "query", required: true, schema: {} }),
      /q is new and mandatory/,
    ],
    [
      "a limit is lower",
      (d) => (d.paths["/things"].get.parameters[0].schema.maximum = 50),
      /limit has a smaller maximum: 50/,
    ],
    [
      "a default is another",
      (d) => (d.paths["/things"].get.parameters[0].schema.default = 10),
      /limit has another default/,
    ],
    [
      "the body became mandatory",
      (d) => (d.paths["/things"].post.requestBody.required = true),
      /body became mandatory/,
    ],
    ["the body is gone", (d) => delete d.paths["/things"].post.requestBody, /takes no body/],
    ["a field became mandatory", (d) => d.components.schemas.Create.required.push("count"), /body needs count/],
    ["a field of a body is gone", (d) => delete d.components.schemas.Create.properties.count, /no longer has count/],
    [
      "a field takes another type",
      (d) => (d.components.schemas.Create.properties.count.type = "string"),
      /count no longer takes integer/,
    ],
    ["a text must be shorter", (d) => (d.components.schemas.Create.properties.name.maxLength = 9), /smaller maxLength/],
    [
      "a value is no longer taken",
      (d) => d.components.schemas.Create.properties.kind.enum.pop(),
      /kind no longer has the value "b"/,
    ],
    [
      "unknown fields are refused",
      (d) => (d.components.schemas.Create.additionalProperties = false),
      /refuses unknown fields/,
    ],
    ["a status is gone", (d) => delete d.paths["/things"].post.responses["201"], /no longer answers 201/],
    ["a field of an answer is gone", (d) => delete d.components.schemas.Thing.properties.size, /no longer has size/],
    ["a field of an answer may be missing", (d) => d.components.schemas.Thing.required.pop(), /may now lack kind/],
    [
      "a field of an answer may be null",
      (d) => (d.components.schemas.Thing.properties.id.type = ["string", "null"]),
      /id may now be null/,
    ],
    ["a value of an answer is gone", (d) => d.components.schemas.Thing.properties.kind.enum.pop(), /the value "b"/],
  ])("if %s", (_, change, message) => {
    const found = after(change);
    expect(found.join("\n")).toMatch(message);
  });
});

describe("a change breaks nobody", () => {
  it.each<[string, Change]>([
    ["nothing changes", () => undefined],
    ["an operation is new", (d) => (d.paths["/more"] = d.paths["/things"])],
    ["a field of an answer is new", (d) => (d.components.schemas.Thing.properties.more = { type: "string" })],
    ["an answer has a new value", (d) => d.components.schemas.Thing.properties.kind.enum.push("c")],
    ["an optional field of a body is new", (d) => (d.components.schemas.Create.properties.more = { type: "string" })],
    ["a field is no longer mandatory in a body", (d) => d.components.schemas.Create.required.pop()],
    [
      "a schema is renamed",
      (d) => {
        d.components.schemas.Item = d.components.schemas.Thing;
        delete d.components.schemas.Thing;
        d.paths["/things"].get.responses["200"].content = json("Item");
        d.paths["/things"].post.responses["201"].content = json("Item");
      },
    ],
    ["a limit is more generous", (d) => (d.paths["/things"].get.parameters[0].schema.maximum = 200)],
    [
      "an optional parameter is new",
      (d) => d.paths["/things"].get.parameters.push({ name: "q", in: "query", schema: { type: "string" } }),
    ],
  ])("if %s", (_, change) => {
    expect(after(change)).toEqual([]);
  });
});
