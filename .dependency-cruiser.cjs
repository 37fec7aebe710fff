const fs = require("node:fs");
const FEATURES = require("./scripts/features.cjs");

// Imports point one way: entry files → features → platform, and inside each folder from later rooms to earlier ones.
// See ARCHITECTURE.md.
const forbid = (name, from, to) => ({ name, severity: "error", from: { path: from }, to: { path: to } });

/** Inside a folder, lowest first. `.` stands for the files of the folder itself. */
const ROOMS = {
  platform: [
    "enums",
    "charsets",
    "markdown",
    "pictures",
    "caller",
    "config",
    "http",
    "metrics",
    "tracing",
    "database",
    "jobs",
    "derived",
    "events",
    "workers",
    "outbound",
    "outbox",
    "outcomes",
  ],
  // `.` is the way to the data: statements, and transactions with TypeORM.
  "platform/database": ["read-engine", "migrations", "embedded", "."],
  workspaces: ["tenants", ".", "provisioning"],
  conversations: [
    "lifecycle",
    "attachments",
    "attention",
    "participants",
    ".",
    "forwarding",
    "actions",
    "bulk",
    "counts",
    "labels",
    "viewing",
    "drafts",
    "canned-replies",
    "views",
    "search",
    "cases",
    "consumption",
  ],
  identity: [
    "events",
    "answers",
    "lookup",
    "settings",
    "verification",
    "possession",
    "magic-links",
    "one-time-codes",
    "eid",
    ".",
  ],
  knowledge: ["data", "review", "kb-entries", "sources", "policies", "agents"],
  channels: ["letter", ".", "api", "email", "webchat", "telephony", "widgets", "outbox"],
  calendar: ["ics", "providers", ".", "connections", "sync", "bookings", "invitations"],
  quality: ["csat", "breakers", "scores", "reports", "."],
  assistant: [
    "context",
    "tools",
    "procedures",
    ".",
    "model",
    "activity",
    "settings",
    "pending-actions",
    "suggestions",
    "writing",
  ],
  learning: ["redaction", "asked-again", ".", "impact", "gaps", "policies", "rehearsal"],
  privacy: ["erasure", "export"],
  maintenance: ["health", "moving", "."],
};

/** The dashboard, lowest first: what all screens share, then the screens, then what puts them together. */
const DASHBOARD = [
  "page.ts",
  "shown.ts",
  "composing.ts",
  "i18n",
  "session",
  "keyboard",
  "api",
  "live",
  "drafts",
  "ui",
  "preferences",
  "notifications",
  "features/sign-in",
  "features/labels",
  "features/contacts",
  "features/rehearsal",
  "features/knowledge",
  "features/settings",
  "features/attention",
  "features/calendar",
  "features/actions",
  "features/cases",
  "features/profile",
  "features/steps",
  "features/context",
  "features/writing",
  "features/thread",
  "features/compose",
  "features/inbox",
  "features/accounts",
  "features/search",
  "features/quality",
  "features/shell",
  "router.tsx",
  "main.tsx",
];

/** The SDK, lowest first. */
const SDK = [
  "generated/schema.ts",
  "generated/enums.ts",
  "errors.ts",
  "types.ts",
  "waiting.ts",
  "sse.ts",
  "transport.ts",
  "list.ts",
  "changes.ts",
  "events.ts",
  "generated/operations.ts",
  "generated/resources.ts",
  "client.ts",
  "core.ts",
  "webhooks.ts",
  "index.ts",
];

/** A folder of folders stands for what is in it. */
const inside = (folder) => (name) =>
  ["features", "generated"].includes(name) ? fs.readdirSync(`${folder}/${name}`).map((one) => `${name}/${one}`) : name;

/** Each of an ordered list may import only those before it. */
const order = (folder, parts) =>
  parts
    .slice(0, -1)
    .map((part, i) =>
      forbid(
        `${folder}/${part}-uses-only-what-is-below`,
        `^${folder}/${part}(/|$)`,
        `^${folder}/(${parts.slice(i + 1).join("|")})(/|$)`,
      ),
    );

for (const [folder, parts] of [
  ["web/src", DASHBOARD],
  ["sdk/src", SDK],
])
  for (const name of fs.readdirSync(folder).flatMap(inside(folder)))
    if (!parts.includes(name)) throw new Error(`${folder}/${name} is missing in .dependency-cruiser.cjs`);

for (const [feature, rooms] of Object.entries(ROOMS))
  for (const { name } of fs
    .readdirSync(`src/${feature}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory()))
    // Browser scripts have rules of their own.
    if (!rooms.includes(name) && name !== "browser")
      throw new Error(`src/${feature}/${name} is missing in ROOMS.${feature}`);

/** A module file wires a whole folder, so it may import every room of it. */
const MODULES = "\\.module\\.ts$";
const room = (folder, name) => (name === "." ? `^src/${folder}/[^/]+\\.ts$` : `^src/${folder}/${name}/`);

module.exports = {
  forbidden: [
    // Imports of types count, too.
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    forbid("platform-knows-no-feature", "^src/platform/", "^src/(?!platform/)"),
    ...FEATURES.map((feature, i) =>
      forbid(
        `${feature}-uses-only-what-is-below`,
        `^src/${feature}/`,
        `^src/(${[...FEATURES.slice(i + 1), "cli", "demo", "replay"].join("|")})/|^src/[^/]+\\.ts$`,
      ),
    ),
    ...Object.entries(ROOMS).flatMap(([folder, rooms]) =>
      rooms.slice(0, -1).map((name, i) => ({
        name: `${folder}/${name}-uses-only-what-is-below`,
        severity: "error",
        from: { path: room(folder, name), pathNot: MODULES },
        to: {
          path: rooms
            .slice(i + 1)
            .map((above) => room(folder, above))
            .join("|"),
        },
      })),
    ),
    ...order("web/src", DASHBOARD),
    ...order("sdk/src", SDK),
    // And what both say alike: the rules of notices and the names of devices, which import nothing.
    forbid(
      "the-dashboard-uses-only-the-sdk",
      "^web/",
      "^(src/(?!notices/(reason|quiet-hours)\\.ts$|auth/sessions/device\\.ts$)|(test|bench|scripts)/)",
    ),
    forbid("what-both-say-imports-nothing", "^src/(notices/(reason|quiet-hours)|auth/sessions/device)\\.ts$", "."),
    forbid("nobody-uses-the-dashboard", "^(src|sdk)/", "^web/"),
    forbid("replay-is-a-client", "^src/replay/", "^src/(?!replay/)"),
    forbid("only-the-demo-replays", "^src/(?!replay/|demo/)", "^src/replay/"),
    forbid("the-sdk-stands-alone", "^sdk/", "^(src|test|bench|scripts)/"),
    forbid("the-server-does-not-use-its-sdk", "^src/", "^sdk/"),
    {
      name: "the-sdk-runs-in-browsers",
      severity: "error",
      from: { path: "^sdk/src/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "the-core-of-the-sdk-has-no-dependency",
      severity: "error",
      from: { path: "^sdk/src/core\\.ts$" },
      to: { path: "node_modules|^sdk/src/(webhooks|index)\\.ts$", reachable: true },
    },
    forbid("browser-scripts-stand-alone", "^src/channels/browser/", "^src/(?!channels/browser/)"),
    forbid("no-server-code-uses-browser-scripts", "^src/(?!channels/browser/)", "^src/channels/browser/"),
    // They need 10 MB of libraries, which would stay in the memory of every process.
    forbid(
      "only-the-worker-parses-mail",
      "^src/(?!channels/email/mail\\.thread\\.ts$)",
      "^src/channels/email/(parse-mail|verify-signatures)\\.ts$",
    ),
    {
      name: "no-orphans",
      severity: "error",
      from: {
        orphan: true,
        path: "^src/",
        pathNot:
          "^src/(platform/http/reference/page|platform/database/isolation|audit/unaudited|privacy/personal-data|platform/http/class-transformer\\.d|notices/web-push\\.d|[^/]+/rows\\.d)\\.(ts|js)$",
      },
      to: {},
    },
    { name: "src-does-not-use-tests", severity: "error", from: { path: "^src/" }, to: { path: "^(test|bench)/" } },
    {
      name: "no-dev-dependencies-in-src",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-dev"] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
