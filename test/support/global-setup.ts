import { execFileSync } from "node:child_process";
import path from "node:path";
import type { TestProject } from "vitest/node";

/** The folders of tests that start processes or open the dashboard: those run what is in `dist/`. */
const RUN_WHAT_IS_BUILT = /\/test\/(?:browser|endurance|nightly|races|server\/process)\//;
const ROOT = path.resolve(import.meta.dirname, "../..");

/** Gives the tests the run's PostgreSQL. Builds `dist/` before them, if one of them needs it and it is missing or older than its sources. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Not during the tests: an application reads once which files the dashboard has, and a build replaces them.
  if (project.vitest.state.getPaths().some((file) => RUN_WHAT_IS_BUILT.test(file)))
    execFileSync(process.execPath, ["scripts/build.mjs", "--if-needed"], { cwd: ROOT, stdio: "inherit" });
  // Here, so that a run of `unit` does not wait for it: the schema takes seconds to import.
  const { start } = await import("./postgres.js");
  const { postgres, server, pooler, socket, stop } = await start();
  project.provide("postgres", postgres);
  project.provide("server", server);
  project.provide("pooler", pooler);
  project.provide("socket", socket);
  return stop;
}

declare module "vitest" {
  interface ProvidedContext {
    /** Connection string with `{database}` in the place of the database's name. */
    postgres: string;
    /** The same, with the login of the running server. */
    server: string;
    /** The same through a pooler; empty without `PARLEY_TEST_POOLER=1`. */
    pooler: string;
    /** The folder of PostgreSQL's Unix socket. */
    socket: string;
  }
}
