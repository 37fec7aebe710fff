import os from "node:os";
import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import { createApp } from "./app.js";
import { AttachmentPresence } from "./conversations/attachments/attachment-presence.js";
import { AttachmentStore } from "./conversations/attachments/attachment-store.js";
import type { Config } from "./platform/config/config.js";
import { type DemoCredentials, describeDemo, describeSignIn, fillDemo, prepareDemo } from "./demo/demo.js";
import { explain, openDatabase, type OpenDatabase, readConfig } from "./startup.js";

/** How long running requests may take to end after SIGTERM. */
const DRAIN_MS = 20_000;

type Stop = (signal: NodeJS.Signals) => void;
/**
 * What a signal does. As long as there is nothing to close, it ends the process. Without a handler it would not: Linux keeps signals
 * from process 1, which a server in a container is.
 */
let stop: Stop = (signal) => process.exit(128 + os.constants.signals[signal]);
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop(signal));

async function start(): Promise<void> {
  const config = readConfig();
  const database = await openDatabase(config, "own");
  let app: NestFastifyApplication | undefined;
  try {
    app = await createApp(config, database.url);
    stop = closing(app, database);
    await app.init();
    await app.get(AttachmentStore, { strict: false }).check();
    await app.get(AttachmentPresence, { strict: false }).assert();
    // Not Nest's own `listen`, because it logs errors and throws them too.
    await app.getHttpAdapter().getInstance().listen({ port: config.PORT, host: config.HOST });
    const address = addressOf(app, config);
    const demo = database.embedded ? await prepareDemo(app, { beside: false }) : undefined;
    if (demo) {
      console.log("Filling the database with a demo company, once. This takes about half a minute.");
      await fillDemo(app, address, demo);
    }
    if (config.isExposed) console.error(exposureWarning(config));
    announce(address, config, database, demo);
  } catch (error) {
    await app?.close();
    await database.stop();
    throw error;
  }
}

function closing(app: NestFastifyApplication, database: OpenDatabase): Stop {
  let stopping = false;
  return () => {
    // A supervisor may signal the whole process group, and npm forwards its own signal. Ignore the second signal.
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), DRAIN_MS).unref();
    app
      .close()
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

/** The address at which this machine reaches the server. */
function addressOf(app: NestFastifyApplication, { HOST }: Config): string {
  const { port } = app.getHttpServer().address() as { port: number };
  const host = HOST === "0.0.0.0" || HOST === "::" ? "localhost" : HOST;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function announce(address: string, config: Config, database: OpenDatabase, demo: DemoCredentials | undefined): void {
  const where = database.embedded
    ? `embedded, in ${config.DATA_DIR}`
    : `external, as ${config.DATABASE_APP_URL ? "the login of DATABASE_APP_URL" : "role parley_app"}${through(database)}`;
  const lines = [
    `Parley is ready at ${address}`,
    `  Dashboard          ${address}/`,
    ...(demo ? [describeSignIn(demo)] : []),
    `  API documentation  ${address}/docs`,
    `  Database           ${where}`,
  ];
  // Show the operator which addresses are allowed in addition.
  if (config.OUTBOUND_ALLOW.length) lines.push(`  Outbound allowed   ${config.OUTBOUND_ALLOW.join(", ")}`);
  console.log([...lines, ...(demo ? describeDemo(address, demo) : [])].join("\n"));
}

const through = ({ poolMode }: OpenDatabase): string =>
  poolMode === undefined
    ? ""
    : `, through a pooler that lends connections for ${poolMode === "session" ? "whole sessions" : "single transactions"}`;

function exposureWarning({ HOST, NODE_ENV, rateLimitPerMinute }: Config): string {
  const lines = [
    `WARNING: HOST=${HOST} lets other machines reach this server, but NODE_ENV is ${NODE_ENV}.`,
    "  - Cookies are not marked Secure, so they also travel over plain HTTP.",
    "  - SECRET_KEY may be one that was generated and lies in DATA_DIR.",
    `  - The rate limit is ${rateLimitPerMinute ? `on: ${rateLimitPerMinute} requests a minute for each client` : "off, because RATE_LIMIT_PER_MINUTE is 0"}.`,
    "  Set NODE_ENV=production, with TLS in front of the server, or HOST=localhost.",
  ];
  const rule = "*".repeat(Math.max(...lines.map(({ length }) => length)));
  return [rule, ...lines, rule].join("\n");
}

start().catch((error: unknown) => {
  console.error(`parley: ${explain(error)}`);
  process.exit(1);
});
