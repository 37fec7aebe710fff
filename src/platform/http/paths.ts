import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { sendMissingPage } from "./dashboard.js";
import { sendFailure } from "./errors.js";

/** The methods that routes take. They answer a request whose method HTTP does not know. */
export const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

const API = "/api/";

/**
 * Answers requests without a route: 405 with `Allow` if the path has routes for other methods, otherwise 404. A 404 is
 * a page for browsers, and JSON for programs.
 */
export class Paths {
  private readonly routes = new Map<string, { path: RegExp; methods: Set<string> }>();

  readonly note = ({ url, method }: RouteOptions): void => {
    const route = this.routes.get(url) ?? { path: patternOf(url), methods: new Set() };
    for (const one of [method].flat()) route.methods.add(one);
    this.routes.set(url, route);
  };

  readonly hook = (request: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    const path = request.url.split("?", 1)[0]!;
    if (this.lacksPrefix(request, path)) {
      sendFailure(reply, { status: 404, message: "Not found: the paths of the API begin with /api" });
      return;
    }
    // An empty id is none.
    const isEmpty = path.startsWith(API) && path.endsWith("/");
    // `import` is no id: `/api/contacts/import` does not take the methods of `/api/contacts/:id`.
    const own = this.routes.get(path);
    if (!request.is404 && !isEmpty && (!own || request.routeOptions.url === path)) {
      next();
      return;
    }
    const allow = (own ? [...own.methods].sort() : this.methodsOf(path)).join(", ");
    if (!allow && sendMissingPage(request, reply)) return;
    if (allow) void reply.header("Allow", allow);
    sendFailure(
      reply,
      allow ? { status: 405, message: `This path takes ${allow} only` } : { status: 404, message: "Not found" },
    );
  };

  /** A program that forgets `/api` would get a page of the dashboard. A browser is meant to, also behind a proxy that adds a token. */
  private lacksPrefix({ headers: { authorization = "", accept = "" } }: FastifyRequest, path: string): boolean {
    const isProgram = /^bearer /i.test(authorization) && !accept.includes("text/html");
    return isProgram && !path.startsWith(API) && this.methodsOf(`/api${path}`).length > 0;
  }

  private methodsOf(path: string): string[] {
    const routes = [...this.routes.values()].filter((route) => route.path.test(path));
    return [...new Set(routes.flatMap(({ methods }) => [...methods]))].sort();
  }
}

/** @param url a route's path as Fastify writes it, such as `/api/contacts/:id` */
const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
      .replace(/:\w+/g, "[^/]+")
      .replaceAll("*", ".*")}$`,
  );
