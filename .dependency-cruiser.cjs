// The house's arrows: entry files → features → auth → database → caller, http, config. See STYLE.md.
const below = (name, from, to) => ({ name, severity: "error", from: { path: from }, to: { path: to } });
const ENTRIES = "^src/(main|app|app\\.module|startup|entities)\\.ts$|^src/(cli|demo)/";

/** Features, lowest first: each may use only those before it. */
const ORDER = [
  "outbox",
  "outbound",
  "auth",
  "audit",
  "tenants",
  "workspaces",
  "outcomes",
  "contacts",
  "attachments",
  "conversations",
  "search",
  "attention",
  "identity",
  "review",
  "knowledge",
  "policies",
  "agents",
  "channels",
  "webchat",
  "telephony",
  "widgets",
  "calendar",
  "csat",
  "quality",
  "cases",
  "consumption",
  "captured-messages",
  "provisioning",
  "privacy",
  "people",
  "maintenance",
  "health",
];

module.exports = {
  forbidden: [
    {
      name: "no-circle",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    below("caller-is-a-leaf", "^src/caller/", "^src/(?!caller/)"),
    below("config-is-a-leaf", "^src/config/", "^src/(?!config/)"),
    below("http-below-database", "^src/http/", "^src/(?!http/|caller/|config/)"),
    below("database-below-features", "^src/database/", "^src/(?!database/|http/|caller/|config/)"),
    below("nothing-imports-entries", "^src/(?!main|app|startup|entities|cli/|demo/)", ENTRIES),
    below("replay-is-a-client", "^src/replay/", "^src/(?!replay/)"),
    below("only-the-demo-plays", "^src/(?!replay/|demo/)", "^src/replay/"),
    below("browser-scripts-stand-alone", "^src/widgets/browser/", "^src/(?!widgets/browser/)"),
    below("nobody-uses-browser-scripts", "^src/(?!widgets/browser/)", "^src/widgets/browser/"),
    below("outbox-is-a-leaf", "^src/outbox/", `^src/(${ORDER.slice(1).join("|")})/`),
    below("outbound-is-a-leaf", "^src/outbound/", "^src/(?!outbound/|config/)"),
    ...ORDER.slice(1).map((feature, i) =>
      below(
        `${feature}-uses-only-what-is-below`,
        `^src/${feature}/`,
        `^src/(${ORDER.slice(i + 2).join("|") || "none"})/`,
      ),
    ),
    {
      name: "no-orphans",
      severity: "error",
      from: { orphan: true, path: "^src/", pathNot: "^src/(database/isolation|audit/unaudited)\\.ts$" },
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
