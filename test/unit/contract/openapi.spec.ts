import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { document, operations, resolved } from "../../support/contract.js";

const schemas = document.components.schemas as Record<string, Record<string, unknown>>;
const text = JSON.stringify(document);
const ACCESS = JSON.parse(
  fs.readFileSync(new URL("../../server/contract/access.json", import.meta.url), "utf8"),
) as Record<string, string>;

/** Every object of the document with its path, except in examples. */
function* nodes(node: unknown, path = ""): Generator<[string, Record<string, unknown>]> {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) yield [path, node as Record<string, unknown>];
  for (const [key, value] of Object.entries(node))
    if (key !== "example" && key !== "examples") yield* nodes(value, `${path}/${key}`);
}
const all = [...nodes(document)];
const pathsOf = (matches: (node: Record<string, unknown>, path: string) => boolean): string[] =>
  all.filter(([path, node]) => matches(node, path)).map(([path]) => path);

describe("size", () => {
  it("without examples, it has at most 750 kB as it is served", () => {
    const served = JSON.stringify(document, (key, value: unknown) => (/^examples?$/.test(key) ? undefined : value));
    expect(Buffer.byteLength(served)).toBeLessThanOrEqual(750_000);
  });
});

describe("descriptions", () => {
  it("every operation has one beside its summary", () => {
    expect(operations.filter(({ description }) => !description).map(({ operationId }) => operationId)).toEqual([]);
  });
});

describe("names", () => {
  const ids = operations.map(({ operationId }) => operationId);

  it("operations are named like methods, each once", () => {
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+\.[a-z][A-Za-z]+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("the operations of a group have the same tag", () => {
    const tags = new Map<string, Set<string>>();
    for (const { operationId, tags: [tag] = [] } of operations) {
      const group = operationId.split(".")[0]!;
      tags.set(group, (tags.get(group) ?? new Set()).add(tag!));
    }
    expect([...tags].filter(([, of]) => of.size > 1).map(([group, of]) => [group, ...of])).toEqual([]);
  });

  it("nothing is named after a class", () => {
    expect(text.match(/\w{0,40}Dto\b/g) ?? []).toEqual([]);
  });

  it("pages and enums are named", () => {
    const named = (path: string): boolean => /^\/components\/schemas\/\w+$/.test(path);
    expect(pathsOf((node, path) => !!node["x-page"] && !named(path))).toEqual([]);
    expect(pathsOf((node, path) => Array.isArray(node.enum) && node.enum.length > 1 && !named(path))).toEqual([]);
  });

  it("every page has the mark, and the operation takes the cursor", () => {
    const pages = Object.keys(schemas).filter((name) => schemas[name]!["x-page"]);
    expect(pages.filter((name) => !name.endsWith("Page"))).toEqual([]);
    expect(Object.keys(schemas).filter((name) => name.endsWith("Page") && !pages.includes(name))).toEqual([]);
    expect(pages.length).toBeGreaterThan(15);
    const takesNone = operations.filter(
      (operation) =>
        /schemas\/\w+Page"/.test(JSON.stringify(operation.responses)) &&
        !operation.parameters?.some(({ name }) => name === "cursor") &&
        !JSON.stringify(schemas[bodyOf(operation)] ?? {}).includes('"cursor"'),
    );
    expect(takesNone.map(({ operationId }) => operationId)).toEqual([]);
  });
});

const bodyOf = ({ requestBody }: (typeof operations)[number]): string =>
  JSON.stringify(requestBody ?? {}).match(/schemas\/(\w+)/)?.[1] ?? "";

/** The operations as they are written, with their references. */
const written = Object.values(document.paths).flatMap((methods) => Object.values(methods)) as unknown as {
  operationId: string;
  parameters?: { $ref?: string; name?: string; in?: string }[];
  requestBody?: object;
  responses: Record<string, { $ref?: string }>;
}[];

describe("what operations share", () => {
  it("every failure is a reference", () => {
    const inline = written.flatMap(({ operationId, responses }) =>
      Object.keys(responses)
        .filter((status) => !(Number(status) < 400) && !responses[status]!.$ref?.startsWith("#/components/responses/"))
        .map((status) => `${operationId} ${status}`),
    );
    expect(inline).toEqual([]);
  });

  it("a failure is JSON or a page", () => {
    const types = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([status]) => !(Number(status) < 400))
        .flatMap(([status, { content = {} }]) =>
          Object.keys(content).map((type) => `${operationId} ${status} ${type}`),
        ),
    );
    expect(types.length).toBeGreaterThan(1_000);
    expect(types.filter((type) => !/ (application\/json|text\/html)$/.test(type))).toEqual([]);
  });

  it("common headers of requests are written once", () => {
    const inline = written.flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter(({ name }) => ["X-Environment", "Idempotency-Key", "If-None-Match"].includes(name ?? ""))
        .map(({ name }) => `${operationId} ${name}`),
    );
    expect(inline).toEqual([]);
  });

  it("answers describe their headers, by reference", () => {
    const lacks = operations.flatMap(({ operationId, parameters = [], responses }) =>
      Object.entries(responses)
        .filter(([status, { headers = {} }]) => {
          const expected = Number(status) < 400 ? [] : ["X-Request-Id", "X-Error-Code"];
          if (["429", "default"].includes(status))
            expected.push("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset");
          if (["429", "503", "default"].includes(status)) expected.push("Retry-After");
          if (status === "304") expected.push("ETag");
          if (status.startsWith("2") && parameters.some(({ name }) => name === "Idempotency-Key"))
            expected.push("Idempotency-Replayed");
          return !expected.every((name) => name in headers);
        })
        .map(([status]) => `${operationId} ${status}`),
    );
    expect(lacks).toEqual([]);
    const setting = operations.filter(({ responses }) =>
      Object.values(responses).some(({ headers = {} }) => "Set-Cookie" in headers),
    );
    expect(setting.map(({ operationId }) => operationId).sort()).toEqual([
      "auth.beginExternalSignIn",
      "auth.completeExternalSignIn",
      "auth.completeSecondFactor",
      "auth.login",
      "auth.logout",
      "auth.refresh",
      "channels.beginSignIn",
      "channels.completeSignIn",
      "eidPages.begin",
    ]);
  });
});

describe("who may call", () => {
  it("every operation says so, and public ones ask for nothing but their own credential", () => {
    for (const operation of operations) {
      const schemes = operation.security.flatMap((one) => Object.keys(one)).sort();
      const expected = {
        scope: ["apiKey", "session"],
        any: ["apiKey", "session"],
        members: ["session"],
        admins: ["session"],
        public:
          operation.operationId === "auth.refresh"
            ? ["refreshCookie", "testRefreshCookie"]
            : /^webchat\.(?!openSession)/.test(operation.operationId)
              ? ["visitor"]
              : [],
      }[operation["x-access"]];
      expect([operation.operationId, schemes]).toEqual([operation.operationId, expected]);
    }
  });

  it("the description names the scope and the roles", () => {
    for (const { operationId, description = "", ...operation } of operations) {
      if (operation["x-access"] === "public") continue;
      expect([operationId, description]).toEqual([operationId, expect.stringMatching(/API key: .*\. Session: /)]);
      const scope = operation["x-required-scope"];
      if (scope) expect([operationId, description]).toEqual([operationId, expect.stringContaining(`\`${scope}\``)]);
      const declared = ACCESS[`${operation.method.toUpperCase()} ${operation.path}`]!;
      for (const [, role] of declared.matchAll(/ (owner|admin|agent|observer|billing)\b/g))
        expect([operationId, description]).toEqual([operationId, expect.stringContaining(role!)]);
    }
  });
});

describe("texts", () => {
  it("a summary is one short line without a stop, and begins with a verb", () => {
    const wrong = operations.filter(
      ({ summary = "" }) => !/^[A-Z][a-z]+,? [^\n]{1,58}[^.\s]$/.test(summary) || summary.length > 60,
    );
    expect(wrong.map(({ operationId, summary }) => `${operationId}: ${summary}`)).toEqual([]);
    expect(operations.filter(({ summary = "" }) => /^(Whether|What|This|It|The|A|An) /.test(summary))).toEqual([]);
  });

  it("no two operations have the same summary", () => {
    const summaries = operations.map(({ summary }) => summary);
    const repeated = operations.filter(({ summary }) => summaries.indexOf(summary) !== summaries.lastIndexOf(summary));
    expect(repeated.map(({ operationId, summary }) => `${operationId}: ${summary}`)).toEqual([]);
  });

  it("every tag and every schema is described", () => {
    const tags = (document as unknown as { tags: { name: string; description?: string }[] }).tags;
    expect(tags.length).toBeGreaterThan(20);
    expect(tags.filter(({ description = "" }) => description.length < 10)).toEqual([]);
    expect(
      Object.keys(schemas).filter((name) => ((schemas[name]!.description as string | undefined) ?? "").length < 10),
    ).toEqual([]);
  });
});

describe("null", () => {
  /** The names of the schemas in these parts of the operations, and of those that they refer to. */
  const used = (part: "requestBody" | "responses"): Set<string> => {
    const names = new Set<string>();
    const visit = (content: unknown): void => {
      for (const [, name] of JSON.stringify(content ?? {}).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
        if (names.has(name!)) continue;
        names.add(name!);
        visit(schemas[name!]);
      }
    };
    for (const operation of written) visit(operation[part]);
    return names;
  };
  const requests = used("requestBody");
  const answers = used("responses");

  it("every property of an answer that can be null says when it is", () => {
    const canBeNull = ({ type, oneOf, anyOf }: Record<string, unknown>): boolean =>
      [type].flat().includes("null") ||
      [oneOf, anyOf].flat().some((one) => (one as { type?: string })?.type === "null");
    const nullable = Object.keys(schemas)
      .filter((name) => answers.has(name) || !requests.has(name))
      .flatMap((name) =>
        Object.entries((schemas[name]!.properties ?? {}) as Record<string, Record<string, unknown>>)
          .filter(([, property]) => canBeNull(property))
          .map(([property, { description = "" }]) => ({ property: `${name}.${property}`, description })),
      );
    expect(nullable.length).toBeGreaterThan(200);
    const silent = nullable.filter(({ description }) => !/\bnull\b/i.test(description as string));
    expect(silent.map(({ property }) => property)).toEqual([]);
  });
});

describe("inputs", () => {
  it("every list that a body takes says how many it may have, unless it is of an enum", () => {
    const sent = new Set<string>();
    const collect = (node: unknown): void => {
      if (typeof node !== "object" || node === null) return;
      const name = (node as { $ref?: string }).$ref?.split("/").at(-1);
      if (name && !sent.has(name)) {
        sent.add(name);
        collect(schemas[name]);
      }
      Object.values(node).forEach(collect);
    };
    operations.forEach(({ requestBody }) => collect(requestBody));
    const isEnum = ({ $ref = "" }: { $ref?: string }): boolean => Array.isArray(schemas[$ref.split("/").at(-1)!]?.enum);
    const lists = [...sent].flatMap((schema) =>
      Object.entries((schemas[schema]!.properties ?? {}) as Record<string, Record<string, unknown>>)
        .filter(([, { type }]) => [type].flat().includes("array"))
        .map(([name, property]) => ({ name: `${schema}.${name}`, property })),
    );
    expect(lists.length).toBeGreaterThan(40);
    const silent = lists.filter(
      ({ property: { maxItems, description = "", items } }) =>
        maxItems === undefined &&
        !isEnum(items as object) &&
        !/\b(?:at most|each [a-z]+ at most)\b/i.test(description as string),
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it("every property is described, unless its name and its schema say all there is", () => {
    type Property = Record<string, unknown> & { description?: string; default?: unknown; format?: string };
    const obvious = new Set(["id", "name", "ok", "data", "email", "createdAt", "updatedAt", "error"]);
    const properties = Object.entries(schemas).flatMap(([schema, { properties: all = {} }]) =>
      Object.entries(all as Record<string, Property>).map(([name, property]) => ({ schema, name, property })),
    );
    expect(properties.length).toBeGreaterThan(1_000);
    const bare = properties.filter(({ name, property }) => {
      if (property.description !== undefined || obvious.has(name)) return false;
      if ("default" in property) return true;
      // The schema that it refers to is described.
      const refers = "$ref" in property || "allOf" in property || "$ref" in ((property.items as Property) ?? {});
      return !refers && !(property.format === "uuid" && name.endsWith("Id"));
    });
    expect(bare.map(({ schema, name }) => `${schema}.${name}`)).toEqual([]);
  });

  it("ids in paths are UUIDs, and every parameter in a path is described", () => {
    const inPath = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters.filter((parameter) => parameter.in === "path").map((parameter) => ({ operationId, ...parameter })),
    );
    expect(inPath.length).toBeGreaterThan(150);
    const wrong = inPath.filter(
      ({ name, schema, description }) =>
        description === undefined || (/(^i|I)d$/.test(name) && (schema as { format?: string }).format !== "uuid"),
    );
    expect(wrong.map(({ operationId, name }) => `${operationId} ${name}`)).toEqual([]);
  });

  it("only fractions are numbers", () => {
    const isNumber = ({ type }: Record<string, unknown>): boolean => [type].flat().includes("number");
    const names = new Set(pathsOf(isNumber).map((path) => path.split("/").at(-1)!));
    // A value of any kind is one of several schemas.
    expect([...names].filter((name) => !/^\d+$/.test(name)).sort()).toEqual([
      "answerConfidence",
      "average",
      "clarifyConfidence",
      "confidence",
      "high",
      "likeness",
      "low",
      "margin",
      "minConfidence",
      "observed",
      "responseRate",
      "score",
      "share",
      "threshold",
    ]);
  });

  it("a body refuses unknown fields; only a POST without mandatory fields goes without one", () => {
    const wrong = operations.flatMap(({ operationId, method, path, requestBody }) => {
      const given = requestBody?.content["application/json"]?.schema;
      if (!given || path.startsWith("/api/webhooks/")) return [];
      const body = resolved(given) as { additionalProperties?: boolean; required?: string[] };
      const required = method !== "POST" || (body.required ?? []).length > 0;
      return body.additionalProperties === false && requestBody.required === required ? [] : [operationId];
    });
    expect(wrong).toEqual([]);
  });
});
