import { type Parameter, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { one, query, time } from "../../platform/database/statements.js";
import { isOpen, SURROUNDINGS } from "../possession/open-proof.js";
import type { ProofChannel } from "../verification/proof-channel.js";
import type { Sender } from "./magic-link-pages.js";

/** A link as its page shows it. A link that cannot be used shows nothing but a language. */
export type OpenedLink = (Sender & { open: true; code: string; asksCode: boolean }) | { open: false; language: string };

export interface MagicLinkSecret {
  id: string;
  /** SHA-256 of the token. */
  hash: string;
}

const TOKEN_IS_CREDENTIAL = { unrestricted: "the token is the credential; its hash is compared here" };

/** The link `l` is the one that the token names. */
const isLink = (id: Parameter, hash: Parameter): Sql => sql`
  l.tenant_id = ${TENANT} and l.id = ${id} and l.token_hash = ${hash}
  and c.tenant_id = ${TENANT} and c.id = l.conversation_id and w.deleted_at is null`;

const IS_OPEN = isOpen(sql`'magic_link'`);

export const FIND_MAGIC_LINK = one<OpenedLink, MagicLinkSecret>(
  "magicLinks.find",
  TOKEN_IS_CREDENTIAL,
  ({ id, hash }) => sql`
    select ${IS_OPEN} as open, b.name as brand, w.name as workspace, w.primary_language as language, l.code,
      coalesce(s.require_link_code, false) as "asksCode"
    from magic_link l, ${SURROUNDINGS}
    where ${isLink(id, hash)}`,
);

/**
 * Checks everything that must be true and redeems the link in one statement, so only one of two concurrent calls does.
 * `code` is null where the page asks for none.
 */
export const REDEEM = query<
  MagicLinkSecret & { code: string | null },
  Omit<Sender, "language"> & { counts: boolean }
>()(
  "magicLinks.redeem",
  TOKEN_IS_CREDENTIAL,
  ({ id, hash, code }) => sql`
    update magic_link l set redeemed_at = clock_timestamp()
    from ${SURROUNDINGS}
    where ${isLink(id, hash)} and ${IS_OPEN} and (${code}::text is null or l.code = ${code})
    returning b.name as brand, w.name as workspace, l.counts`,
);

/** Counts wrong digits, if there were two. The last time that is allowed makes the link void. */
export const COUNT_WRONG_CODE = query<
  MagicLinkSecret & { code: string; tries: 0 | 1; max: number },
  Omit<Sender, "language"> & { open: boolean }
>()(
  "magicLinks.countWrongCode",
  TOKEN_IS_CREDENTIAL,
  ({ id, hash, code, tries, max }) => sql`
    update magic_link l set wrong_codes = l.wrong_codes + ${tries}::int,
      replaced_at = case when l.wrong_codes + ${tries}::int >= ${max}::int then clock_timestamp() end
    from ${SURROUNDINGS}
    where ${isLink(id, hash)} and ${IS_OPEN} and l.code <> ${code}
    returning b.name as brand, w.name as workspace, l.replaced_at is null as open`,
);

/**
 * Whether using a link that was not redeemed is a failed attempt. It is not if the link was used before and would still
 * be valid: that is a second click, or a page that is loaded again.
 */
export const FIND_FAILURE = query<MagicLinkSecret, { failure: "wrong" | "late" | null }>()(
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

interface NewLink {
  linkId: string;
  conversationId: string;
  contactId: string;
  channel: ProofChannel;
  pointId: string;
  counts: boolean;
  code: string;
  hash: string;
  magicLinkMinutes: number;
}
export const INSERT_MAGIC_LINK = query<NewLink, { expiresAt: string }>()(
  "magicLinks.insert",
  "checked",
  ({ linkId, conversationId, contactId, channel, pointId, counts, code, hash, magicLinkMinutes }) => sql`
    insert into magic_link (tenant_id, id, conversation_id, contact_id, channel, point_id, counts, code, token_hash,
      expires_at)
    values (${TENANT}, ${linkId}, ${conversationId}, ${contactId}, ${channel}, ${pointId}, ${counts}, ${code}, ${hash},
      clock_timestamp() + make_interval(mins => ${magicLinkMinutes}::int))
    returning ${time(sql`expires_at`)} as "expiresAt"`,
);
