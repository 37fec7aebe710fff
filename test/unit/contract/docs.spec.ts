import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { FACTOR_CATEGORIES, FACTOR_TYPES, IDENTITY_EVENT_TYPES } from "../../../src/identity/events/identity-event.js";
import { SCOPES } from "../../../src/platform/caller/scope.js";
import { ERROR_CODES } from "../../../src/platform/http/error-codes.js";
import { document, resolved } from "../../support/contract.js";
import { ROUTES } from "../../support/routes.js";

const ROOT = path.join(import.meta.dirname, "../../..");
const read = (file: string): string => fs.readFileSync(path.join(ROOT, file), "utf8");
const filesIn = (folder: string): string[] =>
  fs
    .readdirSync(path.join(ROOT, folder))
    .filter((file) => file.endsWith(".md"))
    .map((file) => path.posix.join(folder, file));
const PAGES = [...filesIn("."), ...filesIn("docs"), ...filesIn("docs/guides")];

/** The text under a heading, up to the next heading of the same level or a higher one. */
function section(page: string, heading: string): string {
  const level = /^#+/.exec(heading)![0].length;
  const [, text] = read(page).split(`\n${heading}\n`);
  expect(text, `${page} has no heading "${heading}"`).toBeDefined();
  return text!.split(new RegExp(`\\n#{1,${level}} `), 1)[0]!;
}
/** The first column of the first table in a text, without its code marks. */
const firstColumn = (text: string): string[] => [...text.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, name]) => name!);

describe("docs/scopes.md", () => {
  test("has every scope, and no other", () => {
    const named = [...read("docs/scopes.md").matchAll(/^### `(.+)`$/gm)].map(([, scope]) => scope);
    expect(named).toEqual([...SCOPES]);
  });

  test.each(SCOPES)("lists exactly the routes that %s opens", (scope) => {
    const listed = [...section("docs/scopes.md", `### \`${scope}\``).matchAll(/^- `(.+)`$/gm)].map(
      ([, route]) => route!,
    );
    const opened = ROUTES.filter((route) => route.scope === scope).map(({ name }) => name);
    expect(listed.sort()).toEqual(opened.sort());
  });
});

test("docs/conversations.md has every field of a conversation, and no other", () => {
  const { properties } = document.components.schemas.Conversation as { properties: object };
  expect(firstColumn(section("docs/conversations.md", "## Fields"))).toEqual(Object.keys(properties));
});

describe("docs/identity-events.md", () => {
  const answer = document.paths["/api/conversations/{conversationId}/identity-events"]!.get!.responses["200"]!;
  const properties = (schema: unknown): Record<string, { items?: unknown }> => {
    const { $ref } = schema as { $ref: string };
    return (document.components.schemas[$ref.split("/").pop()!] as { properties: Record<string, { items?: unknown }> })
      .properties;
  };
  const event = properties(properties(answer.content!["application/json"]!.schema).events!.items);

  test("has every type of event, and no other", () => {
    expect(firstColumn(section("docs/identity-events.md", "## Types")).sort()).toEqual(
      [...IDENTITY_EVENT_TYPES].sort(),
    );
  });

  test("has every field of an event, and no other", () => {
    const fields = section("docs/identity-events.md", "## Fields");
    expect(firstColumn(fields)).toEqual(Object.keys(event));
    for (const value of [...FACTOR_CATEGORIES, ...FACTOR_TYPES]) expect(fields).toContain(`\`${value}\``);
  });
});

describe("docs/errors.md", () => {
  test("has every error code, and no other", () => {
    expect(firstColumn(section("docs/errors.md", "## Codes"))).toEqual([...ERROR_CODES]);
  });
});

describe("docs/guides/webhooks.md", () => {
  const webhooks = Object.entries(document.webhooks).filter(([type]) => type !== "webhook.test");

  test("has every event as openapi.json has it, and no other", () => {
    const rows = [...section("docs/guides/webhooks.md", "## What arrives").matchAll(/^\| (`.+`) +\| (.+) +\|$/gm)];
    const told = rows.flatMap(([, names, when]) =>
      [...names!.matchAll(/`([^`]+)`/g)].map(([, type]) => [type!, when!]),
    );
    expect(told.map(([type]) => type).sort()).toEqual(webhooks.map(([type]) => type).sort());
    for (const [type, when] of told)
      expect(when!.startsWith(document.webhooks[type!]!.post.summary!), `${type}: ${when}`).toBe(true);
  });

  test("has every header of a delivery, and no other", () => {
    const headers = document.webhooks["message.received"]!.post.parameters!.map(
      (parameter) => resolved(parameter).name,
    );
    const listed = firstColumn(section("docs/guides/webhooks.md", "## The signature, in any language"));
    expect(listed.sort()).toEqual(headers.sort());
  });
});

/** The name that a heading has in links, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
/** A page without its code, in which nothing is a link or a heading. */
const proseOf = (page: string): string => read(page).replace(/^```.*?^```/gms, "");
const anchorsOf = (page: string): string[] =>
  [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, text]) => anchorOf(text!));

describe("links", () => {
  test.each(PAGES)("of %s lead somewhere", (page) => {
    const dead = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [file, anchor] = target.split("#") as [string, string?];
        const place = file ? path.join(path.dirname(page), file) : page;
        if (!fs.existsSync(path.join(ROOT, place))) return true;
        return anchor !== undefined && !anchorsOf(place).includes(anchor);
      });
    expect(dead).toEqual([]);
  });

  test("of docs/README.md lead to every page", () => {
    const index = read("docs/README.md");
    const missing = PAGES.filter((page) => page.startsWith("docs/") && page !== "docs/README.md").filter(
      (page) => !index.includes(`](${page.slice("docs/".length)})`),
    );
    expect(missing).toEqual([]);
  });
});

describe("examples", () => {
  const SHELL = PAGES.flatMap((page) =>
    [...read(page).matchAll(/^ *```(?:sh|bash)\n(.*?)^ *```/gms)].map(([, code]) => ({ page, code: code! })),
  );
  const found = (pattern: RegExp): string[] =>
    SHELL.flatMap(({ page, code }) => (code.match(pattern) ?? []).map((one) => `${page}: ${one}`));

  test("name the server $PARLEY_URL, in double quotes", () => {
    expect(SHELL.length).toBeGreaterThan(30);
    expect(found(/curl\b.*"\$PARLEY_URL\/api\//g).length).toBeGreaterThan(30);
    // A path of the API behind anything else, such as another variable or a host.
    expect(found(/^.*\bcurl\b.*(?<!"\$PARLEY_URL)\/api\/.*$/gm)).toEqual([]);
  });

  test("name the key $PARLEY_KEY, in double quotes", () => {
    expect(found(/"Authorization: Bearer \$PARLEY_KEY"/g).length).toBeGreaterThan(20);
    // A session of a member and one of a visitor are no keys.
    expect(found(/^.*Authorization: Bearer (?!\$(?:PARLEY_KEY|SESSION|VISITOR)").*$/gm)).toEqual([]);
    expect(found(/\$\{?(?:PARLEY|KEY|API_KEY|TOKEN|BASE_URL|URL)\b.*$/gm)).toEqual([]);
  });
});
