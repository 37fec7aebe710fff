import { hkdfSync } from "node:crypto";
import { decodeJwt, type JWTPayload, SignJWT } from "jose";
import { expect, vi } from "vitest";
import { mintApiKey } from "../../../src/auth/api-keys/api-key.js";
import { keyFor, PASSWORD, SECRET_KEY, shortLivedKey, type TestApp } from "../../support/app.js";
import { makeFor, type Side, signIn } from "./fixtures.js";

/** Headers (and other request parts) that must not authenticate a request. */
export interface Attempt {
  what: string;
  authorization?: string;
  headers?: Record<string, string>;
  query?: string;
  body?: unknown;
}

const bearer = (what: string, token: string): Attempt => ({ what, authorization: `Bearer ${token}` });
const changed = (text: string, at: number): string => {
  const place = text.length + at;
  return text.slice(0, place) + (text[place] === "A" ? "B" : "A") + text.slice(place + 1);
};
const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A valid key in every place except the one that counts. */
export function malformed(key: string): Attempt[] {
  const headers = [
    "",
    "Bearer",
    key,
    `Bearer${key}`,
    `Bearer: ${key}`,
    `Bearer=${key}`,
    `Bearer\t${key}`,
    `Bearer ${key} ${key}`,
    `Bearer ${key},${key}`,
    `Bearer ${key}, Basic x`,
    `Bearer "${key}"`,
    `Token ${key}`,
    `ApiKey ${key}`,
    `Basic ${Buffer.from(`${key}:`).toString("base64")}`,
    `Digest username="${key}"`,
    "Bearer null",
    "Bearer é",
    `Bearer ${"x".repeat(5_000)}`,
  ];
  return [
    ...headers.map((authorization) => ({
      what: `Authorization: ${authorization.replace(key, "<key>").slice(0, 60)}`,
      authorization,
    })),
    { what: "no header" },
    { what: "the key as X-Api-Key", headers: { "x-api-key": key } },
    {
      what: "the key as a cookie",
      headers: { cookie: `authorization=Bearer ${key}; parley_refresh=${key}; access_token=${key}` },
    },
    { what: "the key as access_token in the query", query: `?access_token=${key}` },
    {
      what: "a good header, and access_token in the query",
      authorization: `Bearer ${key}`,
      query: `?access_token=${key}`,
    },
    {
      what: "a good header, and access_token twice in the query",
      authorization: `Bearer ${key}`,
      query: "?access_token=&access_token=x",
    },
    { what: "the key as access_token in a JSON body", body: { access_token: key } },
    {
      what: "the key as access_token in a form",
      body: `access_token=${key}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    },
  ];
}

/** Keys that are invalid or no longer valid. Each is accepted before its fault is introduced. */
export async function badKeys(app: TestApp, side: Side): Promise<Attempt[]> {
  const { owner } = side;
  const good = async (options = {}) => {
    const key = await keyFor(owner, options);
    await key.get("/api/me", 200);
    return key;
  };
  const known = (await good()).key;
  const revoked = await good();
  await owner.post(`/api/api-keys/${revoked.id}/revoke`, undefined, 200);
  const replaced = await good();
  await owner.post(`/api/api-keys/${replaced.id}/rotate`, { overlapHours: 0 }, 201);
  const workspaceId = await makeFor({ name: "a restricted key", resource: "workspaces" }, side);
  const bereft = await good({ dataScope: { level: "workspace", workspaceId } });
  await owner.delete(`/api/workspaces/${workspaceId}`, 200);
  const expired = await shortLivedKey(owner);
  await vi.waitFor(async () => expect((await expired.get("/api/me")).status).toBe(401), { timeout: 100_000 });
  return [
    bearer("an unknown key", mintApiKey("live").key),
    bearer("an unknown key of the test side", mintApiKey("test").key),
    bearer("a key with another checksum", changed(known, -1)),
    bearer("a key with another character", changed(known, -20)),
    bearer("a key cut short", known.slice(0, -1)),
    bearer("a key with a character more", `${known}0`),
    bearer("a key in capitals", known.toUpperCase()),
    bearer("a live key named as one of the test side", known.replace("svc_live", "svc_test")),
    bearer("a key of another version", known.replace("_v1_", "_v2_")),
    bearer("a key's shown prefix", known.slice(0, 16)),
    bearer("a revoked key", revoked.key),
    bearer("a rotated key whose overlap is over", replaced.key),
    bearer("an expired key", expired.key),
    bearer("a key restricted to a workspace that was deleted", bereft.key),
  ];
}

/** Session tokens that are invalid or no longer valid, accepted before in the same way. */
export async function badSessions(side: Side, other: Side): Promise<Attempt[]> {
  const { owner, environment } = side;
  const removed = await signIn(side, "agent");
  await removed.get("/api/me", 200);
  await owner.delete(`/api/members/${removed.id}`, 200);
  const signedOut = await signIn(side, "agent");
  await signedOut.get("/api/me", 200);
  await signedOut.post("/api/auth/logout", undefined, 200);

  const member = await signIn(side, "agent");
  const token = member.token!;
  const [header, payload, signature] = token.split(".") as [string, string, string];
  const claims = decodeJwt(token);
  const foreign = decodeJwt((await signIn(other, "owner")).token!);
  const sign = (changes: JWTPayload, key?: Uint8Array<ArrayBuffer>): Promise<string> => resigned(token, changes, key);
  // Control: a token signed here without any fault is accepted.
  await member.as(await sign({})).get("/api/me", 200);
  return [
    bearer("the session of a removed member", removed.token!),
    bearer("a session that was signed out of", signedOut.token!),
    bearer("an expired session token", await sign({ exp: Math.floor(Date.now() / 1_000) - 1 })),
    bearer("a token of another issuer", await sign({ iss: "https://issuer.example" })),
    bearer("a token signed with another secret", await sign({}, new Uint8Array(32))),
    bearer("a token with another signature", changed(token, -20)),
    bearer("a token without a signature", `${header}.${payload}.`),
    bearer("a token of two parts", `${header}.${payload}`),
    bearer("a token that claims to need no signature", `${base64url({ alg: "none" })}.${payload}.${signature}`),
    bearer(
      "a token made out to the owner under the old signature",
      `${header}.${base64url({ ...claims, sub: decodeJwt(owner.token!).sub })}.${signature}`,
    ),
    bearer(
      "a member of another tenant, with this tenant's id",
      await sign({ sub: foreign.sub, sid: foreign.sid, org: foreign.org }),
    ),
    bearer("a member of this tenant, with another tenant's id", await sign({ tid: other.tenantId })),
    bearer("a session that never was", await sign({ sid: side.workspaceId })),
    bearer("a refresh token", await refreshToken(member, member.email, environment)),
  ];
}

/** The token with other claims, signed with the application's key unless another is given. */
export const resigned = (
  token: string,
  changes: JWTPayload,
  key = new Uint8Array(hkdfSync("sha256", SECRET_KEY, "", "parley session", 32)),
): Promise<string> => new SignJWT({ ...decodeJwt(token), ...changes }).setProtectedHeader({ alg: "HS256" }).sign(key);

async function refreshToken(client: Side["owner"], email: string, environment: string): Promise<string> {
  const { headers } = await client
    .as(undefined)
    .post("/api/auth/login", { email, password: PASSWORD, environment }, 200);
  return /parley_refresh(?:_test)?=([^;]+)/.exec(headers.get("set-cookie")!)![1]!;
}
