import fs from "node:fs";
import { validateSync } from "class-validator";
import type { JWTPayload } from "jose";
import { describe, expect, test } from "vitest";
import { OAuthClient, OAuthFailure } from "../../../src/channels/email/sign-in/oauth-client.js";
import { providerOf } from "../../../src/channels/email/sign-in/providers.js";
import { SignInSettings } from "../../../src/channels/email/sign-in/sign-in.settings.js";
import { instantiate } from "../../../src/platform/http/instantiate.js";
import type { OutboundAnswer, OutboundClient } from "../../../src/platform/outbound/outbound.client.js";

const guide = (name: string): string => fs.readFileSync(`docs/guides/sign-in-with-${name}.md`, "utf8");
const ADDRESS = "support@example.com";
const BOTH = { receives: true, graph: false };
const DIRECTORY = "7d3f9c1e-52a4-4f0e-9b1a-0c2d4e6f8a10";
const settingsOf = (settings: object): SignInSettings =>
  instantiate(SignInSettings, { clientId: "parley", ...settings });
const wrong = (settings: object): string[] => validateSync(settingsOf(settings)).map(({ property }) => property);
/** The permissions in the tables of a guide's section. */
const permissionsIn = (text: string): string[] =>
  [...text.matchAll(/^\| ((?:`[^`]+`(?:, )?)+) +\|/gm)].flatMap(([, cell]) => cell!.replaceAll("`", "").split(", "));
const named = (scopes: readonly string[]): string[] =>
  scopes.map((scope) => scope.replace(/^https:\/\/(?:outlook\.office|graph\.microsoft)\.com\//, ""));

test("each guide names every permission that is asked for, and no other", () => {
  const [delegated] = guide("microsoft").split("## The application does");
  const asked = [BOTH, { ...BOTH, graph: true }].flatMap(
    (use) => providerOf(settingsOf({ provider: "microsoft" }), ADDRESS, use).scopes,
  );
  expect(permissionsIn(delegated!).toSorted()).toEqual([...new Set(named(asked))].toSorted());
  expect(
    named(providerOf(settingsOf({ provider: "microsoft" }), ADDRESS, { receives: false, graph: false }).scopes),
  ).not.toContain("IMAP.AccessAsUser.All");
  expect(permissionsIn(guide("google")).toSorted()).toEqual(
    [...providerOf(settingsOf({ provider: "google" }), ADDRESS, BOTH).scopes].sort(),
  );
});

describe("an ID token counts", () => {
  const issued = (settings: object, claims: JWTPayload): boolean =>
    providerOf(settingsOf(settings), ADDRESS, BOTH).issued(claims);
  const of = (tid: string) => ({ tid, iss: `https://login.microsoftonline.com/${tid}/v2.0` });

  test("of Microsoft: from the directory of the settings, or from any if they name none", () => {
    const other = DIRECTORY.replace("7", "8");
    expect(issued({ provider: "microsoft", tenant: DIRECTORY }, of(DIRECTORY))).toBe(true);
    expect(issued({ provider: "microsoft", tenant: DIRECTORY }, of(other))).toBe(false);
    expect(issued({ provider: "microsoft" }, of(other))).toBe(true);
    expect(issued({ provider: "microsoft" }, { ...of(other), iss: of(DIRECTORY).iss })).toBe(false);
    expect(issued({ provider: "microsoft" }, { iss: "https://login.microsoftonline.com/undefined/v2.0" })).toBe(false);
  });

  test("of the others: from their issuer", () => {
    expect(issued({ provider: "google" }, { iss: "https://accounts.google.com" })).toBe(true);
    expect(issued({ provider: "google" }, { iss: "https://accounts.google.com.example.net" })).toBe(false);
    expect(issued({ provider: "other", issuer: "https://id.example.com" }, { iss: "https://id.example.com" })).toBe(
      true,
    );
    expect(issued({ provider: "other" }, { iss: undefined })).toBe(false);
  });
});

test("an address that a provider has not verified is nobody's", () => {
  const { addressesOf } = providerOf(settingsOf({ provider: "google" }), ADDRESS, BOTH);
  expect(addressesOf({ email: ADDRESS, email_verified: true })).toEqual([ADDRESS]);
  expect(addressesOf({ email: ADDRESS, email_verified: false })).toEqual([]);
  expect(addressesOf({ email: ADDRESS, email_verified: "false" })).toEqual([]);
});

test("settings name what their provider needs", () => {
  expect(wrong({ provider: "microsoft" })).toEqual([]);
  expect(wrong({ provider: "microsoft", grant: "client_credentials" })).toEqual(["tenant"]);
  expect(wrong({ provider: "google", grant: "client_credentials" })).toEqual(["grant"]);
  expect(wrong({ provider: "other" }).toSorted()).toEqual(["authorizeUrl", "issuer", "tokenUrl"]);
  expect(wrong({ provider: "other", grant: "client_credentials", tokenUrl: "https://id.example.com/token" })).toEqual(
    [],
  );
  expect(wrong({ provider: "yahoo", clientId: "" }).toSorted()).toEqual(["clientId", "provider"]);
  expect(wrong({ provider: "microsoft", tenant: "../common" })).toEqual(["tenant"]);
  expect(wrong({ provider: "microsoft", tokenUrl: "javascript:alert(1)" })).toEqual(["tokenUrl"]);
  expect(wrong({ provider: "google", scopes: ["a b"] })).toEqual(["scopes"]);
});

test("only the servers of a provider stand for it", () => {
  const at = (origin: string) => ({ authorizeUrl: `${origin}/authorize`, tokenUrl: `${origin}/token` });
  for (const origin of [
    "https://login.microsoftonline.com",
    "https://login.microsoftonline.us",
    "https://login.partner.microsoftonline.cn",
  ])
    expect(wrong({ provider: "microsoft", ...at(origin) })).toEqual([]);
  expect(
    wrong({
      provider: "google",
      authorizeUrl: "https://accounts.google.com/o/oauth2/v2/auth",
      tokenUrl: "https://oauth2.googleapis.com/token",
      userinfoUrl: "https://openidconnect.googleapis.com/v1/userinfo",
    }),
  ).toEqual([]);
  for (const origin of [
    "https://login.example.net",
    "http://login.microsoftonline.com",
    "https://login.microsoftonline.com.example.net",
    "https://login.microsoftonline.com:8443",
    "https://accounts.google.com",
  ]) {
    expect(wrong({ provider: "microsoft", ...at(origin) }).toSorted()).toEqual(["authorizeUrl", "tokenUrl"]);
    expect(wrong({ provider: "other", issuer: origin, ...at(origin) })).toEqual([]);
  }
  expect(wrong({ provider: "google", userinfoUrl: "https://login.example.net/me" })).toEqual(["userinfoUrl"]);
  const [error] = validateSync(settingsOf({ provider: "google", tokenUrl: "https://login.example.net/token" }));
  expect(Object.values(error!.constraints!)).toEqual([
    "tokenUrl must begin with https://accounts.google.com, https://oauth2.googleapis.com, https://openidconnect.googleapis.com: for another server, set provider to other",
  ]);
});

describe("what a provider answers to a refresh", () => {
  const provider = providerOf(settingsOf({ provider: "microsoft" }), ADDRESS, BOTH);
  const after = async (status: number, body: unknown): Promise<unknown> => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const outbound = { exchange: () => Promise.resolve<OutboundAnswer>({ status, type: "application/json", text }) };
    return new OAuthClient(outbound as unknown as OutboundClient)
      .refresh(provider, { clientId: "parley", clientSecret: "s" }, "old")
      .catch((error: unknown) => error);
  };
  const failure = async (status: number, body: unknown) => {
    const error = await after(status, body);
    expect(error).toBeInstanceOf(OAuthFailure);
    const { kind, code } = error as OAuthFailure;
    return [kind, code];
  };

  test("is a token, and keeps the refresh token unless there is a new one", async () => {
    expect(await after(200, { access_token: "a", expires_in: 3_600 })).toMatchObject({
      accessToken: "a",
      refreshToken: "old",
    });
    expect(await after(200, { access_token: "a", refresh_token: "new" })).toMatchObject({ refreshToken: "new" });
  });

  test("ends the sign-in, or is about the application, or passes", async () => {
    const description = "AADSTS70008: The refresh token has expired. Trace ID: 1f0c";
    expect(await failure(400, { error: "invalid_grant", error_description: description })).toEqual([
      "ended",
      "invalid_grant, AADSTS70008",
    ]);
    expect(await failure(400, { error: "interaction_required" })).toEqual(["ended", "interaction_required"]);
    expect(await failure(401, { error: "invalid_client" })).toEqual(["settings", "invalid_client"]);
    expect(await failure(429, { error: "invalid_grant" })).toEqual(["temporary", "invalid_grant"]);
    expect(await failure(503, "<html>")).toEqual(["temporary", "503"]);
    expect(await failure(400, { error: "<script>" })).toEqual(["temporary", "400"]);
  });

  test("is refused if it would break a line of SMTP or IMAP, or is no token", async () => {
    expect(await failure(200, { access_token: "a\r\nMAIL FROM:<>" })).toEqual(["invalid", null]);
    expect(await failure(200, { access_token: 1 })).toEqual(["invalid", null]);
    expect(await failure(200, "[]")).toEqual(["invalid", null]);
  });
});

test("Graph's permissions are asked for at the cloud that somebody signs in to", () => {
  const scopes = (settings: object, receives: boolean): readonly string[] =>
    providerOf(settingsOf({ provider: "microsoft", ...settings }), ADDRESS, { receives, graph: true }).scopes;
  expect(scopes({}, false).slice(-2)).toEqual(["offline_access", "https://graph.microsoft.com/Mail.Send"]);
  const tokenUrl = "https://login.microsoftonline.us/common/oauth2/v2.0/token";
  expect(scopes({ tokenUrl }, true).slice(-2)).toEqual([
    "https://graph.microsoft.us/Mail.Read",
    "https://graph.microsoft.us/Mail.Send",
  ]);
  expect(scopes({ grant: "client_credentials" }, true)).toEqual(["https://graph.microsoft.com/.default"]);
});
