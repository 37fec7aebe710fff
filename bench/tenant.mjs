import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { SECRET_KEY } from "./seed.mjs";

/** A new tenant, made by the command line: `key`, `tenantId`, `workspaceId`, `email`, `password`. */
export function makeTenant(url, name) {
  const cli = path.join(import.meta.dirname, "../dist/src/cli/main.js");
  const email = `owner-${randomUUID()}@example.com`;
  const made = JSON.parse(
    execFileSync(process.execPath, [cli, "tenant", "create", "--name", name, "--owner-email", email, "--json"], {
      env: { ...process.env, DATABASE_URL: url, SECRET_KEY },
    }),
  );
  return { key: made.apiKeys.live, tenantId: made.tenantId, workspaceId: made.defaults.workspaceId, ...made.owner };
}

/** Requests to a server on this machine. Throws if one is refused. */
export const apiOf = (port) => async (method, url, token, body) => {
  const response = await fetch(`http://127.0.0.1:${port}${url}`, {
    method,
    headers: {
      ...(body && { "content-type": "application/json" }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status} ${await response.text()}`);
  return { body: await response.json() };
};
