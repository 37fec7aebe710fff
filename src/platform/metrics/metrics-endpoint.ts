import { hash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Injectable } from "@nestjs/common";
import type { FastifyInstance } from "fastify";
import { Config, ConfigError } from "../config/config.js";
import { errorHeaders } from "../http/error-codes.js";
import { JSON_TYPE } from "../http/json-adapter.js";
import { Metrics } from "./metrics.js";

const PATH = "/metrics";
const BEARER = /^Bearer (\S+)$/i;
const REQUEST_MS = 10_000;

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}
const failure = (status: number, error: string): Answer => ({
  status,
  headers: { "Content-Type": JSON_TYPE, ...errorHeaders(status) },
  body: JSON.stringify({ error }),
});

/**
 * Serves `GET /metrics`: on a port of its own if there is a `METRICS_PORT`, else on the main port if there is a `METRICS_TOKEN`,
 * else not at all. A token is asked for wherever it is.
 */
@Injectable()
export class MetricsEndpoint {
  private server?: Server;

  constructor(
    private readonly metrics: Metrics,
    private readonly config: Config,
  ) {}

  /** Call before the server listens. */
  install(fastify: FastifyInstance): void {
    if (this.config.METRICS_PORT !== undefined) {
      fastify.addHook("onReady", () => this.listen());
      fastify.addHook("onClose", () => this.close());
    } else if (this.config.METRICS_TOKEN !== undefined)
      // Not a controller: without the setting the path is like any other that does not exist.
      fastify.get(PATH, async ({ headers }, reply) => {
        const { status, headers: ours, body } = await this.answer(headers.authorization);
        return reply.status(status).headers(ours).send(body);
      });
  }

  /** Where its own port listens. */
  get address(): AddressInfo | undefined {
    return this.server?.address() as AddressInfo | undefined;
  }

  private async answer(authorization: string | undefined): Promise<Answer> {
    const { METRICS_TOKEN } = this.config;
    if (METRICS_TOKEN !== undefined && !isToken(METRICS_TOKEN, authorization)) return failure(401, "Unauthorized");
    return {
      status: 200,
      headers: { "Content-Type": this.metrics.contentType, "Cache-Control": "no-store" },
      body: await this.metrics.text(),
    };
  }

  private async route({ method, url = "", headers }: IncomingMessage): Promise<Answer> {
    if (url.split("?", 1)[0] !== PATH) return failure(404, "Not found");
    if (method !== "GET" && method !== "HEAD") return failure(405, "This path takes GET, HEAD only");
    return this.answer(headers.authorization);
  }

  private respond(request: IncomingMessage, response: ServerResponse): void {
    this.route(request)
      .catch(() => failure(500, "Internal Server Error"))
      .then(({ status, headers, body }) => {
        response
          .writeHead(status, {
            ...headers,
            "Content-Length": Buffer.byteLength(body),
            "X-Content-Type-Options": "nosniff",
            ...(status === 405 && { Allow: "GET, HEAD" }),
          })
          .end(request.method === "HEAD" ? undefined : body);
      })
      .catch(() => response.destroy());
  }

  private async listen(): Promise<void> {
    const { METRICS_PORT: port, METRICS_HOST: host } = this.config;
    const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
      this.respond(request, response);
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", (error) => {
        reject(new ConfigError(`METRICS_PORT or METRICS_HOST cannot be used: ${error.message}`));
      });
      server.listen(port, host, resolve);
    });
    this.server = server;
  }

  private async close(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = undefined;
    await new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });
  }
}

/** Compares hashes, which have one length, in constant time: the time of an answer tells nothing about the token. */
function isToken(token: string, authorization = ""): boolean {
  const [, given = ""] = BEARER.exec(authorization) ?? [];
  return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", token, "buffer"));
}
