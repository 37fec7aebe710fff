import type { DAVResponse } from "tsdav";

/** One resource of a multistatus answer. `props` have their names in camel case. */
export interface Resource {
  url: string;
  status: number;
  props: Record<string, unknown>;
}
export interface Multistatus {
  resources: Resource[];
  syncToken: string | null;
  /** Whether the server returned only a part. */
  truncated: boolean;
}

/**
 * Reads the answer of a server. Runs in a worker: the XML is a stranger's, and the parser needs more than linear time for some.
 * @returns null: this is not WebDAV
 */
export async function readMultistatus({
  text: xml,
  type,
  url: from,
}: {
  text: string;
  type: string;
  url: string;
}): Promise<Multistatus | null> {
  const { davRequest } = await import("tsdav");
  const responses = await davRequest({
    url: from,
    init: { method: "PROPFIND", body: null },
    // The answer is here: tsdav only parses it.
    fetch: () => Promise.resolve(new Response(xml, { status: 207, headers: { "content-type": type } })),
  });
  const raw = (responses[0]?.raw as { multistatus?: { syncToken?: unknown } } | undefined)?.multistatus;
  if (!raw) return null;
  const resources = responses.flatMap((response) => resource(response, from));
  return {
    syncToken: text(raw.syncToken),
    truncated: resources.some((one) => one.status === 507),
    resources: resources.filter((one) => one.status !== 507),
  };
}

function resource({ href, status, props }: DAVResponse, from: string): Resource[] {
  const path = text(href);
  if (path === null || !URL.canParse(path, from)) return [];
  return [{ url: normalizedUrl(new URL(path, from)), status, props: props ?? {} }];
}

/** The last part of an address, as people read it. */
export function lastNameOf(url: string): string {
  const last = url.split("/").filter(Boolean).at(-1)!;
  return decodedPart(last) ?? last;
}

/** Undefined if what is escaped is not UTF-8. */
function decodedPart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** Servers escape the same path in different ways. */
export function normalizedUrl(url: URL): string {
  const path = url.pathname
    .split("/")
    .map((part) => {
      const decoded = decodedPart(part);
      return decoded === undefined ? part : encodeURIComponent(decoded);
    })
    .join("/");
  return `${url.origin}${path}`;
}

/** The text of an element, in whichever form it was parsed. Without NUL, which PostgreSQL does not store. */
export function text(value: unknown): string | null {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return String(value).replaceAll("\0", "");
  if (Array.isArray(value)) return text(value[0]);
  const { _cdata: cdata, _text: inner, href } = (value ?? {}) as { _cdata?: unknown; _text?: unknown; href?: unknown };
  return cdata !== undefined ? text(cdata) : inner !== undefined ? text(inner) : href !== undefined ? text(href) : null;
}

/** The elements of one name: none, one or several. */
export const elementsOf = (value: unknown): Record<string, unknown>[] =>
  [value].flat().filter((one): one is Record<string, unknown> => typeof one === "object" && one !== null);
