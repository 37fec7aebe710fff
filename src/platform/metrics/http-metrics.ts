import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Counter, Histogram } from "prom-client";
import { METHODS } from "../http/paths.js";
import type { Metrics } from "./metrics.js";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const KNOWN_METHODS = new Set(METHODS.split(", "));

/** What one route counts, for one method. */
interface Tally {
  duration: Histogram.Internal<"method" | "route">;
  /** By the first digit of the status. */
  answers: Counter.Internal[];
}

/**
 * Counts requests and measures how long they take, by route. The label is the route's template, never the path, which holds
 * ids. Requests without a route share the label `unmatched`.
 */
export function measureRequests(fastify: FastifyInstance, metrics: Metrics): void {
  if (!metrics.enabled) return;
  const requests = metrics.counter(
    "parley_http_requests_total",
    "Requests that were answered, by the class of the status",
    ["method", "route", "status"],
  );
  const durations = metrics.histogram(
    "parley_http_request_duration_seconds",
    "From the request's headers to the beginning of its answer",
    SECONDS,
    ["method", "route"],
  );
  const limited = metrics.counter("parley_http_too_many_requests_total", "Requests that were answered with 429");
  const replays = metrics.counter(
    "parley_http_idempotent_replays_total",
    "Requests that were answered with the first answer to their Idempotency-Key",
  );
  const tallyOf = (method: string, route: string): Tally => ({
    duration: durations.labels(method, route),
    answers: [1, 2, 3, 4, 5].map((digit) => requests.labels(method, route, `${digit}xx`)),
  });
  // The children of a route are made once: finding them by their labels would cost more than counting.
  const unmatched = new Map<string, Tally>();
  const ofRoutes = new WeakMap<object, Map<string, Tally>>();
  const find = (request: FastifyRequest): Tally => {
    const { config, url = "unmatched" } = request.is404 ? NO_ROUTE : request.routeOptions;
    let tallies = config && ofRoutes.get(config);
    if (!tallies) {
      tallies = config ? new Map<string, Tally>() : unmatched;
      if (config) ofRoutes.set(config, tallies);
    }
    const method = KNOWN_METHODS.has(request.method) ? request.method : "other";
    let tally = tallies.get(method);
    if (!tally) tallies.set(method, (tally = tallyOf(method, url)));
    return tally;
  };
  fastify.decorateRequest("startedAt", 0);
  fastify.addHook("onRequest", (request, _reply, done) => {
    (request as Timed).startedAt = performance.now();
    done();
  });
  // Not `onResponse`: two listeners for each answer would cost more, and keep the request in memory until a slow client has
  // read it.
  fastify.addHook("onSend", (request, reply, payload, done) => {
    const { duration, answers } = find(request);
    const { statusCode } = reply;
    answers[Math.floor(statusCode / 100) - 1]?.inc();
    if (statusCode === 429) limited.inc();
    if (reply.hasHeader("Idempotency-Replayed")) replays.inc();
    duration.observe((performance.now() - (request as Timed).startedAt) / 1_000);
    done(null, payload);
  });
}

interface Timed extends FastifyRequest {
  startedAt: number;
}
const NO_ROUTE: { config?: object; url?: string } = {};
