import { type Parameter, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { one, query, time } from "../../platform/database/statements.js";
import type { Sender } from "./magic-link-pages.js";

/** A link as its page shows it. A link that cannot be used shows nothing but a language. */
export type OpenedLink = (Sender & { open: true }) | { open: false; language: string };

export interface MagicLinkSecret {
  id: string;
  /** SHA-256 of the token. */
  hash: string;
}

const TOKEN_IS_CREDENTIAL = { unrestricted: "the token is the credential; its hash is compared here" };

/** The conversation `c` of a link `l`, its contact `k`, workspace `w` and brand `b`, and the settings `s`. */
const SURROUNDINGS = sql`
  conversation c
  join contact k on k.tenant_id = ${TENANT} and k.id = c.contact_id
  join workspace w on w.tenant_id = ${TENANT} and w.id = c.workspace_id
  join brand b on b.tenant_id = ${TENANT} and b.id = w.brand_id
  left join identity_settings s on s.tenant_id = ${TENANT} and s.workspace_id = w.id`;

/** The link `l` is the one that the token names. */
const isLink = (id: Parameter, hash: Parameter): Sql => sql`
  l.tenant_id = ${TENANT} and l.id = ${id} and l.token_hash = ${hash}
  and c.tenant_id = ${TENANT} and c.id = l.conversation_id and w.deleted_at is null`;

/** The link `l` can be used now. */
const IS_OPEN = sql`
  l.redeemed_at is null and l.replaced_at is null and l.expires_at > clock_timestamp()
  and l.contact_id = c.contact_id and c.redacted_at is null
  and k.erased_at is null and k.deleted_at is null and k.merged_into_id is null
  and w.status <> 'archived' and (s.allowed_factors is null or 'magic_link' = any(s.allowed_factors))`;

export const FIND_MAGIC_LINK = one<OpenedLink, MagicLinkSecret>(
  "magicLinks.find",
  TOKEN_IS_CREDENTIAL,
  ({ id, hash }) => sql`
    select ${IS_OPEN} as open, b.name as brand, w.name as workspace, w.primary_language as language
    from magic_link l, ${SURROUNDINGS}
    where ${isLink(id, hash)}`,
);

/** Checks everything that must be true and redeems the link in one statement, so only one of two concurrent calls does. */
export const REDEEM = query<MagicLinkSecret, Omit<Sender, "language">>(
  "magicLinks.redeem",
  TOKEN_IS_CREDENTIAL,
  ({ id, hash }) => sql`
    update magic_link l set redeemed_at = clock_timestamp()
    from ${SURROUNDINGS}
    where ${isLink(id, hash)} and ${IS_OPEN}
    returning b.name as brand, w.name as workspace`,
);

/**
 * Whether using a link that was not redeemed is a failed attempt. It is not if the link was used before and would still
 * be valid: that is a second click, or a page that is loaded again.
 */
export const FIND_FAILURE = query<MagicLinkSecret, { failure: "wrong" | "late" | null }>(
  "magicLinks.findFailure",
  TOKEN_IS_CREDENTIAL,
  ({ id, hash }) => sql`
    select case
      when l.token_hash <> ${hash} then 'wrong'
      when l.replaced_at is not null or l.expires_at <= clock_timestamp() then 'late'
    end as failure
    from magic_link l
    where l.tenant_id = ${TENANT} and l.id = ${id}`,
);

interface Recipient {
  brand: string;
  workspace: string;
  archived: boolean;
  merged: boolean;
  address: string | null;
}
export const FIND_RECIPIENT = query<{ workspaceId: string; contactId: string; to?: string }, Recipient>(
  "magicLinks.findRecipient",
  "checked",
  ({ workspaceId, contactId, to }) => sql`
    select b.name as brand, w.name as workspace, w.status = 'archived' as archived,
      k.merged_into_id is not null as merged, (
        select p.value
        from contact_point p
        where p.tenant_id = ${TENANT} and p.contact_id = ${contactId} and p.kind = 'email'
          and (${to}::text is null or p.value = ${to})
        order by p.verified_at is null, p.position
        limit 1
      ) as address
    from workspace w
    join brand b on b.tenant_id = ${TENANT} and b.id = w.brand_id
    join contact k on k.tenant_id = ${TENANT} and k.id = ${contactId}
    where w.tenant_id = ${TENANT} and w.id = ${workspaceId}`,
);

interface NewLink {
  linkId: string;
  conversationId: string;
  contactId: string;
  hash: string;
  magicLinkMinutes: number;
}
export const INSERT_MAGIC_LINK = query<NewLink, { expiresAt: string }>(
  "magicLinks.insert",
  "checked",
  ({ linkId, conversationId, contactId, hash, magicLinkMinutes }) => sql`
    insert into magic_link (tenant_id, id, conversation_id, contact_id, token_hash, expires_at)
    values (${TENANT}, ${linkId}, ${conversationId}, ${contactId}, ${hash},
      clock_timestamp() + make_interval(mins => ${magicLinkMinutes}::int))
    returning ${time(sql`expires_at`)} as "expiresAt"`,
);

/** Makes concurrent requests for one contact wait for each other, also from different conversations. */
export const LOCK_LINKS_OF_CONTACT = query<{ contactId: string }>(
  "magicLinks.lockContact",
  { unrestricted: "it takes an advisory lock and reads no rows" },
  ({ contactId }) =>
    sql`select pg_advisory_xact_lock(hashtextextended('magic links ' || ${TENANT}::text || ' ' || ${contactId}::text, 0))`,
);

/** If `max` links were sent in the last `minutes`: in how many seconds the first of them is that old. */
export const FIND_WAIT = query<{ contactId: string; minutes: number; max: number }, { seconds: number }>(
  "magicLinks.findWait",
  "checked",
  ({ contactId, minutes, max }) => sql`
    select greatest(1, ceil(extract(epoch from
      l.created_at + make_interval(mins => ${minutes}::int) - clock_timestamp())))::int as seconds
    from magic_link l
    where l.tenant_id = ${TENANT} and l.contact_id = ${contactId}
      and l.created_at > clock_timestamp() - make_interval(mins => ${minutes}::int)
    order by l.created_at desc
    offset ${max} - 1
    limit 1`,
);
