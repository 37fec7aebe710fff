import fs from "node:fs";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyAdapter } from "@nestjs/platform-fastify";
import { errorHeaders } from "./error-codes.js";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ROOT } from "../config/root.js";
import { etagOf, matches } from "./etag.js";

const FOLDER = new URL("dist/web/", ROOT);
const DOCUMENT = new URL("index.html", FOLDER);
const SERVICE_WORKER = new URL("service-worker.js", FOLDER);
/** The one document of all pages; undefined if the dashboard was not built. */
const bytes = fs.existsSync(DOCUMENT) ? fs.readFileSync(DOCUMENT) : undefined;

/** Where the files are that the pages consist of. Their names change with their content. */
export const ASSETS = "/assets/";

/** The addresses of pages. All of them are the one document, whose script shows the page of the address. */
export const PAGES = [
  "/",
  "/sign-in",
  "/invitation",
  "/password-reset",
  "/email-proof",
  ...[
    "inbox",
    "attention",
    "approvals",
    "search",
    "contacts",
    "accounts",
    "cases",
    "calendar",
    "knowledge",
    "policies",
    "quality",
    "reports",
  ]
    .concat("settings")
    .flatMap((page) => [`/${page}`, `/${page}/*`]),
];

/** Nothing inline, and nothing from elsewhere. Pictures in memory are previews of attachments. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // A mail's own styles, in its frame, after `clean-style.ts`.
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "manifest-src 'self'",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "worker-src 'self'",
  "frame-ancestors 'none'",
].join(";");

const PAGE_HEADERS = { "Cache-Control": "no-cache", "content-security-policy": POLICY };
const sendPage = (reply: FastifyReply, document: Buffer): FastifyReply =>
  reply.headers(PAGE_HEADERS).type("text/html; charset=utf-8").send(document);

/** What programs ask for. There, an unknown address is answered with JSON, whatever they accept. */
const OF_PROGRAMS = /^\/(?:api|assets)(?:[/?]|$)/;

/**
 * Answers a mistyped address in a browser with the dashboard's not-found page and 404.
 * @returns false if the request is not a browser's, and still has to be answered
 */
export function sendMissingPage({ method, url, headers: { accept } }: FastifyRequest, reply: FastifyReply): boolean {
  const isBrowser = (method === "GET" || method === "HEAD") && accept?.includes("text/html") && !OF_PROGRAMS.test(url);
  if (!bytes || !isBrowser) return false;
  void sendPage(reply.status(404).headers({ Vary: "Accept", ...errorHeaders(404) }), bytes);
  return true;
}

/**
 * The script that shows notices. It is at the root, so that it reaches the windows of all pages. Browsers ask for it again at least
 * once a day, whatever a cache has.
 */
function serveWorker(fastify: FastifyInstance): void {
  // Where the dashboard is Vite's, it was not built.
  if (!fs.existsSync(SERVICE_WORKER)) return;
  const script = fs.readFileSync(SERVICE_WORKER);
  const headers = {
    "Cache-Control": "no-cache",
    "content-security-policy": "default-src 'none'",
    ETag: etagOf(script),
  };
  fastify.get("/service-worker.js", (request, reply) => {
    void reply.headers(headers);
    if (matches(request.headers["if-none-match"], headers.ETag)) return reply.status(304).send();
    return reply.type("text/javascript; charset=utf-8").send(script);
  });
}

/** Serves the operators' dashboard, if it was built. */
export async function serveDashboard(adapter: FastifyAdapter): Promise<void> {
  if (!bytes) return;
  const fastify = adapter.getInstance();
  await fastify.register(fastifyStatic, {
    root: fileURLToPath(new URL("assets/", FOLDER)),
    prefix: ASSETS,
    index: false,
    // One route for each file, so that every other path is as unknown as anywhere else.
    wildcard: false,
    decorateReply: false,
    // Compressed when they were built. A compressed file needs no route of its own, which would treble their number.
    preCompressed: true,
    globIgnore: ["**/*.br", "**/*.gz"],
    immutable: true,
    maxAge: "365d",
  });
  const etag = etagOf(bytes);
  const send = ({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply => {
    void reply.header("ETag", etag);
    if (matches(headers["if-none-match"], etag)) return reply.status(304).headers(PAGE_HEADERS).send();
    return sendPage(reply, bytes);
  };
  for (const page of PAGES) fastify.get(page, send);
  serveWorker(fastify);
}
