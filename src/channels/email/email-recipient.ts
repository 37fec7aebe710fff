import { type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { Mail } from "../../platform/outbox/outbox-kind.js";

/**
 * Recipient and subject of an email in a conversation `c`. The recipient is the address that the contact wrote from, if it
 * still is one of theirs, and otherwise their first one. A deleted contact has none. The contact of a mail that may be forged
 * has no address; the recipient is the one that the mail gives.
 * @param lastUsed the address that the contact wrote from
 */
const emailRecipient = (name: "email.recipient" | "contactForm.recipient", lastUsed: Sql) =>
  query<{ conversationId: string }, { to: string | null; subject: string }>()(
    name,
    "checked",
    ({ conversationId }) => sql`
      select coalesce(c.subject, b.name) as subject, coalesce((
        select p.value
        from contact_point p
        join contact k on k.tenant_id = ${TENANT} and k.id = p.contact_id and k.deleted_at is null
        where p.tenant_id = ${TENANT} and p.contact_id = c.contact_id and p.kind = 'email'
        order by p.value is distinct from ${lastUsed}, p.position
        limit 1
      ), (
        select m.authentication ->> 'from'
        from message m
        join contact k on k.tenant_id = ${TENANT} and k.id = c.contact_id and k.deleted_at is null
        where m.tenant_id = ${TENANT} and m.conversation_id = c.id and m.sequence = 1
          and m.authentication ->> 'result' = 'fail'
      )) as to
      from conversation c join brand b on b.tenant_id = ${TENANT} and b.id = c.brand_id
      where c.tenant_id = ${TENANT} and c.id = ${conversationId}`,
  );

export const RECIPIENT_OF_EMAIL = emailRecipient("email.recipient", sql`c.metadata ->> 'email'`);
export const RECIPIENT_OF_CONTACT_FORM = emailRecipient(
  "contactForm.recipient",
  sql`c.metadata #>> '{contactForm,email}'`,
);

/** @returns undefined if the contact has no email address */
export async function emailEnvelope(
  tx: Tx,
  statement: typeof RECIPIENT_OF_EMAIL,
  conversationId: string,
): Promise<Omit<Mail, "body"> | undefined> {
  const [found] = await tx.query(statement, { conversationId });
  return found?.to == null ? undefined : { to: found.to, subject: found.subject };
}
