import { randomUUID } from "node:crypto";
import dns from "node:dns/promises";
import { Readable } from "node:stream";
import type { INestApplicationContext } from "@nestjs/common";
import { AttachmentPresence, type Presence } from "../../conversations/attachments/attachment-presence.js";
import { AttachmentStore, type Room } from "../../conversations/attachments/attachment-store.js";
import { Config } from "../../platform/config/config.js";
import { Mailer } from "../../platform/outbox/mailer.js";
import { error, fine, type Finding, reasonOf, warning } from "./finding.js";

const PATIENCE_MS = 5_000;
const CLOCK_SECONDS = 5;
/** Nobody's. */
const NIL = "00000000-0000-0000-0000-000000000000";

/** What Parley needs beside its database. Nothing is sent to anybody. */
export async function examineSurroundings(app: INestApplicationContext): Promise<Finding[]> {
  const config = app.get(Config);
  const found = await Promise.all([
    attachments(app.get(AttachmentStore)),
    presence(app.get(AttachmentPresence)),
    mailServer(app.get(Mailer)),
    nameServers(config.DNS_SERVERS),
    publicAddress(config.PUBLIC_URL),
  ]);
  return found.flat();
}

const ROOM: Record<Room, Finding> = {
  enough: fine("There is room for attachments"),
  low: warning("The disk for attachments is nearly full: soon uploads will be refused"),
  none: error("The disk for attachments is full: uploads are refused"),
};
/** A file is stored and removed again: a folder or a bucket may be there, and take nothing. */
async function attachments(store: AttachmentStore): Promise<Finding> {
  const probe = { tenantId: NIL, id: randomUUID() };
  try {
    await store.check();
    await store.put(probe, Readable.from([Buffer.from("probe")]));
    await store.remove(probe);
    return ROOM[await store.room()];
  } catch (thrown) {
    return error(`Attachments cannot be stored: ${reasonOf(thrown)}`);
  }
}

/** Whether files that the database names are there. The store's own finding says if it does not answer. */
async function presence(attachments: AttachmentPresence): Promise<Finding[]> {
  const { says } = await attachments.look().catch((): Presence => ({ looked: 0, missing: 0 }));
  return says === undefined ? [] : [error(says)];
}

async function mailServer(mailer: Mailer): Promise<Finding[]> {
  if (!mailer.available) return [];
  return mailer.try().then(
    () => [fine("The mail server of SMTP_URL lets Parley in")],
    (thrown: unknown) => [error(`The mail server of SMTP_URL: ${reasonOf(thrown)}`)],
  );
}

/** Without them no mail that comes in is proven to be from its sender. */
async function nameServers(servers: readonly string[]): Promise<Finding> {
  const resolver = new dns.Resolver({ timeout: PATIENCE_MS / 2, tries: 2 });
  if (servers.length) resolver.setServers(servers);
  return resolver.resolveNs(".").then(
    () => fine("The name servers answer"),
    (thrown: unknown) =>
      warning(
        `The name servers do not answer (${(thrown as { code?: string }).code ?? reasonOf(thrown)}): no mail that comes in can be proven. Set DNS_SERVERS, or mend them`,
      ),
  );
}

/** As people reach it: through DNS, TLS and the proxy. */
async function publicAddress(url: string | undefined): Promise<Finding[]> {
  if (url === undefined) return [];
  try {
    const address = new URL("/readyz", url);
    const answer = await fetch(address, { redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) });
    const text = await answer.text();
    const skew = Math.round((Date.parse(answer.headers.get("date") ?? "") - Date.now()) / 1_000);
    return [
      answer.ok && text.includes('"ok":true')
        ? fine(`${url} leads to a Parley that is ready`)
        : error(`${address.href} answers ${answer.status}: is Parley behind it, and running?`),
      ...(Math.abs(skew) > CLOCK_SECONDS
        ? [error(`The clock behind PUBLIC_URL is ${skew} s ahead of this machine's: sign-in codes would be refused`)]
        : []),
    ];
  } catch (thrown) {
    return [error(`${url} cannot be reached from here: ${reasonOf(thrown)}`)];
  }
}
