import os from "node:os";
import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import type { OpenDatabase } from "./startup.js";

/** How long running requests may take to end after SIGTERM. */
const DRAIN_MS = 20_000;

type Stop = (signal: NodeJS.Signals) => void;
/**
 * What a signal does. As long as there is nothing to close, it ends the process. Without a handler it would not: Linux keeps signals
 * from process 1, which a server in a container is.
 */
let stop: Stop = (signal) => process.exit(128 + os.constants.signals[signal]);
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop(signal));

// Behind the handlers: process 1 would not even notice a signal while it imports this.
const { explain, openDatabase, readConfig } = await import("./startup.js");

async function start(): Promise<void> {
  const config = readConfig();
  const database = await openDatabase(config, "own");
  stop = closing(database);
  try {
    // The application takes seconds to import. What is wrong with the settings or the database is said before.
    const { createApp } = await import("./app.js");
    const { serve } = await import("./serve.js");
    const app = await createApp(config, database.url);
    stop = closing(database, app);
    try {
      await serve(app, config, database);
    } catch (error) {
      await app.close();
      throw error;
    }
  } catch (error) {
    await database.stop();
    throw error;
  }
}

function closing(database: OpenDatabase, app?: NestFastifyApplication): Stop {
  let stopping = false;
  return () => {
    // A supervisor may signal the whole process group, and npm forwards its own signal. Ignore the second signal.
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), DRAIN_MS).unref();
    Promise.resolve(app?.close())
      .then(() => database.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(`parley: ${explain(error)}`);
          process.exit(1);
        },
      );
  };
}

start().catch((error: unknown) => {
  console.error(`parley: ${explain(error)}`);
  process.exit(1);
});
