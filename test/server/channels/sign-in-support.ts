import { expect } from "vitest";
import type { MailServer } from "../auth/mail-server.js";
import { Browser } from "../identity/oidc-provider.js";
import type { TestApp } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import type { Dovecot } from "./dovecot.js";
import { APPLICATION, type MailProvider } from "./mail-provider.js";

export const CALLBACK = "/api/public/channels/sign-in/callback";

/** The settings of a mailbox that is signed in to. */
export function signInSettings(
  { url }: MailProvider,
  smtp: MailServer,
  imap: Dovecot | undefined,
  signIn: object = {},
): Record<string, unknown> {
  return {
    smtp: { host: "127.0.0.1", port: smtp.port, security: "none" },
    imap: imap && { host: "127.0.0.1", port: imap.port, security: "none" },
    signIn: {
      provider: "other",
      clientId: APPLICATION.clientId,
      issuer: url,
      authorizeUrl: `${url}/auth`,
      tokenUrl: `${url}/token`,
      userinfoUrl: `${url}/me`,
      ...signIn,
    },
  };
}

/** Goes to the provider and signs in there. @returns the browser, and the URL that it is sent back to, not opened yet */
export async function there(
  app: TestApp,
  client: Client,
  channelId: string,
  browser = new Browser(),
): Promise<{ browser: Browser; url: string; asked: URL }> {
  const { body, headers } = await client.get(`/api/channels/${channelId}/sign-in`, 200);
  const [cookie] = headers.getSetCookie();
  browser.keep(app.baseUrl, cookie!);
  return { browser, asked: new URL(body.url), url: await browser.travel(body.url, `${app.baseUrl}/`) };
}

/** @returns what the page that the browser comes back to says */
export async function back(app: TestApp, { browser, url }: { browser: Browser; url: string }): Promise<string> {
  const { status, location, headers, text } = await browser.open(url);
  expect([status, text]).toEqual([303, ""]);
  expect(headers.get("cache-control")).toContain("no-store");
  const { origin, pathname, searchParams } = new URL(location!);
  expect(origin).toBe(app.baseUrl);
  expect(pathname).toMatch(/^\/settings\/channels(?:\/[\da-f-]{36})?$/);
  return searchParams.get("signIn")!;
}
