import type { TestProject } from "vitest/node";

/** One for all projects of the run. Each imports this file anew, so it is kept in the process. */
interface Shared {
  started: Promise<{ postgres: string; server: string; stop(): Promise<void> }>;
  users: number;
}
const kept = globalThis as { parleyTests?: Shared };

/** Gives the tests of a project the run's PostgreSQL, which the first project starts and the last one stops. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = (kept.parleyTests ??= {
    // The schema takes seconds to import, and one import is enough.
    started: import("./postgres.js").then(({ start }) => start()),
    users: 0,
  });
  shared.users++;
  const { postgres, server, stop } = await shared.started;
  project.provide("postgres", postgres);
  project.provide("server", server);
  // Each connection costs PostgreSQL a process that plans every statement anew. Only a race needs as many as in production.
  project.provide("connections", project.name === "server" || project.name === "browser" ? 3 : 8);
  return async () => {
    if (--shared.users > 0) return;
    delete kept.parleyTests;
    await stop();
  };
}

declare module "vitest" {
  interface ProvidedContext {
    /** Connection string with `{database}` in the place of the database's name. */
    postgres: string;
    /** The same, with the login of the running server. */
    server: string;
    /** How many connections an application has, unless a test says. */
    connections: number;
  }
}
