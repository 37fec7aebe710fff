import type { TestProject } from "vitest/node";

/** Gives the tests the run's PostgreSQL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
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
