import os from "node:os";
import swc from "unplugin-swc";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/sequencer.js";

export default defineConfig({
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
  test: {
    include: ["test/**/*.spec.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    pool: "forks",
    // One per core; by default Vitest leaves a core idle. More than eight would use up the connections of the one PostgreSQL.
    maxWorkers: Math.min(os.availableParallelism(), 8),
    // A worker keeps the modules that it has imported. The application takes several seconds to import, and 150 files need it.
    // Each file makes its own application and database and closes them, so files share nothing but code.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
