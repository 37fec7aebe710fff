import os from "node:os";
import swc from "unplugin-swc";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { LongestFirst } from "./test/support/sequencer.js";

/** Races without a time limit: on a busy machine they take longer, and that is all. They need not be alone. */
const CALM_RACES = [
  "accounts",
  "agents",
  "archiving",
  "assistant",
  "assistant-model",
  "attention",
  "bulk-actions",
  "calendar",
  "cases",
  "citations",
  "concurrent-retries",
  "contacts",
  "copied-columns",
  "csat",
  "desk",
  "eid",
  "fair-share",
  "feed",
  "held-replies",
  "idempotency",
  "jobs",
  "knowledge",
  "learning",
  "magic-links",
  "one-time-codes",
  "pending-actions",
  "people",
  "provisioning",
  "receiver-limit",
  "replies",
  "second-factors",
  "sessions",
  "viewing",
  "webhooks",
  "widgets",
  "writes",
];
/**
 * Tests of time limits, such as an answer within a second, and of crowds that use all cores by themselves, such as a thousand
 * guesses at once. Requests that wait for too long are refused: each runs alone, after the others.
 */
const CROWDS = [`test/race/!(${CALM_RACES.join("|")}).spec.ts`, "test/security/bombs.spec.ts"];

const project = {
  // Nest needs decorator metadata; Vite's own transformer cannot emit it for legacy decorators, SWC can.
  plugins: [
    swc.vite({
      module: { type: "es6" },
      jsc: {
        target: "es2023",
        parser: { syntax: "typescript", decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        keepClassNames: true,
      },
    }),
  ],
} satisfies ViteUserConfig;

const settings = {
  pool: "forks",
  // A worker keeps the modules that it has imported. The application takes several seconds to import, and 150 files need it.
  // Each file makes its own application and database and closes them, so files share nothing but code.
  isolate: false,
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
} as const;

export default defineConfig({
  ...project,
  test: {
    // For the whole run, before both projects.
    globalSetup: ["test/support/global-setup.ts"],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        ...project,
        test: {
          ...settings,
          name: "suite",
          include: ["test/**/*.spec.ts"],
          exclude: CROWDS,
          // Files wait for about a quarter of their time, so three workers keep two cores busy; by default Vitest leaves one idle.
          // More than eight would use up PostgreSQL's connections.
          maxWorkers: Math.min(Math.ceil(os.availableParallelism() * 1.5), 8),
        },
      },
      {
        ...project,
        test: {
          ...settings,
          name: "crowds",
          include: CROWDS,
          maxWorkers: 1,
          testTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
