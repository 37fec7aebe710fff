import "reflect-metadata";
import fs from "node:fs";
import { ConsoleLogger, type INestApplicationContext, type LogLevel } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from "@nestjs/swagger";
import { AppModule } from "./app.module.js";
import type { Config } from "./platform/config/config.js";
import { ROOT } from "./platform/config/root.js";
import { Database } from "./platform/database/database.js";
import { rateLease } from "./platform/database/rate-lease.js";
import { PublicCors } from "./platform/http/public-cors.js";
import { completeDocument, ErrorDto, operationId } from "./platform/http/openapi.js";
import { RateLimiter } from "./platform/http/rate-limit.js";
import { createAdapter, installPlugins } from "./platform/http/server.js";
import { measureRequests } from "./platform/metrics/http-metrics.js";
import { Metrics } from "./platform/metrics/metrics.js";
import { MetricsEndpoint } from "./platform/metrics/metrics-endpoint.js";

const LEVELS: Record<Config["LOG_LEVEL"], LogLevel[]> = {
  error: ["fatal", "error"],
  warn: ["fatal", "error", "warn"],
  info: ["fatal", "error", "warn", "log"],
  debug: ["fatal", "error", "warn", "log", "debug"],
};
/** Committed. `npm run check` compares it with the code. */
export const OPENAPI_FILE = new URL("openapi.json", ROOT);

/** Creates the application for the server, the command line and the tests. The schema must be up to date. */
export async function createApp(
  config: Config,
  databaseUrl: string,
  { jobs = true } = {},
): Promise<NestFastifyApplication> {
  let limiter: RateLimiter | undefined;
  const adapter = createAdapter(config, () => limiter);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(config, databaseUrl, jobs), adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: createLogger(config),
  });
  measureRequests(adapter.getInstance(), app.get(Metrics));
  await installPlugins(adapter, config, () => limiter, app.get(PublicCors));
  app.get(MetricsEndpoint).install(adapter.getInstance());
  if (config.rateLimitPerMinute > 0) limiter = new RateLimiter(config.rateLimitPerMinute, rateLease(app.get(Database)));
  if (fs.existsSync(OPENAPI_FILE))
    serveDocumentation(app, JSON.parse(fs.readFileSync(OPENAPI_FILE, "utf8")) as OpenAPIObject);
  return app;
}

/** Creates the services without the HTTP server and without scheduled jobs, for the command line. */
export function createContext(config: Config, databaseUrl: string): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(AppModule.forRoot(config, databaseUrl, false), {
    abortOnError: false,
    logger: createLogger(config),
  });
}

const createLogger = (config: Config): ConsoleLogger =>
  new ConsoleLogger({ json: true, logLevels: LEVELS[config.LOG_LEVEL] });

function serveDocumentation(app: NestFastifyApplication, document: OpenAPIObject): void {
  SwaggerModule.setup("docs", app, document, {
    jsonDocumentUrl: "openapi.json",
    yamlDocumentUrl: "openapi.yaml",
    customSiteTitle: "Parley API",
    swaggerOptions: { persistAuthorization: false },
  });
}

/**
 * Creates the OpenAPI document from the routes, their types and their comments. It needs a build, because a compiler
 * plugin reads the types and comments. It needs no database, because a preview instantiates nothing.
 */
export async function describeApi(config: Config): Promise<OpenAPIObject> {
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(config, "", false),
    createAdapter(config, () => undefined),
    { preview: true, abortOnError: false, logger: ["error"] },
  );
  const builder = new DocumentBuilder()
    .setOpenAPIVersion("3.1.0")
    .setTitle("Parley")
    .setVersion("1")
    .setDescription(
      'Customer conversations, handled by an automated assistant and human operators. Every operation names who may use it (`x-access`) and the scope that an API key needs (`x-required-scope`). Failures answer `{"error": "…"}`.',
    )
    .setLicense("MIT", "https://spdx.org/licenses/MIT.html")
    .addServer("/")
    .addTag("Conversations")
    .addTag("Attachments")
    .addTag("Identity")
    .addTag("Contacts")
    .addTag("Knowledge base")
    .addTag("Workspaces")
    .addTag("API keys")
    .addTag("Members")
    .addTag("Session")
    .addTag("Channels")
    .addTag("Web chat")
    .addTag("Widgets")
    .addTag("Outbox")
    .addTag("Provisioning")
    .addTag("Test side")
    .addTag("Operations")
    .addBearerAuth({
      type: "http",
      scheme: "bearer",
      description: "An API key (`svc_live_v1_…`, `svc_test_v1_…`) or the access token of a dashboard session",
    });
  return completeDocument(
    SwaggerModule.createDocument(app, builder.build(), { extraModels: [ErrorDto], operationIdFactory: operationId }),
  );
}
