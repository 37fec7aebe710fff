import { randomUUID } from "node:crypto";
import { IncomingMessagesService } from "../../src/channels/incoming-messages.service.js";
import { AttachmentsService } from "../../src/conversations/attachments/attachments.service.js";
import { provider } from "../../src/platform/caller/request-context.js";
import { Database } from "../../src/platform/database/database.js";
import type { TestApp } from "./app.js";

/** A mail with this HTML, and a picture `cid:logo`. */
export const mailOf = (html: string): string =>
  [
    "From: Ada Lovelace <ada@example.org>",
    "To: support@example.com",
    "Subject: My order",
    "MIME-Version: 1.0",
    'Content-Type: multipart/related; boundary="part"',
    "",
    "--part",
    "Content-Type: text/html; charset=utf-8",
    "Content-Transfer-Encoding: base64",
    "",
    ...(Buffer.from(html)
      .toString("base64")
      .match(/.{1,76}/g) ?? []),
    "--part",
    "Content-Type: image/png",
    "Content-Transfer-Encoding: base64",
    "Content-ID: <logo>",
    "",
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "--part--",
    "",
  ].join("\r\n");

interface Mailbox {
  tenantId: string;
  environment?: "live" | "test";
  /** The channel's. */
  id: string;
  workspaceId: string;
}

/** Takes the mail in as the mailbox does, after it has read it. @returns the message */
export async function takeMail(
  app: TestApp,
  { tenantId, environment = "live", id, workspaceId }: Mailbox,
  source: string,
): Promise<{ conversationId: string; messageId: string }> {
  const place = { id, workspaceId };
  const caller = provider("receiveMail", { ...place, tenantId, environment });
  const attachments = app.app.get(AttachmentsService, { strict: false });
  const kept = await attachments.keep(caller, {
    name: "original.eml",
    type: "message/rfc822",
    bytes: Buffer.from(source),
    original: "html",
  });
  const taken = await app.app.get(Database).transaction(caller, async (tx) =>
    app.app.get(IncomingMessagesService, { strict: false }).receive(tx, place, {
      from: { kind: "email", value: `${randomUUID()}@example.org`, name: "Ada Lovelace" },
      senderProof: "channel",
      conversationId: null,
      externalId: randomUUID(),
      body: "Hello",
      attachmentIds: await attachments.add(tx, [kept]),
    }),
  );
  return taken!;
}
