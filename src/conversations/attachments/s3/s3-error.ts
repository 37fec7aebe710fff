/** S3 refused a request, or did not answer. Operators see the message, which says what to do. */
export class S3Error extends Error {
  constructor(
    message: string,
    readonly status: number,
    /** S3's word for it, or the system's. */
    readonly code: string,
    /** The same request may succeed later. */
    readonly isPassing: boolean,
  ) {
    super(message);
  }
}

const PASSING = new Set(["SlowDown", "RequestTimeout", "InternalError", "ServiceUnavailable", "OperationAborted"]);

/** What S3 says in the XML of an answer that is none of 2xx. Answers to HEAD have no body. */
export function refused(
  what: string,
  { bucket, host }: { bucket: string; host: string },
  { status, body, region }: { status: number; body: string; region: string | undefined },
): S3Error {
  const code = tag(body, "Code") ?? `HTTP ${status}`;
  const place = region ?? tag(body, "Region");
  const isPassing = status >= 500 || status === 429 || PASSING.has(code);
  return new S3Error(
    `${what}: ${explain(code, status, { bucket, host, place, said: tag(body, "Message") })}`,
    status,
    code,
    isPassing,
  );
}

function explain(
  code: string,
  status: number,
  { bucket, host, place, said }: Record<"bucket" | "host", string> & Record<"place" | "said", string | undefined>,
): string {
  switch (code) {
    case "NoSuchBucket":
      return `there is no bucket ${bucket} at ${host}: make it, or set S3_BUCKET`;
    case "InvalidAccessKeyId":
      return `${host} does not know the access key: set S3_ACCESS_KEY_ID`;
    case "SignatureDoesNotMatch":
      return `${host} does not accept the signature: set S3_SECRET_ACCESS_KEY, or S3_REGION if the key is right`;
    case "ExpiredToken":
    case "InvalidToken":
      return `the session's token is not valid any more: set S3_SESSION_TOKEN anew, or let the platform give the identity`;
    case "RequestTimeTooSkewed":
      return `the clock of this machine differs from that of ${host} by more than a quarter of an hour: set it`;
    case "AccessDenied":
      return "the key lacks the permission";
  }
  if (place && (status === 301 || status === 307 || code === "AuthorizationHeaderMalformed"))
    return `the bucket is in another region: set S3_REGION=${place}`;
  if (status === 301 || status === 307)
    return `the bucket has another address or is in another region: set S3_REGION and S3_ENDPOINT`;
  return `${host} answered ${status} ${code}${said ? `: ${said}` : ""}`;
}

/** The text of the first element of this name. S3's documents have no attributes on them. */
export function tag(xml: string, name: string): string | undefined {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return found === undefined ? undefined : unescaped(found);
}

/** The contents of all elements of these names. */
export const blocks = (xml: string, ...names: string[]): string[] =>
  [...xml.matchAll(new RegExp(`<(${names.join("|")})>(.*?)</\\1>`, "gs"))].map((match) => match[2]!);

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const unescaped = (text: string): string =>
  text.replace(/&(#x?)?(\w+);/g, (all, number: string | undefined, name: string) =>
    number ? String.fromCodePoint(Number.parseInt(name, number === "#" ? 10 : 16)) : (ENTITIES[name] ?? all),
  );
