import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

// AWS Signature Version 4 as S3 checks it, because S3rver does not. It knows nothing of the client that signs.

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
/** RFC 3986: everything but letters, digits and -._~ is encoded. A + stays what it is: a plus. */
const encoded = (text: string): string =>
  encodeURIComponent(decodeURIComponent(text)).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
const QUARTER_OF_AN_HOUR = 900_000;

export interface Signed {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
}

/** S3's word for what is wrong with the signature of a request; undefined if it is right. */
export function wrongSignature({ method, url, headers }: Signed, secrets: Record<string, string>): string | undefined {
  const [path = "", search = ""] = url.split("?", 2);
  const query = new Map(
    search
      .split("&")
      .filter(Boolean)
      .map((pair) => pair.split("=", 2).map(encoded) as [string, string]),
  );
  const inQuery = (name: string): string | undefined => {
    const value = query.get(`X-Amz-${name}`);
    return value === undefined ? undefined : decodeURIComponent(value);
  };
  const inHeader = (name: string): string | undefined =>
    new RegExp(`${name}=([^, ]+)`).exec(headers.authorization ?? "")?.[1];
  const find = headers.authorization ? inHeader : inQuery;
  const [key = "", ...scope] = (find("Credential") ?? "").split("/");
  const secret = secrets[key];
  if (secret === undefined) return "InvalidAccessKeyId";
  const time = headers.authorization ? headers["x-amz-date"]!.toString() : inQuery("Date")!;
  const at = Date.parse(time.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));
  if (!(Math.abs(Date.now() - at) < QUARTER_OF_AN_HOUR)) return "RequestTimeTooSkewed";
  const names = find("SignedHeaders")!.split(";");
  const canonical = [
    method,
    path.split("/").map(encoded).join("/"),
    [...query]
      .filter(([name]) => name !== "X-Amz-Signature")
      .map(([name, value]) => `${name}=${value}`)
      .sort()
      .join("&"),
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    names.join(";"),
    headers.authorization ? headers["x-amz-content-sha256"] : "UNSIGNED-PAYLOAD",
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", time, scope.join("/"), createHash("sha256").update(canonical).digest("hex")].join(
    "\n",
  );
  const signing = scope.reduce<string | Buffer>((k, part) => hmac(k, part), `AWS4${secret}`);
  const [expected, given] = [hmac(signing, toSign), Buffer.from(find("Signature") ?? "", "hex")];
  return expected.length === given.length && timingSafeEqual(expected, given) ? undefined : "SignatureDoesNotMatch";
}
