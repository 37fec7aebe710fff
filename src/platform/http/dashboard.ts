import fs from "node:fs";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyAdapter } from "@nestjs/platform-fastify";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ROOT } from "../config/root.js";
import { etagOf, matches } from "./etag.js";

const FOLDER = new URL("dist/web/", ROOT);

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
  ]
    .concat("settings")
    .flatMap((page) => [`/${page}`, `/${page}/*`]),
];

/** Nothing inline, and nothing from elsewhere. Pictures in memory are previews of attachments. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(";");

/** Serves the operators' dashboard, if it was built. */
export async function serveDashboard(adapter: FastifyAdapter): Promise<void> {
  const document = new URL("index.html", FOLDER);
  if (!fs.existsSync(document)) return;
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
  const bytes = fs.readFileSync(document);
  const etag = etagOf(bytes);
  const send = ({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply => {
    void reply.headers({ ETag: etag, "Cache-Control": "no-cache", "content-security-policy": POLICY });
    if (matches(headers["if-none-match"], etag)) return reply.status(304).send();
    return reply.type("text/html; charset=utf-8").send(bytes);
  };
  for (const page of PAGES) fastify.get(page, send);
}
