import fs from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { FastifyAdapter } from "@nestjs/platform-fastify";
import type { FastifyReply, FastifyRequest } from "fastify";
import { matches } from "./etag.js";
import { StaticFile } from "./static-file.js";

const FOLDER = new URL("reference/", import.meta.url);
const SWAGGER_UI = pathToFileURL(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
/** Compresses a megabyte in a tenth of a second. */
const QUALITY = 5;

const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";

/** What the reference is made of: the path, the type, and where it comes from. */
const PARTS: [path: string, type: string, file: URL][] = [
  ["/docs", HTML, new URL("page.html", FOLDER)],
  ["/docs/page.js", SCRIPT, new URL("page.js", FOLDER)],
  ["/docs/page.css", STYLE, new URL("page.css", FOLDER)],
  ["/docs/swagger-ui-bundle.js", SCRIPT, new URL("swagger-ui-bundle.js", SWAGGER_UI)],
  ["/docs/swagger-ui.css", STYLE, new URL("swagger-ui.css", SWAGGER_UI)],
  ["/docs/favicon-32x32.png", "image/png", new URL("favicon-32x32.png", SWAGGER_UI)],
];

/** The text above the operations: `info.description` of openapi.json. */
export const introduction = (): string => fs.readFileSync(new URL("introduction.md", FOLDER), "utf8");

/** Serves the reference of the API at `/docs`, and the document that it shows. */
export function serveReference(adapter: FastifyAdapter, read: () => object): void {
  const fastify = adapter.getInstance();
  const serve = (path: string, type: string, make: () => Buffer): void => {
    let made: StaticFile | undefined;
    fastify.get(path, async ({ headers }: FastifyRequest, reply: FastifyReply) => {
      const file = (made ??= new StaticFile(make(), QUALITY));
      void reply.headers({ ETag: file.etag, "Cache-Control": "no-cache", Vary: "Accept-Encoding" });
      if (matches(headers["if-none-match"], file.etag)) return reply.status(304).send();
      const { encoding, bytes } = await file.for(headers["accept-encoding"]);
      if (encoding) void reply.header("Content-Encoding", encoding);
      return reply.type(type).send(bytes);
    });
  };
  for (const [path, type, file] of PARTS) serve(path, type, () => fs.readFileSync(file));
  serve("/openapi.json", "application/json; charset=utf-8", () => Buffer.from(JSON.stringify(read())));
  // The page names its parts relative to this address.
  fastify.get("/docs/", (_, reply) => reply.redirect("../docs", 308));
}
