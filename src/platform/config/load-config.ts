import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { plainToInstance } from "class-transformer";
import { validateSync } from "class-validator";
import { Config, ConfigError } from "./config.js";

/**
 * Reads and checks the settings. In development, or with the embedded database, missing secrets are generated once and
 * kept in `DATA_DIR/secrets.json`, so that all processes that use this folder have the same ones.
 * @throws ConfigError with the setting and what is wrong with it
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const known = Object.fromEntries(
    Object.keys(describeConfig())
      .filter((name) => env[name] !== undefined && env[name] !== "")
      .map((name) => [name, env[name]]),
  );
  const config = plainToInstance(Config, known);
  check(config, "Invalid setting");
  if (config.OIDC_ISSUER && !config.OIDC_AUDIENCE)
    throw new ConfigError("Invalid setting: OIDC_AUDIENCE is needed beside OIDC_ISSUER");
  if (config.OIDC_CLIENT_ID && !config.OIDC_ISSUER)
    throw new ConfigError("Invalid setting: OIDC_ISSUER is needed beside OIDC_CLIENT_ID");
  if (config.EMBEDDINGS_URL && !config.EMBEDDINGS_MODEL)
    throw new ConfigError("Invalid setting: EMBEDDINGS_MODEL is needed beside EMBEDDINGS_URL");
  if (config.ASSISTANT_URL && !config.ASSISTANT_MODEL)
    throw new ConfigError("Invalid setting: ASSISTANT_MODEL is needed beside ASSISTANT_URL");
  checkDatabase(config);
  checkS3(config);
  if (config.SECRET_KEY && config.AUTH_WEBHOOK_SECRET) return config;
  if (config.NODE_ENV === "production" && config.DATABASE_URL) {
    if (!config.SECRET_KEY)
      throw new ConfigError("Missing secret: SECRET_KEY (at least 32 random characters) must be set in production");
    return config;
  }
  const kept = keptSecrets(config.DATA_DIR);
  Object.assign(config, {
    SECRET_KEY: config.SECRET_KEY ?? kept.SECRET_KEY,
    AUTH_WEBHOOK_SECRET: config.AUTH_WEBHOOK_SECRET ?? kept.AUTH_WEBHOOK_SECRET,
  });
  check(config, `Invalid secret in ${secretsFile(config.DATA_DIR)}`);
  return config;
}

/** Whether a connection string names several, between the user and the database or as its parameter `host`. */
function hasSeveralHosts(url: string): boolean {
  const [authority = ""] = url.replace(/^\w+:\/\//, "").split(/[/?#]/, 1);
  return authority.split("@").at(-1)!.includes(",") || /[?&]host=[^&#]*,/.test(url);
}

function checkDatabase(config: Config): void {
  const { DATABASE_URL, DATABASE_APP_URL, DATABASE_DIRECT_URL, DATABASE_BACKUP_URL, DATABASE_REPLICA_URL } = config;
  const { databaseServers } = config;
  if (DATABASE_REPLICA_URL && !DATABASE_URL)
    throw new ConfigError("Invalid setting: DATABASE_URL is needed beside DATABASE_REPLICA_URL");
  if (databaseServers.size && !DATABASE_URL)
    throw new ConfigError("Invalid setting: DATABASE_URL is needed beside DATABASE_SERVERS");
  if (databaseServers.size < config.DATABASE_SERVERS.length)
    throw new ConfigError("Invalid setting: DATABASE_SERVERS has a name twice");
  checkPoolers(config);
  if (DATABASE_APP_URL && !DATABASE_URL)
    throw new ConfigError("Invalid setting: DATABASE_URL is needed beside DATABASE_APP_URL");
  if (DATABASE_DIRECT_URL && !DATABASE_APP_URL)
    throw new ConfigError(
      "Invalid setting: DATABASE_APP_URL is needed beside DATABASE_DIRECT_URL: behind a pooler the server has a login of its own",
    );
  const urls = Object.entries({ DATABASE_URL, DATABASE_APP_URL, DATABASE_DIRECT_URL, DATABASE_BACKUP_URL });
  for (const [name, url] of [
    ...urls,
    ...[...databaseServers.values()].map((url) => ["DATABASE_SERVERS", url] as const),
    ...[...config.databasePoolers.values()].map((url) => ["DATABASE_POOLERS", url] as const),
  ])
    if (hasSeveralHosts(url ?? ""))
      throw new ConfigError(
        `Invalid setting: ${name} names several hosts, and Parley connects to one: put HAProxy in front of them, or name the address that follows the primary`,
      );
  const isPooled = DATABASE_DIRECT_URL !== undefined || config.databasePoolers.size > 0;
  if (DATABASE_URL && DATABASE_APP_URL && isPooled && loginOf(DATABASE_URL) === loginOf(DATABASE_APP_URL))
    throw new ConfigError(
      "Invalid setting: DATABASE_APP_URL must have another user than DATABASE_URL: behind a pooler the server has a login of its own",
    );
}

const loginOf = (url: string): string => new URL(url).username;

/** Poolers of further servers. */
function checkPoolers({ DATABASE_APP_URL, DATABASE_POOLERS, databasePoolers, databaseServers }: Config): void {
  if (databasePoolers.size < DATABASE_POOLERS.length)
    throw new ConfigError("Invalid setting: DATABASE_POOLERS has a name twice");
  for (const name of databasePoolers.keys())
    if (!databaseServers.has(name))
      throw new ConfigError(`Invalid setting: DATABASE_POOLERS has ${name}, which DATABASE_SERVERS does not name`);
  if (databasePoolers.size && !DATABASE_APP_URL)
    throw new ConfigError(
      "Invalid setting: DATABASE_APP_URL is needed beside DATABASE_POOLERS: behind a pooler the server has a login of its own",
    );
}

/** S3 is set up completely or not at all. */
function checkS3(config: Config): void {
  const { S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config;
  const needs = (name: string, isMissing: boolean, beside: string): void => {
    if (isMissing) throw new ConfigError(`Invalid setting: ${name} is needed beside ${beside}`);
  };
  needs("S3_BUCKET", config.ATTACHMENT_STORE === "s3" && !S3_BUCKET, "ATTACHMENT_STORE=s3");
  for (const name of ["S3_ENDPOINT", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY", "S3_SESSION_TOKEN", "S3_SSE"] as const)
    needs("S3_BUCKET", !!config[name] && !S3_BUCKET, name);
  needs("S3_BUCKET", config.S3_PRESIGNED_DOWNLOADS && !S3_BUCKET, "S3_PRESIGNED_DOWNLOADS");
  needs("S3_SECRET_ACCESS_KEY", !!S3_ACCESS_KEY_ID && !S3_SECRET_ACCESS_KEY, "S3_ACCESS_KEY_ID");
  needs("S3_ACCESS_KEY_ID", !S3_ACCESS_KEY_ID && !!S3_SECRET_ACCESS_KEY, "S3_SECRET_ACCESS_KEY");
  needs("S3_ACCESS_KEY_ID", !S3_ACCESS_KEY_ID && !!config.S3_SESSION_TOKEN, "S3_SESSION_TOKEN");
  // Without a bucket, they are about something else that runs there.
  if (S3_BUCKET && !S3_ACCESS_KEY_ID) {
    const { AWS_ROLE_ARN, AWS_WEB_IDENTITY_TOKEN_FILE } = config;
    needs("AWS_WEB_IDENTITY_TOKEN_FILE", !!AWS_ROLE_ARN && !AWS_WEB_IDENTITY_TOKEN_FILE, "AWS_ROLE_ARN");
    needs("AWS_ROLE_ARN", !AWS_ROLE_ARN && !!AWS_WEB_IDENTITY_TOKEN_FILE, "AWS_WEB_IDENTITY_TOKEN_FILE");
  }
  needs("S3_SSE=aws:kms", !!config.S3_SSE_KMS_KEY_ID && config.S3_SSE !== "aws:kms", "S3_SSE_KMS_KEY_ID");
}

/** Reports one problem for each setting: the first condition in the class that it does not meet, which is its type. */
function check(config: Config, what: string): void {
  const problems = validateSync(config).flatMap(({ constraints = {} }) => Object.values(constraints).slice(-1));
  if (problems.length) throw new ConfigError(`${what}: ${problems.join("; ")}`);
}

const secretsFile = (dataDir: string): string => path.join(dataDir, "secrets.json");

/** The settings with their defaults; `undefined` if there is no default. */
export function describeConfig(): Record<string, unknown> {
  const undocumented: Record<string, unknown> = {
    PUBLIC_URL: undefined,
    ATTACHMENTS_DIR: undefined,
    S3_BUCKET: undefined,
    S3_ENDPOINT: undefined,
    S3_ACCESS_KEY_ID: undefined,
    S3_SECRET_ACCESS_KEY: undefined,
    S3_SESSION_TOKEN: undefined,
    S3_SSE: undefined,
    S3_SSE_KMS_KEY_ID: undefined,
    AWS_ROLE_ARN: undefined,
    AWS_WEB_IDENTITY_TOKEN_FILE: undefined,
    AWS_ENDPOINT_URL_STS: undefined,
    AWS_CONTAINER_CREDENTIALS_FULL_URI: undefined,
    AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: undefined,
    AWS_CONTAINER_AUTHORIZATION_TOKEN: undefined,
    AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: undefined,
    AWS_EC2_METADATA_SERVICE_ENDPOINT: undefined,
    DATABASE_URL: undefined,
    DATABASE_APP_URL: undefined,
    DATABASE_DIRECT_URL: undefined,
    DATABASE_REPLICA_URL: undefined,
    DATABASE_BACKUP_URL: undefined,
    DATABASE_PASSWORD_COMMAND: undefined,
    SECRET_KEY: undefined,
    AUTH_WEBHOOK_SECRET: undefined,
    RATE_LIMIT_PER_MINUTE: undefined,
    OIDC_ISSUER: undefined,
    OIDC_AUDIENCE: undefined,
    OIDC_CLIENT_ID: undefined,
    OIDC_CLIENT_SECRET: undefined,
    OIDC_NAME: undefined,
    SMTP_URL: undefined,
    EMBEDDINGS_URL: undefined,
    EMBEDDINGS_MODEL: undefined,
    EMBEDDINGS_KEY: undefined,
    ASSISTANT_URL: undefined,
    ASSISTANT_MODEL: undefined,
    ASSISTANT_KEY: undefined,
    METRICS_PORT: undefined,
    METRICS_TOKEN: undefined,
    OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
  };
  return { ...undocumented, ...new Config() };
}

function keptSecrets(dataDir: string): Pick<Config, "SECRET_KEY" | "AUTH_WEBHOOK_SECRET"> {
  const file = secretsFile(dataDir);
  try {
    fs.mkdirSync(dataDir, { recursive: true });
    const made = {
      SECRET_KEY: randomBytes(32).toString("base64url"),
      AUTH_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString("base64")}`,
    };
    // Written to another file and linked into place, so that two processes that start together use the same complete file.
    const aside = `${file}.${process.pid}`;
    if (!fs.existsSync(file)) {
      fs.writeFileSync(aside, JSON.stringify(made, null, 2), { mode: 0o600 });
      try {
        fs.linkSync(aside, file);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      fs.rmSync(aside, { force: true });
    }
    const kept = JSON.parse(fs.readFileSync(file, "utf8")) as Partial<typeof made>;
    if (typeof kept.SECRET_KEY !== "string" || typeof kept.AUTH_WEBHOOK_SECRET !== "string")
      throw new Error("it must hold SECRET_KEY and AUTH_WEBHOOK_SECRET");
    return kept;
  } catch (error) {
    throw new ConfigError(`The secrets in ${file} cannot be read or made: ${(error as Error).message}`);
  }
}
