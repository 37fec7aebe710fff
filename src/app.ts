import "reflect-metadata";
import fs from "node:fs";
import type { INestApplicationContext } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import type { FastifyAdapter, NestFastifyApplication } from "@nestjs/platform-fastify";
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from "@nestjs/swagger";
import { AppModule } from "./app.module.js";
import { KnownPolls } from "./auth/access/known-polls.js";
import type { Config } from "./platform/config/config.js";
import { ROOT } from "./platform/config/root.js";
import { Database } from "./platform/database/database.js";
import { rateLease } from "./platform/database/rate-lease.js";
import { NAMED_ENUMS } from "./platform/enums/named-enum.js";
import { PublicCors } from "./platform/http/public-cors.js";
import { Log } from "./platform/tracing/log.js";
import { ErrorResponseDto } from "./platform/http/openapi.js";
import { describeAccess } from "./platform/http/openapi/access.js";
import { finish } from "./platform/http/openapi/document.js";
import { nameEnums } from "./platform/http/openapi/enums.js";
import { addExamples, type Examples } from "./platform/http/openapi/examples.js";
import { shareAnswers } from "./platform/http/openapi/answers.js";
import { addFailures, shareFailures } from "./platform/http/openapi/failures.js";
import { addHeaders } from "./platform/http/openapi/headers.js";
import { closeBodies, describePaths } from "./platform/http/openapi/inputs.js";
import { declareIntegers } from "./platform/http/openapi/integers.js";
import { nameOperations } from "./platform/http/openapi/operation-ids.js";
import { namePages } from "./platform/http/openapi/pages.js";
import { addParameters, shareParameters } from "./platform/http/openapi/parameters.js";
import { splitProse } from "./platform/http/openapi/prose.js";
import { describeSchemas } from "./platform/http/openapi/schema-descriptions.js";
import { nameSchemas } from "./platform/http/openapi/schema-names.js";
import { separateInputs } from "./platform/http/openapi/separate-inputs.js";
import { tagOperations } from "./platform/http/openapi/tags.js";
import { nameUnions } from "./platform/http/openapi/unions.js";
import { describeWebhooks } from "./platform/http/openapi/webhooks.js";
import { serveDashboard } from "./platform/http/dashboard.js";
import { operationId } from "./platform/http/operation-id.js";
import { introduction, serveReference } from "./platform/http/reference.js";
import { RateLimiter, WINDOW_SECONDS } from "./platform/http/rate-limit.js";
import { createAdapter, installPlugins } from "./platform/http/server.js";
import { measureRequests } from "./platform/metrics/http-metrics.js";
import { Metrics } from "./platform/metrics/metrics.js";
import { traceRequests } from "./platform/tracing/traced-requests.js";
import { Tracing } from "./platform/tracing/tracing.js";
import { MetricsEndpoint } from "./platform/metrics/metrics-endpoint.js";
import { SIGNATURE_HEADERS } from "./webhooks/signature.js";
import { DELIVERED, WEBHOOKS_TAG } from "./webhooks/webhook-events.js";
import { WebhookPayloadDto } from "./webhooks/webhook-payloads.dto.js";

/** Committed. `npm run check` compares it with the code. */
export const OPENAPI_FILE = new URL("openapi.json", ROOT);
/** Recorded by test/server/contract/examples from a real run. */
const EXAMPLES_FILE = new URL("docs/api/examples.json", ROOT);

/** Creates the application for the server, the command line and the tests. The schema must be up to date. */
export async function createApp(
  config: Config,
  databaseUrl: string,
  { jobs = true } = {},
): Promise<NestFastifyApplication> {
  let limiter: RateLimiter | undefined;
  const logger = new Log(config);
  const adapter = createAdapter(config, () => limiter);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(config, databaseUrl, jobs), adapter, {
    bodyParser: false,
    abortOnError: false,
    logger,
  });
  const tracing = app.get(Tracing);
  logger.show(tracing);
  traceRequests(adapter.getInstance(), tracing);
  measureRequests(adapter.getInstance(), app.get(Metrics));
  await installPlugins(adapter, config, () => limiter, app.get(PublicCors), app.get(KnownPolls));
  app.get(MetricsEndpoint).install(adapter.getInstance());
  await serveDashboard(adapter);
  if (config.rateLimitPerMinute > 0) {
    const db = app.get(Database);
    // Leases are control's. While it is down, what lives on other servers goes on.
    limiter = new RateLimiter(config.rateLimitPerMinute, rateLease(db), WINDOW_SECONDS, db.isSpread);
  }
  if (fs.existsSync(OPENAPI_FILE)) serveDocumentation(app);
  return app;
}

/** Creates the services without the HTTP server and without scheduled jobs, for the command line. */
export function createContext(config: Config, databaseUrl: string): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(AppModule.forRoot(config, databaseUrl, false), {
    abortOnError: false,
    logger: new Log(config),
  });
}

/** The document is a megabyte, so it is read when somebody asks for it. */
function serveDocumentation(app: NestFastifyApplication): void {
  const read = (): OpenAPIObject => JSON.parse(fs.readFileSync(OPENAPI_FILE, "utf8")) as OpenAPIObject;
  serveReference(app.getHttpAdapter() as FastifyAdapter, read);
  SwaggerModule.setup("docs", app, read, {
    ui: false,
    raw: ["yaml"],
    yamlDocumentUrl: "openapi.yaml",
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
    .setDescription(introduction())
    .setLicense("MIT", "https://spdx.org/licenses/MIT.html")
    .addServer("/");
  const document = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [ErrorResponseDto, WebhookPayloadDto, ...new Set(Object.values(DELIVERED).map(({ data }) => data))],
    operationIdFactory: operationId,
  });
  return finish(document, [
    nameOperations,
    tagOperations,
    nameSchemas,
    namePages,
    nameUnions,
    nameEnums(NAMED_ENUMS),
    declareIntegers,
    describeSchemas,
    separateInputs,
    describePaths,
    closeBodies,
    splitProse,
    describeAccess,
    addFailures,
    addParameters,
    shareFailures,
    addHeaders,
    shareParameters,
    addExamples(JSON.parse(fs.readFileSync(EXAMPLES_FILE, "utf8")) as Examples),
    shareAnswers,
    describeWebhooks(DELIVERED, WebhookPayloadDto, WEBHOOKS_TAG, SIGNATURE_HEADERS),
  ]);
}
