import fs from "node:fs";
import type { Access } from "../../src/auth/access/access.js";
import { type Role, ROLES, type Scope } from "../../src/platform/caller/scope.js";
import { document } from "./contract.js";

/** The committed table of access rules. A changed permission appears as a diff. */
export const TABLE = JSON.parse(
  fs.readFileSync(new URL("../server/contract/access.json", import.meta.url), "utf8"),
) as Record<string, string>;

export interface Route {
  /** `GET /api/contacts/{id}` */
  name: string;
  method: string;
  path: string;
  access: "scope" | "members" | "admins" | "any read" | "any" | "public";
  scope?: Scope;
  /** The roles whose sessions have access. */
  roles: readonly Role[];
  /** The kind of resource that the id in the path names, for instance `contacts`. */
  resource?: string;
  /** Whether a session needs a recent sign-in. */
  needsRecentSignIn: boolean;
  /** Whether members may use it before they have the second factor that their tenant requires. */
  mayLackSecondFactor: boolean;
  takesBody: boolean;
  /** The body is a form with a file, or lines of text, but not JSON. */
  takesFile: boolean;
}

const NAME = "{name}";
/** A path with a value for the parameter that is no id: each report is a name. */
export const withName = (path: string): string => path.replace(NAME, "volume");

const ADMINS: readonly Role[] = ["owner", "admin"];
const RECENTLY = ", signed in recently";
const BEFORE = ", before a second factor";
export const ROUTES: Route[] = Object.entries(TABLE).map(([name, entry]) => {
  const text = entry.replace(BEFORE, "").replace(RECENTLY, "");
  const [method, path] = name.split(" ") as [string, string];
  const [, scope, roles] = /^scope (\S+) \+ (.+)$/.exec(text) ?? [];
  const [, members] = /^members \+ (.+)$/.exec(text) ?? [];
  const [, readers] = /^any read \+ (.+)$/.exec(text) ?? [];
  const access = readers ? "any read" : scope ? "scope" : members ? "members" : (text as Route["access"]);
  return {
    name,
    method,
    path,
    access,
    scope: scope as Scope | undefined,
    roles:
      (roles ?? members ?? readers)
        ? ((roles ?? members ?? readers)!.split(" ") as Role[])
        : access === "admins"
          ? ADMINS
          : access === "public"
            ? []
            : ROLES,
    // A public route's parameter is a token, not an id.
    resource: access === "public" || path.includes(NAME) ? undefined : /([^/]+)\/\{/.exec(path)?.[1],
    needsRecentSignIn: entry.includes(RECENTLY),
    mayLackSecondFactor: entry.endsWith(BEFORE),
    takesBody: ["POST", "PUT", "PATCH"].includes(method),
    takesFile: ["multipart/form-data", "text/csv"].some(
      (type) => document.paths[path]?.[method.toLowerCase()]?.requestBody?.content[type] !== undefined,
    ),
  };
});
export const PROTECTED = ROUTES.filter(({ access }) => access !== "public");
/** The path parameter of a public route is a credential, not an id. */
export const WITH_ID = PROTECTED.filter(({ resource }) => resource !== undefined);
/** For `test.each`: the name appears in the test's title. */
export const each = (routes: readonly Route[]): [string, Route][] => routes.map((route) => [route.name, route]);

/** A declaration of the application in the format of the table. */
export const inWords = ({ access, needsRecentSignIn, mayLackSecondFactor }: Declared): string =>
  `${accessInWords(access)}${needsRecentSignIn ? RECENTLY : ""}${mayLackSecondFactor ? BEFORE : ""}`;

interface Declared {
  access?: Access;
  needsRecentSignIn: boolean;
  mayLackSecondFactor: boolean;
}

function accessInWords(access: Access | undefined): string {
  if (!access) return "not declared";
  if (access.kind === "scope") return `scope ${access.scope} + ${access.roles.join(" ")}`;
  if (access.kind === "any read") return `any read + ${access.roles.join(" ")}`;
  if (access.kind !== "members") return access.kind;
  if (access.roles.length === ROLES.length) return "members";
  return access.roles.join() === ADMINS.join() ? "admins" : `members + ${access.roles.join(" ")}`;
}

/** What these return is for its author, and for callers that reach the whole tenant. test/server/e2e/bulk-actions.spec.ts covers it. */
export const OF_AUTHOR: ReadonlySet<string> = new Set(["GET /api/bulk-actions/{id}"]);
