import { type Document, type Operation, operationsOf } from "./document.js";

/** Says who may call each operation, from its declared access: in its description for people, in `security` for programs. */
export function describeAccess(document: Document): void {
  for (const { operation } of operationsOf(document)) {
    operation.description = [operation.description, whoMay(operation), signedInRecently(operation)]
      .filter(Boolean)
      .join("\n\n");
    // The description has said it, and nobody else reads it.
    delete operation["x-roles"];
    operation.security ??= securityOf(operation);
  }
  document.components.securitySchemes = SCHEMES;
}

const SCHEMES = {
  apiKey: {
    type: "http",
    scheme: "bearer",
    description: "An API key: `svc_live_v1_…` or `svc_test_v1_…`. It works for its scopes, on its side of the tenant.",
  },
  session: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description:
      "The access token of a member, from `POST /api/auth/login`. It works for the member's role, on the side that `X-Environment` names.",
  },
  refreshCookie: {
    type: "apiKey",
    in: "cookie",
    name: "parley_refresh",
    description:
      "The HttpOnly cookie that a sign-in on the live side sets. In production its name is `__Host-parley_refresh`. Browsers send it by themselves.",
  },
  testRefreshCookie: {
    type: "apiKey",
    in: "cookie",
    name: "parley_refresh_test",
    description: "The same for the test side. In production its name is `__Host-parley_refresh_test`.",
  },
  visitor: {
    type: "http",
    scheme: "bearer",
    description: "The token of a web chat session, from `POST /api/public/webchat/{publicKey}/sessions`.",
  },
};

const isAlso = (operation: Operation): boolean => operation["x-access"] === "scope" || operation["x-access"] === "any";

function securityOf(operation: Operation): object[] {
  if (operation["x-access"] === "public") return [];
  const scope = operation["x-required-scope"] as string | undefined;
  return [...(isAlso(operation) ? [{ apiKey: scope ? [scope] : [] }] : []), { session: [] }];
}

/** `["owner", "admin"]` as `owners and admins`. Billing is no name for a person. */
const namesOf = (roles: readonly string[]): string =>
  new Intl.ListFormat("en")
    .format(roles.map((role) => (role === "billing" ? "billing users" : `${role}s`)))
    .replace(", and ", " and ");

function whoMay(operation: Operation): string {
  if (operation["x-access"] === "public") return "";
  return [keyOf(operation), sessionOf(operation)].join(" ");
}

function keyOf(operation: Operation): string {
  const scope = operation["x-required-scope"] as string | undefined;
  if (scope) return `API key: scope \`${scope}\`.`;
  if (operation["x-any-read-scope"]) return "API key: any scope that ends in `:read`.";
  return isAlso(operation) ? "API key: any." : "API key: none.";
}

function sessionOf(operation: Operation): string {
  const roles = operation["x-roles"] as string[] | undefined;
  if (!roles) return "Session: every member.";
  const narrow = roles.filter((role) => role === "agent" || role === "observer");
  if (!narrow.length) return `Session: ${namesOf(roles)}.`;
  // Shorter: a hundred operations say it.
  const who = narrow.length === 2 && roles.slice(-2).join() === narrow.join() ? "the last two" : namesOf(narrow);
  return `Session: ${namesOf(roles)}; ${who} in their workspaces.`;
}

const signedInRecently = (operation: Operation): string =>
  operation["x-requires-recent-sign-in"]
    ? "A session needs a recent sign-in, 15 minutes by default. Later the answer is 403 `Sign in again`; `POST /api/auth/reauthenticate` renews it."
    : "";
