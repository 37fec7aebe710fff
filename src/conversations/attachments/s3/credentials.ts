import fs from "node:fs/promises";
import type { Config } from "../../../platform/config/config.js";
import { S3Error, tag } from "./s3-error.js";

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  /** Milliseconds since 1970. Undefined: they do not end. */
  expires?: number;
}

/** Credentials are renewed this long before they end. */
const RENEW_MS = 300_000;
/** How long the platform may take to answer. */
const PLATFORM_MS = 5_000;
/** Where ECS has its credentials, and EKS in its two networks. */
const PLATFORM_HOSTS = new Set([
  "169.254.170.2",
  "169.254.170.23",
  "[fd00:ec2::23]",
  "localhost",
  "127.0.0.1",
  "[::1]",
]);

/** Credentials that are read again before they end. Who asks meanwhile shares the request. */
export class CredentialsSource {
  private current: Credentials | undefined;
  private renewing: Promise<Credentials> | undefined;
  private readonly load: () => Promise<Credentials>;

  constructor(config: Config) {
    this.load = sourceOf(config);
  }

  async get(): Promise<Credentials> {
    const { current } = this;
    if (current && !isDue(current, RENEW_MS)) return current;
    this.renewing ??= this.renew();
    try {
      return await this.renewing;
    } catch (error) {
      if (current && !isDue(current, 0)) return current;
      throw error;
    }
  }

  /** S3 does not accept them any more. */
  forget(): void {
    this.current = undefined;
  }

  private async renew(): Promise<Credentials> {
    try {
      return (this.current = await this.load());
    } finally {
      this.renewing = undefined;
    }
  }
}

const isDue = ({ expires = Infinity }: Credentials, before: number): boolean => Date.now() > expires - before;

function sourceOf(config: Config): () => Promise<Credentials> {
  const { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_SESSION_TOKEN } = config;
  if (S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY) {
    const fixed = {
      accessKeyId: S3_ACCESS_KEY_ID,
      secretAccessKey: S3_SECRET_ACCESS_KEY,
      sessionToken: S3_SESSION_TOKEN,
    };
    return () => Promise.resolve(fixed);
  }
  if (config.AWS_WEB_IDENTITY_TOKEN_FILE && config.AWS_ROLE_ARN) return () => webIdentity(config);
  if (config.AWS_CONTAINER_CREDENTIALS_FULL_URI || config.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI)
    return () => container(config);
  return () => instance(config);
}

/** A service account of Kubernetes (IRSA), or another token that AWS trusts. */
async function webIdentity({
  AWS_WEB_IDENTITY_TOKEN_FILE,
  AWS_ROLE_ARN,
  AWS_ENDPOINT_URL_STS,
  S3_REGION,
}: Config): Promise<Credentials> {
  const url = AWS_ENDPOINT_URL_STS ?? `https://sts.${S3_REGION}.amazonaws.com`;
  const xml = await ask("AssumeRoleWithWebIdentity", url, async () => ({
    method: "POST",
    body: new URLSearchParams({
      Action: "AssumeRoleWithWebIdentity",
      Version: "2011-06-15",
      RoleArn: AWS_ROLE_ARN!,
      RoleSessionName: "parley",
      // Kubernetes replaces the file before the token ends.
      WebIdentityToken: (await fs.readFile(AWS_WEB_IDENTITY_TOKEN_FILE!, "utf8")).trim(),
    }),
  }));
  return complete("AssumeRoleWithWebIdentity", {
    accessKeyId: tag(xml, "AccessKeyId"),
    secretAccessKey: tag(xml, "SecretAccessKey"),
    sessionToken: tag(xml, "SessionToken"),
    expires: tag(xml, "Expiration"),
  });
}

/** ECS, and EKS Pod Identity. */
async function container(config: Config): Promise<Credentials> {
  const {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: full,
    AWS_CONTAINER_AUTHORIZATION_TOKEN: token,
    AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file,
  } = config;
  const url = new URL(full ?? `http://169.254.170.2${config.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI}`);
  if (url.protocol !== "https:" && !PLATFORM_HOSTS.has(url.hostname))
    throw identityError(`AWS_CONTAINER_CREDENTIALS_FULL_URI must be https, or an address of the platform`, false);
  const text = await ask("the container's credentials", url.href, async () => {
    const authorization = file ? (await fs.readFile(file, "utf8")).trim() : token;
    return authorization ? { headers: { authorization } } : {};
  });
  return fromJson("the container's credentials", text);
}

/** The role of a virtual machine (IMDSv2). */
async function instance({ AWS_EC2_METADATA_SERVICE_ENDPOINT }: Config): Promise<Credentials> {
  const base = AWS_EC2_METADATA_SERVICE_ENDPOINT ?? "http://169.254.169.254";
  const what = "S3_ACCESS_KEY_ID is not set, and the identity of this machine";
  const token = await ask(what, `${base}/latest/api/token`, () => ({
    method: "PUT",
    headers: { "x-aws-ec2-metadata-token-ttl-seconds": "21600" },
  }));
  const headers = { "x-aws-ec2-metadata-token": token };
  const roles = `${base}/latest/meta-data/iam/security-credentials/`;
  const [role = ""] = (await ask(what, roles, () => ({ headers }))).split("\n");
  return fromJson(what, await ask(what, roles + encodeURIComponent(role.trim()), () => ({ headers })));
}

async function ask(what: string, url: string, request: () => RequestInit | Promise<RequestInit>): Promise<string> {
  try {
    const response = await fetch(url, {
      ...(await request()),
      redirect: "error",
      signal: AbortSignal.timeout(PLATFORM_MS),
    });
    const text = await response.text();
    if (!response.ok)
      throw identityError(`${what}: ${new URL(url).host} answered ${response.status}`, response.status >= 500);
    return text;
  } catch (error) {
    if (error instanceof S3Error) throw error;
    const { message, cause } = error as Error;
    throw identityError(`${what} cannot be read: ${(cause as Error | undefined)?.message ?? message}`, true);
  }
}

function fromJson(what: string, text: string): Credentials {
  let said: Record<string, string> = {};
  try {
    said = JSON.parse(text) as typeof said;
  } catch {
    /* said below */
  }
  return complete(what, {
    accessKeyId: said.AccessKeyId,
    secretAccessKey: said.SecretAccessKey,
    sessionToken: said.Token,
    expires: said.Expiration,
  });
}

function complete(
  what: string,
  { expires, ...said }: Record<"accessKeyId" | "secretAccessKey" | "sessionToken" | "expires", string | undefined>,
): Credentials {
  const { accessKeyId, secretAccessKey, sessionToken } = said;
  if (!accessKeyId || !secretAccessKey) throw identityError(`${what}: the answer has no credentials`, true);
  return { accessKeyId, secretAccessKey, sessionToken, expires: expires ? Date.parse(expires) : undefined };
}

const identityError = (message: string, isPassing: boolean): S3Error =>
  new S3Error(message, 0, "NoIdentity", isPassing);
