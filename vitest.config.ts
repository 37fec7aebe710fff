import os from "node:os";
import path from "node:path";
import swc from "unplugin-swc";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import "./scripts/optimize-later.mjs";
import { Budget } from "./test/support/budget.js";
import { LongestFirst } from "./test/support/sequencer.js";
import { ALL_FILES } from "./test/support/sweep.js";

const isNamed = (folder: RegExp): boolean => process.argv.some((argument) => folder.test(argument));
// What kills processes, or runs for long: in CI, by name and in `npm run steady`, and not in `npm test`.
const ENDURANCE = ALL_FILES || isNamed(/endurance|steady/) ? ["endurance"] : [];
// What CI has no time for: at night, by name and in `npm run steady`.
const NIGHTLY = process.env.HUNT || isNamed(/nightly|steady/) ? ["nightly"] : [];

const optimizeLater = new URL("scripts/optimize-later.mjs", import.meta.url).href;
const sdk = (file: string): string => path.join(import.meta.dirname, "sdk/src", file);

/** Tests of these folders. */
const project = (name: string, folders: string[]): TestProjectInlineConfiguration => ({
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
  // The sources that the dashboard uses, too, so that its parts need no build of the SDK.
  resolve: { alias: { "@parley/sdk/core": sdk("core.ts"), "@parley/sdk/enums": sdk("generated/enums.ts") } },
  test: {
    name,
    include: folders.map((folder) => `test/${folder}/**/*.spec.ts`),
    execArgv: ["--max-semi-space-size=64", "--import", optimizeLater],
    setupFiles: ["test/support/seed.ts"],
    globalSetup: name === "unit" ? [] : ["test/support/global-setup.ts"],
    pool: "forks",
    // A worker keeps the modules that it has imported. The application takes several seconds to import, and 150 files need it.
    // Each file makes its own application and database and closes them, so files share nothing but code.
    isolate: false,
    // Files wait for a part of their time: six workers leave two cores idle for 7 % of it, and four for 18 %. More than eight would use
    // up PostgreSQL's connections.
    maxWorkers: Math.min(os.availableParallelism() * 3, 8),
    // Only what hangs takes so long: a busy machine takes ten times as long as a quiet one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
});

export default defineConfig({
  test: {
    // What a file became is kept in node_modules, so that a run of one file begins seconds earlier.
    experimental: { fsModuleCache: true },
    reporters: ["default", new Budget()],
    sequence: { sequencer: LongestFirst },
    projects: [
      // One project, because a worker that changes its project imports the application again.
      project("application", [...NIGHTLY, ...ENDURANCE, "browser", "races", "server"]),
      project("unit", ["unit"]),
    ],
  },
});
