// Writes what docs/ repeats of openapi.json: the routes of each scope, and the fields of a conversation.
// With `--check`, only says whether the pages are up to date.
import fs from "node:fs";
import path from "node:path";
import { format } from "./format.mjs";

const root = path.resolve(import.meta.dirname, "..");
const { paths, components } = JSON.parse(fs.readFileSync(path.join(root, "openapi.json"), "utf8"));

/** Replaces what matches in the text under a heading, up to the next heading. */
async function write(page, heading, pattern, text) {
  const file = path.join(root, "docs", page);
  const was = fs.readFileSync(file, "utf8");
  const [before, under] = was.split(`\n${heading}\n`);
  if (under === undefined) throw new Error(`docs/${page} has no heading "${heading}"`);
  const [own] = under.split(/\n#+ /, 1);
  if (!pattern.test(own)) throw new Error(`docs/${page} has nothing to replace under "${heading}"`);
  const now = `${before}\n${heading}\n${own.replace(pattern, () => text)}${under.slice(own.length)}`;
  const formatted = await format(file, now);
  if (formatted === was) return;
  if (!process.argv.includes("--check")) return fs.writeFileSync(file, formatted);
  console.log(`docs/${page} is stale under "${heading}". Run \`npm run openapi\`.`);
  process.exitCode = 1;
}

const routes = Object.entries(paths).flatMap(([route, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${route}`,
    scope: operation["x-required-scope"],
  })),
);
for (const scope of components.schemas.Scope.enum) {
  const names = routes.filter((route) => route.scope === scope).map(({ name }) => `- \`${name}\``);
  await write("scopes.md", `### \`${scope}\``, /(?:^- `.+`\n?)+/m, `${names.join("\n")}\n`);
}

/** What a field says of itself, or else what its enum says, in the first paragraph. */
function about({ description, $ref, anyOf }) {
  const named = $ref ?? anyOf?.find((one) => one.$ref)?.$ref;
  const text = description ?? (named && components.schemas[named.split("/").at(-1)].description);
  return text?.split("\n\n")[0].replace(/\s+/g, " ").replaceAll("|", "\\|") ?? "";
}
const fields = Object.entries(components.schemas.Conversation.properties).map(
  ([name, schema]) => `| \`${name}\` | ${about(schema)} |`,
);
await write(
  "conversations.md",
  "## Fields",
  /(?:^\|.*\n?)+/m,
  `| field | what it is |\n| --- | --- |\n${fields.join("\n")}\n`,
);
