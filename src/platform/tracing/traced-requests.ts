import type { FastifyInstance, FastifyRequest } from "fastify";
import type { RequestSpan, Tracing } from "./tracing.js";

interface Traced extends FastifyRequest {
  span?: RequestSpan | undefined;
}

/** A span for each request, named by the route's template and never by the path, which holds ids. Probes have none. */
export function traceRequests(fastify: FastifyInstance, tracing: Tracing): void {
  if (!tracing.enabled) return;
  fastify.decorateRequest("span", undefined);
  fastify.addHook("onRequest", (request: Traced, _reply, done) => {
    if (PROBES.has(request.routeOptions.url ?? "")) return done();
    const parent = request.headers.traceparent;
    request.span = tracing.request(typeof parent === "string" ? parent : undefined, request.method, done);
  });
  fastify.addHook("onResponse", (request: Traced, reply, done) => {
    request.span?.end(request.is404 ? "unmatched" : (request.routeOptions.url ?? "unmatched"), reply.statusCode);
    done();
  });
}

const PROBES = new Set(["/healthz", "/readyz", "/metrics"]);
