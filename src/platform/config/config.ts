import { isIP } from "node:net";
import path from "node:path";
import { Transform } from "class-transformer";
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateBy,
} from "class-validator";
import {
  flag,
  hosts,
  integer,
  isHostAndPort,
  isLoopback,
  isProxy,
  isServer,
  list,
  serverOf,
  urlOf,
  withoutSlash,
} from "./values.js";

/** An invalid or missing setting. Operators see only the message. */
export class ConfigError extends Error {}

/**
 * The settings of the server, by the names of their environment variables. Nothing else reads `process.env`.
 * `.env.example` documents the same names; a test compares the two.
 */
export class Config {
  /** `production` makes secrets mandatory with DATABASE_URL, turns the rate limit on and marks cookies Secure. */
  @IsIn(["development", "production", "test"])
  readonly NODE_ENV: "development" | "production" | "test" = "development";

  /** TCP port to listen on; 0 picks a free one. */
  @Transform(integer)
  @IsInt()
  @Min(0)
  @Max(65_535)
  readonly PORT: number = 3000;

  /** Address to listen on. `localhost` can only be reached from this machine, `0.0.0.0` from everywhere. */
  @IsString()
  readonly HOST: string = "localhost";

  /** The server's public address. Links in mails begin with it, and telephony providers call it. Default: the address to listen on. */
  @IsOptional()
  @Transform(withoutSlash)
  @IsUrl(urlOf("http", "https"))
  readonly PUBLIC_URL?: string;

  /** Folder of the embedded PostgreSQL and of generated secrets. */
  @IsString()
  readonly DATA_DIR: string = ".data";

  /** Folder of the attachments. All processes share it, and no other installation may use it. Default: `attachments` in DATA_DIR. */
  @IsOptional()
  @IsString()
  readonly ATTACHMENTS_DIR?: string;

  /** Starts although attachments are not where the settings say: they are lost. */
  @Transform(flag)
  @IsBoolean({ message: "ATTACHMENTS_MAY_BE_MISSING must be true or false" })
  readonly ATTACHMENTS_MAY_BE_MISSING: boolean = false;

  /** Where new attachments go: `disk`, or the bucket of S3_BUCKET. Attachments that are still in the other one are found there. */
  @IsIn(["disk", "s3"])
  readonly ATTACHMENT_STORE: "disk" | "s3" = "disk";

  /** A bucket in S3, or in a store that is like it, for this installation alone. */
  @IsOptional()
  @Matches(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { message: "S3_BUCKET must be the name of a bucket" })
  readonly S3_BUCKET?: string;

  /** The server. Default: Amazon's in S3_REGION. */
  @IsOptional()
  @Transform(withoutSlash)
  @IsUrl(urlOf("http", "https"))
  readonly S3_ENDPOINT?: string;

  /** The bucket's region. Servers without regions take the default. */
  @Matches(/^[a-z0-9-]+$/, { message: "S3_REGION must be the name of a region, such as eu-central-1" })
  readonly S3_REGION: string = "us-east-1";

  /** Who Parley is there. Default: whom the platform says, by the variables AWS_… below or the role of the machine. */
  @IsOptional()
  @IsString()
  readonly S3_ACCESS_KEY_ID?: string;

  @IsOptional()
  @IsString()
  readonly S3_SECRET_ACCESS_KEY?: string;

  /** For keys that end. */
  @IsOptional()
  @IsString()
  readonly S3_SESSION_TOKEN?: string;

  /** The bucket is in the path (`https://host/bucket`), and not a part of the host's name. */
  @Transform(flag)
  @IsBoolean({ message: "S3_PATH_STYLE must be true or false" })
  readonly S3_PATH_STYLE: boolean = false;

  /** How S3 encrypts what it stores. Default: as the bucket is set up. */
  @IsOptional()
  @IsIn(["AES256", "aws:kms"])
  readonly S3_SSE?: "AES256" | "aws:kms";

  /** The key for `aws:kms`. Default: that of the account. */
  @IsOptional()
  @IsString()
  readonly S3_SSE_KMS_KEY_ID?: string;

  /** Files that are saved and not shown are fetched from S3 itself, by an address that works for 5 minutes. */
  @Transform(flag)
  @IsBoolean({ message: "S3_PRESIGNED_DOWNLOADS must be true or false" })
  readonly S3_PRESIGNED_DOWNLOADS: boolean = false;

  /** For how many seconds a request to S3 may stand still. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  @Max(300)
  readonly S3_TIMEOUT_SECONDS: number = 10;

  /** The role to take with the token of AWS_WEB_IDENTITY_TOKEN_FILE. Kubernetes at Amazon sets both. */
  @IsOptional()
  @IsString()
  readonly AWS_ROLE_ARN?: string;

  @IsOptional()
  @IsString()
  readonly AWS_WEB_IDENTITY_TOKEN_FILE?: string;

  /** Where to exchange the token. Default: Amazon's server in S3_REGION. */
  @IsOptional()
  @Transform(withoutSlash)
  @IsUrl(urlOf("http", "https"))
  readonly AWS_ENDPOINT_URL_STS?: string;

  /** Where a container asks for its credentials. Amazon's platforms for containers set it, or the path alone. */
  @IsOptional()
  @IsUrl(urlOf("http", "https"))
  readonly AWS_CONTAINER_CREDENTIALS_FULL_URI?: string;

  @IsOptional()
  @Matches(/^\//, { message: "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI must begin with /" })
  readonly AWS_CONTAINER_CREDENTIALS_RELATIVE_URI?: string;

  /** What the container shows there, or the file that has it. */
  @IsOptional()
  @IsString()
  readonly AWS_CONTAINER_AUTHORIZATION_TOKEN?: string;

  @IsOptional()
  @IsString()
  readonly AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE?: string;

  /** Where a virtual machine asks for its role. Default: http://169.254.169.254 */
  @IsOptional()
  @Transform(withoutSlash)
  @IsUrl(urlOf("http", "https"))
  readonly AWS_EC2_METADATA_SERVICE_ENDPOINT?: string;

  /** Maximum size of an uploaded file in MB (1,048,576 bytes), 1 to 1,000. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  @Max(1_000)
  readonly ATTACHMENT_MAX_MB: number = 25;

  /** How many pages of a website one reading of a source reads, 1 to 10,000. The others have their turn at the next one. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  @Max(10_000)
  readonly SOURCE_MAX_PAGES: number = 500;

  /** How much all attachments of a tenant may take up, in GB (1,073,741,824 bytes). Live and test side count separately. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  readonly ATTACHMENT_QUOTA_GB: number = 10;

  /** If less than this many MB of the attachments' disk are free, no more files are taken in. Everything else goes on. */
  @Transform(integer)
  @IsInt()
  @Min(0)
  readonly MIN_FREE_DISK_MB: number = 1_024;

  /** How many days the change feed goes back. An integration that was away for longer has to read everything again. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  @Max(90)
  readonly CHANGES_KEPT_DAYS: number = 7;

  /** Open streams of the web chat for each client address, in each process. An office may share one address. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  readonly WEBCHAT_STREAMS_PER_ADDRESS: number = 50;

  /** Open streams of the web chat for each tenant, in each process. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  readonly WEBCHAT_STREAMS_PER_TENANT: number = 1_000;

  /** Open streams of `GET /api/events` for each client address, in each process. An office may share one address. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  readonly EVENT_STREAMS_PER_ADDRESS: number = 500;

  /** Open streams of `GET /api/events` for each side of a tenant, in each process. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  readonly EVENT_STREAMS_PER_TENANT: number = 2_000;

  /** An external PostgreSQL, 15 or later. If unset, Parley runs the embedded one. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: "DATABASE_URL must begin with postgres:// or postgresql://" })
  readonly DATABASE_URL?: string;

  /** A second login, which owns no tables, for the running server. DATABASE_URL is then used only for migrations. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: "DATABASE_APP_URL must begin with postgres:// or postgresql://" })
  readonly DATABASE_APP_URL?: string;

  /**
   * PostgreSQL itself, where the other two lead to a pooler: for migrations, and for what needs a connection of its own. It needs
   * DATABASE_APP_URL. Without a user of its own it has those of the other two.
   */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: "DATABASE_DIRECT_URL must begin with postgres:// or postgresql://" })
  readonly DATABASE_DIRECT_URL?: string;

  /** A streaming standby of the same database: reports, exports and searches read from it. Without a user it has that of the server. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: "DATABASE_REPLICA_URL must begin with postgres:// or postgresql://" })
  readonly DATABASE_REPLICA_URL?: string;

  /** If the standby is behind by more than so many seconds, 1 to 3600, the primary is read. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  @Max(3_600)
  readonly DATABASE_REPLICA_MAX_LAG_SECONDS: number = 10;

  /** A login that reads all rows, for `parley backup`: a superuser, or one with BYPASSRLS. Default: the user of DATABASE_URL. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: "DATABASE_BACKUP_URL must begin with postgres:// or postgresql://" })
  readonly DATABASE_BACKUP_URL?: string;

  /**
   * Further PostgreSQL servers for whole organisations: `name=address`, separated by commas. DATABASE_URL leads to the server
   * `control`, which knows where each organisation lives. An address without a user has those of the other URLs. A name keeps its
   * meaning for good.
   */
  @Transform(list)
  @ValidateBy(
    {
      name: "servers",
      validator: {
        validate: isServer,
        defaultMessage: () => "each value in DATABASE_SERVERS must be name=postgres://…; control is DATABASE_URL",
      },
    },
    { each: true },
  )
  readonly DATABASE_SERVERS: string[] = [];

  /**
   * Poolers in front of servers of DATABASE_SERVERS: `name=address`, separated by commas. The login of DATABASE_APP_URL goes through
   * them; DATABASE_SERVERS then leads to PostgreSQL itself.
   */
  @Transform(list)
  @ValidateBy(
    {
      name: "poolers",
      validator: {
        validate: isServer,
        defaultMessage: () =>
          "each value in DATABASE_POOLERS must be name=postgres://…; the pooler of control is DATABASE_APP_URL",
      },
    },
    { each: true },
  )
  readonly DATABASE_POOLERS: string[] = [];

  /**
   * A shell command that prints the password of URLs without one, asked at each new connection. It finds PGUSER, PGHOST, PGPORT and
   * PGDATABASE in its environment.
   */
  @IsOptional()
  @IsString()
  readonly DATABASE_PASSWORD_COMMAND?: string;

  /** Connections of each process to PostgreSQL, 2 to 100. More than a few per core make it slower. */
  @Transform(integer)
  @IsInt()
  @Min(2)
  @Max(100)
  readonly DATABASE_POOL_SIZE: number = 8;

  /** How many seconds a request waits for one of these connections, 1 to 300. Then it is answered 503. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  @Max(300)
  readonly DATABASE_WAIT_SECONDS: number = 5;

  /**
   * What carries reads to PostgreSQL. `parley` is Parley's own client, which relies on internals of the `pg` that it was built
   * with. `pg` is that client as it comes: slower, for the day on which you suspect the other one.
   */
  @IsIn(["parley", "pg"])
  readonly READ_ENGINE: "parley" | "pg" = "parley";

  /** Master secret, at least 32 characters. The keys for session tokens, cursors and encrypted data are derived from it. */
  @IsOptional()
  @IsString()
  @MinLength(32)
  readonly SECRET_KEY?: string;

  /**
   * Former values of SECRET_KEY, separated by commas, the newest first. They decrypt and verify, but no longer encrypt or
   * sign. `parley rotate-keys` encrypts everything again under SECRET_KEY.
   */
  @Transform(list)
  @IsString({ each: true })
  @MinLength(32, { each: true })
  readonly SECRET_KEYS_OLD: string[] = [];

  /** After how many hours a session ends, however much it is used. The member then signs in again. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  @Max(8_760)
  readonly SESSION_MAX_HOURS: number = 720;

  /** The same for owners and admins. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  @Max(8_760)
  readonly SESSION_MAX_HOURS_ADMINS: number = 12;

  /** Secret (`whsec_` and base64) with which the authentication provider signs `organization.created`. If unset, its webhook refuses all requests. */
  @IsOptional()
  @Matches(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, {
    message: "AUTH_WEBHOOK_SECRET must be whsec_ followed by at least 24 bytes in base64",
  })
  readonly AUTH_WEBHOOK_SECRET?: string;

  /** Requests a minute for each client IP, for all processes together. 0 turns the limit off. Default: 600 in production or where HOST can be reached from elsewhere, otherwise 0. */
  @IsOptional()
  @Transform(integer)
  @IsInt()
  @Min(0)
  readonly RATE_LIMIT_PER_MINUTE?: number;

  /** Proxies whose `X-Forwarded-For` is trusted: addresses or CIDR ranges, separated by commas. */
  @Transform(list)
  @ValidateBy(
    {
      name: "proxies",
      validator: {
        validate: isProxy,
        defaultMessage: () => "each value in TRUSTED_PROXIES must be an IP address or a CIDR range",
      },
    },
    { each: true },
  )
  readonly TRUSTED_PROXIES: string[] = [];

  /** Browser origins that may call the API, separated by commas. If empty, only the server's own. */
  @Transform(list)
  @IsUrl(urlOf("http", "https"), { each: true })
  readonly CORS_ORIGINS: string[] = [];

  /**
   * Private hosts that look-up tools and other outgoing requests may reach, also without TLS: `host:port`, separated by
   * commas, without wildcards. For example `crm.internal:8080`, `10.0.0.7:443`, `[::1]:9000`.
   */
  @Transform(hosts)
  @ValidateBy(
    {
      name: "hosts",
      validator: {
        validate: isHostAndPort,
        defaultMessage: () => "each value in OUTBOUND_ALLOW must be host:port, without wildcards",
      },
    },
    { each: true },
  )
  readonly OUTBOUND_ALLOW: string[] = [];

  /**
   * DNS servers that are asked for the keys and policies by which incoming mail is checked: addresses, each with a port if it
   * is not 53, separated by commas. Default: those of the system.
   */
  @Transform(list)
  @ValidateBy(
    {
      name: "dnsServers",
      validator: {
        validate: (value) =>
          isIP(String(value).replace(/^\[?([^\]]*?)\]?(?::\d{1,5})?$/, "$1")) > 0 || isIP(String(value)) > 0,
        defaultMessage: () => "each value in DNS_SERVERS must be an IP address, with a port if it is not 53",
      },
    },
    { each: true },
  )
  readonly DNS_SERVERS: string[] = [];

  /** Issuer of an external OpenID Connect provider. Members can use its tokens. */
  @IsOptional()
  @IsUrl(urlOf("http", "https"))
  readonly OIDC_ISSUER?: string;

  /** Audience that these tokens must name. */
  @IsOptional()
  @IsString()
  readonly OIDC_AUDIENCE?: string;

  /** Parley's client id at this provider. If set, members sign in there from the dashboard. */
  @IsOptional()
  @IsString()
  readonly OIDC_CLIENT_ID?: string;

  /** The secret of that client. Without it, Parley is a public client. PKCE protects both. */
  @IsOptional()
  @IsString()
  readonly OIDC_CLIENT_SECRET?: string;

  /** What the button of the sign-in page names: "Continue with …". If unset, the issuer's host. */
  @IsOptional()
  @IsString()
  readonly OIDC_NAME?: string;

  /** Server for outgoing mail, for example `smtps://user:password@mail.example.com`. With `smtp:` it must offer STARTTLS, unless the URL ends with `?requireTLS=false`. If unset, live mail waits, encrypted, in the outbox. */
  @IsOptional()
  @IsUrl(urlOf("smtp", "smtps"))
  readonly SMTP_URL?: string;

  /** Sender of outgoing mail. */
  @IsString()
  readonly MAIL_FROM: string = "Parley <no-reply@localhost>";

  /** A server with OpenAI's API for embeddings, up to the part before `/embeddings`. It then makes the vectors of search instead of the model that comes with Parley. */
  @IsOptional()
  @Transform(withoutSlash)
  @IsUrl(urlOf("http", "https"))
  readonly EMBEDDINGS_URL?: string;

  /** The model to use there. After a change, all vectors are computed again. */
  @IsOptional()
  @IsString()
  readonly EMBEDDINGS_MODEL?: string;

  /** The key for that server, if it needs one. */
  @IsOptional()
  @IsString()
  readonly EMBEDDINGS_KEY?: string;

  /** For how many seconds the assistant may work on an answer in a chat. After that a person takes over. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  @Max(600)
  readonly ASSISTANT_CHAT_SECONDS: number = 30;

  /** The same for mail. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  @Max(3_600)
  readonly ASSISTANT_MAIL_SECONDS: number = 180;

  /** A server with OpenAI's API for chat completions with tools, up to the part before `/chat/completions`. The assistant then uses its language model. If unset, it answers with approved entries as they stand. */
  @IsOptional()
  @Transform(withoutSlash)
  @IsUrl(urlOf("http", "https"))
  readonly ASSISTANT_URL?: string;

  /** The model to use there. */
  @IsOptional()
  @IsString()
  readonly ASSISTANT_MODEL?: string;

  /** The key for that server, if it needs one. */
  @IsOptional()
  @IsString()
  readonly ASSISTANT_KEY?: string;

  /** How many tokens of the language model the assistant may use for one message. After that a person takes over. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  readonly ASSISTANT_RUN_TOKENS: number = 100_000;

  /** How many it may use in a workspace on one day (UTC). After that people take over. */
  @Transform(integer)
  @IsInt()
  @Min(1)
  readonly ASSISTANT_DAY_TOKENS: number = 5_000_000;

  /** A port of its own for `GET /metrics`, which is then not on the main one; 0 picks a free one. */
  @IsOptional()
  @Transform(integer)
  @IsInt()
  @Min(0)
  @Max(65_535)
  readonly METRICS_PORT?: number;

  /** Address that this port listens on. `localhost` can only be reached from this machine. */
  @IsString()
  readonly METRICS_HOST: string = "localhost";

  /** Who scrapes `/metrics` must send it: `Authorization: Bearer …`. Without METRICS_PORT it opens `/metrics` on the main port. */
  @IsOptional()
  @Matches(/^[A-Za-z0-9._~+/-]{32,}=*$/, {
    message: "METRICS_TOKEN must have at least 32 characters, of those that a bearer token may have",
  })
  readonly METRICS_TOKEN?: string;

  /** Where traces go by OTLP over HTTP, up to the part before `/v1/traces`. If unset, nothing is traced. */
  @IsOptional()
  @Transform(withoutSlash)
  @IsUrl(urlOf("http", "https"))
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  /** The name of this service in traces. */
  @IsString()
  readonly OTEL_SERVICE_NAME: string = "parley";

  /** How much is logged: `error`, `warn`, `info` (a line for each request) or `debug`. */
  @IsIn(["error", "warn", "info", "debug"])
  readonly LOG_LEVEL: "error" | "warn" | "info" | "debug" = "warn";

  /** The addresses of the further servers, by their names. */
  get databaseServers(): ReadonlyMap<string, string> {
    return new Map(this.DATABASE_SERVERS.map((value) => serverOf(value)!));
  }

  /** The addresses of poolers in front of them, by the servers' names. */
  get databasePoolers(): ReadonlyMap<string, string> {
    return new Map(this.DATABASE_POOLERS.map((value) => serverOf(value)!));
  }

  get attachmentMaxBytes(): number {
    return this.ATTACHMENT_MAX_MB * 1_048_576;
  }

  get attachmentQuotaBytes(): number {
    return this.ATTACHMENT_QUOTA_GB * 1_073_741_824;
  }

  get attachmentsDir(): string {
    return this.ATTACHMENTS_DIR ?? path.join(this.DATA_DIR, "attachments");
  }

  /** The address with which links in mails begin. */
  get publicUrl(): string {
    return this.PUBLIC_URL ?? `http://${this.HOST.includes(":") ? `[${this.HOST}]` : this.HOST}:${this.PORT}`;
  }

  get rateLimitPerMinute(): number {
    return this.RATE_LIMIT_PER_MINUTE ?? (this.NODE_ENV === "production" || !isLoopback(this.HOST) ? 600 : 0);
  }

  /** Other machines can reach a server that is not set up for that. */
  get isExposed(): boolean {
    return this.NODE_ENV !== "production" && !isLoopback(this.HOST);
  }

  /** The master key, followed by the keys that it replaced. */
  get secretKeys(): readonly string[] {
    if (!this.SECRET_KEY) throw new ConfigError("SECRET_KEY is not set");
    return [this.SECRET_KEY, ...this.SECRET_KEYS_OLD];
  }
}
