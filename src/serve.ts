import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import { AttachmentPresence } from "./conversations/attachments/attachment-presence.js";
import { AttachmentStore } from "./conversations/attachments/attachment-store.js";
import type { Config } from "./platform/config/config.js";
import { type DemoCredentials, describeDemo, describeSignIn, fillDemo, prepareDemo } from "./demo/demo.js";
import type { OpenDatabase } from "./startup.js";

/** Starts the application, listens, makes the demo on the first start, and says where the server is. */
export async function serve(app: NestFastifyApplication, config: Config, database: OpenDatabase): Promise<void> {
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
