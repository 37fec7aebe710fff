// Writes sdk/src/generated from openapi.json: the types, the enums, the methods with their descriptions, and the table of operations.
// With `--check`, only says whether the files are up to date.
import fs from "node:fs";
import path from "node:path";
import openapiTypescript, { astToString } from "openapi-typescript";
import { format } from "./format.mjs";

const root = path.resolve(import.meta.dirname, "..");
const folder = path.join(root, "sdk/src/generated");
// Types need no examples of bodies and answers.
const document = JSON.parse(fs.readFileSync(path.join(root, "openapi.json"), "utf8"), function (key, value) {
  return key === "example" && "schema" in this && !("in" in this) ? undefined : value;
});
const HEADER = "// Generated from openapi.json by `npm run openapi`.\n\n";

/** Follows a `$ref` to a component. Schemas keep theirs, since their names become types. */
const resolve = (value) =>
  value?.$ref
    ? resolve(
        value.$ref
          .slice(2)
          .split("/")
          .reduce((at, name) => at[name.replaceAll("~1", "/").replaceAll("~0", "~")], document),
      )
    : value;
const contentOf = (media) => Object.keys(media?.content ?? {});
const capital = (name) => name[0].toUpperCase() + name.slice(1);
const words = (...texts) => texts.filter(Boolean).join("\n\n").replaceAll("*/", "*\u200b/");
const docs = (text) => `/**\n${text.replace(/^/gm, " * ").replace(/ +$/gm, "")}\n */`;

/** What only redirects is for browsers. */
const answers = ([, { responses }]) => Object.keys(responses).some((status) => status.startsWith("2"));

const operations = Object.entries(document.paths).flatMap(([route, methods]) =>
  Object.entries(methods)
    .filter(answers)
    .map(([method, operation]) => {
      const parameters = (operation.parameters ?? []).map(resolve);
      const body = resolve(operation.requestBody);
      const successes = Object.entries(operation.responses)
        .filter(([status]) => status.startsWith("2"))
        .map(([status, response]) => [status, resolve(response)]);
      const [answered = "application/json"] = successes.flatMap(([, response]) => contentOf(response));
      const answer = resolve(successes[0][1].content?.["application/json"]?.schema);
      const [group, name] = operation.operationId.split(".");
      const [sends] = contentOf(body);
      return {
        id: operation.operationId,
        group,
        name,
        method: method.toUpperCase(),
        route,
        operation,
        parameters,
        body,
        successes,
        sends,
        query: parameters.filter((parameter) => parameter.in === "query"),
        file: !/json|^text\//.test(answered),
        text: answered.startsWith("text/") && answered !== "text/event-stream",
        streams: answered === "text/event-stream",
        pages: Boolean(answer?.properties?.nextCursor) || (method === "get" && answer?.type === "array"),
        keyed: parameters.some((parameter) => parameter.name === "Idempotency-Key"),
        open: operation["x-access"] === "public",
      };
    }),
);

/** The document without what a client does not need for its types: failures, headers and paths. */
async function schemaTypes() {
  const paths = {};
  for (const { route, method, operation, parameters, body, successes } of operations)
    (paths[route] ??= {})[method.toLowerCase()] = {
      operationId: operation.operationId,
      parameters: parameters.filter(({ in: place }) => place === "path" || place === "query"),
      ...(body && { requestBody: body }),
      responses: Object.fromEntries(
        successes.map(([status, { description, content }]) => [status, { description, content }]),
      ),
    };
  const used = new Set();
  const collect = (value) => {
    if (!value || typeof value !== "object") return;
    const name = typeof value.$ref === "string" && /^#\/components\/schemas\/(.+)$/.exec(value.$ref)?.[1];
    if (name && !used.has(name)) {
      used.add(name);
      collect(document.components.schemas[name]);
    }
    Object.values(value).forEach(collect);
  };
  collect(paths);
  const schemas = Object.fromEntries(Object.entries(document.components.schemas).filter(([name]) => used.has(name)));
  const nodes = await openapiTypescript(
    { openapi: document.openapi, info: document.info, paths, components: { schemas } },
    // A field with a default may be left out.
    { rootTypes: true, rootTypesNoSchemaPrefix: true, rootTypesKeepCasing: true, defaultNonNullable: false },
  );
  // The types of enums are in enums.ts, beside their values.
  const elsewhere = new Set(["paths", "webhooks", "$defs", ...enums.map(([name]) => name)]);
  return HEADER + astToString(nodes.filter(({ name }) => !elsewhere.has(name?.escapedText)));
}

const enums = Object.entries(document.components.schemas).filter(([, schema]) => schema.enum);

/** The values of each enum and, under the same name, their type. */
const enumValues = () =>
  HEADER +
  enums
    .map(
      ([name, { enum: values, description }]) =>
        `${docs(words(description))}\nexport const ${name} = ${JSON.stringify(values)} as const;\nexport type ${name} = (typeof ${name})[number];`,
    )
    .join("\n\n");

/** An interface for each group of operations, with a method for each. */
function resources() {
  const groups = [...new Set(operations.map(({ group }) => group))];
  const interfaces = groups.map((group) => {
    const methods = operations
      .filter((operation) => operation.group === group && !operation.streams)
      .map(({ id, name, method, route, operation, body, query, pages }) => {
        const quoted = JSON.stringify(id);
        const args = [...route.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => `${parameter}: string`);
        if (body) args.push(`body${body.required ? "" : "?"}: Body<${quoted}>`);
        else if (query.length) args.push(`query${query.some(({ required }) => required) ? "" : "?"}: Query<${quoted}>`);
        args.push("options?: RequestOptions");
        const result = pages ? `List<Item<${quoted}>, Result<${quoted}>>` : `Promise<Result<${quoted}>>`;
        const text = words(operation.summary, operation.description, `\`${method} ${route}\``);
        return `${docs(text)}\n${name}(${args.join(", ")}): ${result};`;
      });
    return methods.length
      ? [group, `export interface ${capital(group)}Methods {\n${methods.join("\n")}\n}`]
      : undefined;
  });
  const present = interfaces.filter(Boolean);
  return `${HEADER}import type { List } from "../list.js";
import type { Body, Item, Query, RequestOptions, Result } from "../types.js";

${present.map(([, text]) => text).join("\n\n")}

/** The methods of \`Parley\`, by group. */
export interface Resources {
${present.map(([group]) => `readonly ${group}: ${capital(group)}Methods;`).join("\n")}
}
`;
}

/** What the runtime has to know: where each operation is, and what it takes. */
function table() {
  const rows = operations.map(({ id, method, route, sends, query, file, text, streams, pages, keyed, open }) => [
    id,
    [
      method,
      route,
      [
        sends ? "b" : query.length && "q",
        file && "f",
        text && "t",
        streams && "s",
        pages && "p",
        keyed && "k",
        open && "o",
      ]
        .filter(Boolean)
        .join(""),
      ...(sends && sends !== "application/json" ? [sends] : []),
    ],
  ]);
  return `${HEADER}/**
 * Method, path, what it takes, and the content type of a body that is not JSON. Each letter stands for one thing: a body (b)
 * or a query (q), a list (p), an Idempotency-Key (k), no credential (o). It answers JSON, or a file (f), text (t), a stream (s).
 */
export const OPERATIONS: Record<string, readonly [method: string, path: string, takes: string, type?: string]> = ${JSON.stringify(Object.fromEntries(rows))};
`;
}

const files = {
  "schema.ts": await schemaTypes(),
  "enums.ts": enumValues(),
  "resources.ts": resources(),
  "operations.ts": table(),
};
const stale = [];
fs.mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(files)) {
  const file = path.join(folder, name);
  const formatted = await format(file, text);
  if (fs.existsSync(file) && fs.readFileSync(file, "utf8") === formatted) continue;
  stale.push(path.relative(root, file));
  if (!process.argv.includes("--check")) fs.writeFileSync(file, formatted);
}
if (process.argv.includes("--check") && stale.length) {
  console.log(`Stale: ${stale.join(", ")}. Run \`npm run openapi\`.`);
  process.exit(1);
}
