import { system } from "../../../src/platform/caller/caller.js";
import { OutboxService } from "../../../src/platform/outbox/outbox.service.js";
import type { TestApp } from "../../support/app.js";

/** The mails that wait for this address on the live side, newest first. */
export async function mailsTo(
  app: TestApp,
  tenantId: string,
  email: string,
): Promise<{ subject: string; body: string }[]> {
  const waiting = await app.app.get(OutboxService).contents(system("test", tenantId, "live"), "queued", { limit: 100 });
  return waiting
    .parse()
    .data.filter(({ to }) => to === email)
    .map(({ subject, body }) => ({ subject, body }));
}

/** The tokens of the links that wait for this address, newest first. */
export const tokensTo = async (app: TestApp, tenantId: string, email: string): Promise<string[]> =>
  (await mailsTo(app, tenantId, email)).flatMap(({ body }) => /\/[a-z-]+#([\w-]{86})/.exec(body)?.[1] ?? []);

/** As if the member had followed a link that was mailed to the address. */
export const markProven = (app: TestApp, email: string): Promise<unknown> =>
  app.db.query("update member_email set proven_at = now() where email = $1", [email]);
