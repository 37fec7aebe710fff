import fs from "node:fs";
import type { Access } from "../../src/auth/access/access.js";
import { type Role, ROLES, type Scope } from "../../src/platform/caller/scope.js";
import { document } from "../support/contract.js";

/** The committed table of who may use each route. A change of permissions shows as its difference. */
export const TABLE = JSON.parse(fs.readFileSync(new URL("access.json", import.meta.url), "utf8")) as Record<
  string,
  string
>;

export interface Route {
  /** `GET /api/contacts/{id}` */
  name: string;
  method: string;
  path: string;
  access: "scope" | "members" | "admins" | "any" | "public";
  scope?: Scope;
  /** The roles whose sessions may. */
  roles: readonly Role[];
  /** What the id in the path names, for instance `contacts`. */
  resource?: string;
  takesBody: boolean;
  /** Its body is a form with a file, or lines of text: no JSON. */
  takesFile: boolean;
}

const ADMINS: readonly Role[] = ["owner", "admin"];
export const ROUTES: Route[] = Object.entries(TABLE).map(([name, text]) => {
  const [method, path] = name.split(" ") as [string, string];
  const [, scope, roles] = /^scope (\S+) \+ (.+)$/.exec(text) ?? [];
  const [, members] = /^members \+ (.+)$/.exec(text) ?? [];
  const access = scope ? "scope" : members ? "members" : (text as Route["access"]);
  return {
    name,
    method,
    path,
    access,
    scope: scope as Scope | undefined,
    roles:
      (roles ?? members)
        ? ((roles ?? members)!.split(" ") as Role[])
        : access === "admins"
          ? ADMINS
          : access === "public"
            ? []
            : ROLES,
    // A public route is named a token, which is no id.
    resource: access === "public" ? undefined : /([^/]+)\/\{/.exec(path)?.[1],
    takesBody: ["POST", "PUT", "PATCH"].includes(method),
    takesFile: ["multipart/form-data", "text/csv"].some(
      (type) => document.paths[path]?.[method.toLowerCase()]?.requestBody?.content[type] !== undefined,
    ),
  };
});
export const PROTECTED = ROUTES.filter(({ access }) => access !== "public");
/** What stands in the path of a public route is a credential rather than an id. */
export const WITH_ID = PROTECTED.filter(({ resource }) => resource !== undefined);
/** For `test.each`: the name stands in the test's. */
export const each = (routes: readonly Route[]): [string, Route][] => routes.map((route) => [route.name, route]);

/** A declaration of the application's in the words of the table. */
export function inWords(access: Access | undefined): string {
  if (!access) return "not declared";
  if (access.kind === "scope") return `scope ${access.scope} + ${access.roles.join(" ")}`;
  if (access.kind !== "members") return access.kind;
  if (access.roles.length === ROLES.length) return "members";
  return access.roles.join() === ADMINS.join() ? "admins" : `members + ${access.roles.join(" ")}`;
}
