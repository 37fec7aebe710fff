import { ConflictException, Injectable, NotFoundException } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { mintOpaqueToken, readOpaqueToken } from "../../auth/sessions/session-tokens.js";
import { type Caller, system } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import { one, time } from "../../platform/database/statement.js";
import type { Tx } from "../../platform/database/transaction.js";
import { ARCHIVED, notFound, RetryLater } from "../../platform/http/errors.js";
import { Json } from "../../platform/http/json.js";
import { Outbox } from "../../platform/outbox/outbox.service.js";
import { recordIdentityEvent } from "../events/identity-event.js";
import { addFactor } from "../verification/assurance-level.js";
import { type Situation, Situations } from "../verification/verification-context.js";
import type { MagicLinkSentDto, SendMagicLinkDto } from "./magic-links.dto.js";
import { type Asking, mailFor } from "./magic-link-pages.js";

/** So many links for one person, in so many minutes: their mailbox is nobody's target. */
const MOST = 5;
const WITHIN_MINUTES = 10;

/** Where a link `l` leads. */
const PLACE = `conversation c join contact k on k.tenant_id = c.tenant_id and k.id = c.contact_id join workspace w on w.tenant_id = c.tenant_id and w.id = c.workspace_id
  join brand b on b.tenant_id = w.tenant_id and b.id = w.brand_id left join identity_settings s on s.tenant_id = w.tenant_id and s.workspace_id = w.id`;
const MINE =
  "l.tenant_id = :tenant and l.id = :id and l.token_hash = :hash and c.tenant_id = l.tenant_id and c.id = l.conversation_id and w.deleted_at is null";
/** It can be used now. */
const OPEN = `l.redeemed_at is null and l.replaced_at is null and l.expires_at > clock_timestamp() and l.contact_id = c.contact_id and c.redacted_at is null
  and k.erased_at is null and k.deleted_at is null and k.merged_into_id is null and w.status <> 'archived' and (s.allowed_factors is null or 'magic_link' = any(s.allowed_factors))`;

const GET = one<Opened, { id: string; hash: string }>(
  "magic-links.get",
  { none: "whoever has the token has no other reach" },
  `select ${OPEN} as open, b.name as brand, w.name as workspace, w.primary_language as language from magic_link l, ${PLACE} where ${MINE}`,
);

/** A link as whoever opens it finds it. */
export type Opened = (Asking & { open: true }) | { open: false; language: string };
interface Token {
  id: string;
  hash: string;
}
interface Recipient {
  brand: string;
  workspace: string;
  archived: boolean;
  merged: boolean;
  address: string | null;
}

/** Proving who is calling by their mailbox: a link that is sent there, and the one button behind it. */
@Injectable()
export class MagicLinksService {
  private readonly situations: Situations;

  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly config: Config,
  ) {
    this.situations = new Situations(config.secretKeys);
  }

  /**
   * Mails a link to the conversation's contact; an earlier one of the conversation is dead from then on. Also while questions
   * are locked: this is the way out.
   * @throws ConflictException (not allowed, nobody to send it to), RetryLater (too many)
   */
  send(caller: Caller, conversationId: string, { channel, to }: SendMagicLinkDto): Promise<Json<MagicLinkSentDto>> {
    return this.db.transaction(caller, async (tx) => {
      const situation = await this.situations.find(tx, conversationId, "alone");
      const {
        settings: { allowedFactors, magicLinkMinutes },
        language,
      } = situation;
      if (!allowedFactors.includes("magic_link"))
        throw new ConflictException("The workspace does not allow proof by a link (magic_link)");
      if (channel === "sms") throw new ConflictException("There is no SMS channel yet: send the link by email");
      const { address, ...asking } = await this.recipient(tx, situation, to);
      await this.assertNotTooMany(tx, situation.contactId);
      const linkId = uuid();
      const { token, hash } = mintOpaqueToken(caller.tenantId, linkId);
      await tx.query(
        `update magic_link set replaced_at = clock_timestamp() where tenant_id = :tenant and conversation_id = :conversationId and redeemed_at is null and replaced_at is null`,
        { conversationId },
      );
      const [{ expiresAt }] = (await tx.query<{ expiresAt: string }>(
        `insert into magic_link (tenant_id, id, conversation_id, contact_id, token_hash, expires_at)
        values (:tenant, :linkId, :conversationId, :contactId, :hash, clock_timestamp() + make_interval(mins => :magicLinkMinutes::int)) returning ${time("expires_at")} as "expiresAt"`,
        { linkId, conversationId, contactId: situation.contactId, hash, magicLinkMinutes },
      )) as [{ expiresAt: string }];
      await this.outbox.mail(
        tx,
        mailFor(
          { ...asking, language },
          address,
          `${this.config.publicUrl}/api/public/verifications/${token}`,
          magicLinkMinutes,
        ),
      );
      return Json.of<MagicLinkSentDto>({ ok: true, linkId, expiresAt });
    });
  }

  /** The address is one of the contact's own: the one that is asked for, or one that is known to be theirs, or the first. */
  private async recipient(
    tx: Tx,
    { workspaceId, contactId }: Situation,
    to?: string,
  ): Promise<Omit<Asking, "language"> & { address: string }> {
    const [found] = await tx.query<Recipient>(
      `select b.name as brand, w.name as workspace, w.status = 'archived' as archived, k.merged_into_id is not null as merged,
        (select p.value from contact_point p where p.tenant_id = k.tenant_id and p.contact_id = k.id and p.kind = 'email' and (:to::text is null or p.value = :to)
          order by p.verified_at is null, p.position limit 1) as address
      from workspace w join brand b on b.tenant_id = w.tenant_id and b.id = w.brand_id join contact k on k.tenant_id = w.tenant_id and k.id = :contactId
      where w.tenant_id = :tenant and w.id = :workspaceId`,
      { workspaceId, contactId, to: to?.toLowerCase() },
    );
    const { archived, merged, address, ...asking } = found!;
    if (archived) throw new ConflictException(ARCHIVED);
    if (merged) throw new ConflictException("The contact was merged into another one");
    if (address === null)
      throw new ConflictException(
        to === undefined
          ? "The contact has no email address"
          : "The address in to is not one of the contact's email addresses",
      );
    return { ...asking, address };
  }

  private async assertNotTooMany(tx: Tx, contactId: string): Promise<void> {
    // One after the other, also from several conversations.
    await tx.query("select pg_advisory_xact_lock(hashtextextended(:name, 0))", {
      name: `magic links ${tx.caller.tenantId} ${contactId}`,
    });
    const [full] = await tx.query<{ wait: number }>(
      `select greatest(1, ceil(extract(epoch from created_at + make_interval(mins => :minutes::int) - clock_timestamp())))::int as wait from magic_link
      where tenant_id = :tenant and contact_id = :contactId and created_at > clock_timestamp() - make_interval(mins => :minutes::int) order by created_at desc offset :most - 1 limit 1`,
      { contactId, minutes: WITHIN_MINUTES, most: MOST },
    );
    if (full)
      throw new RetryLater(`At most ${MOST} links are sent to one contact in ${WITHIN_MINUTES} minutes`, full.wait);
  }

  /** Looks and changes nothing: mail scanners do so too. @returns null for what is no link, or one that is gone */
  async look(token: string): Promise<Opened | null> {
    const named = readOpaqueToken(token);
    return named && orNull(async () => (await this.db.read(visitor(named.organisationId), GET, named)).parse());
  }

  /**
   * Redeems a link, once, whoever else presses at the same moment.
   * @returns the link, `open` if this was what redeemed it; null for what is no link, or one that is gone
   */
  async redeem(token: string): Promise<Opened | null> {
    const named = readOpaqueToken(token);
    return (
      named && orNull(() => this.db.transaction(visitor(named.organisationId), (tx) => this.redeemWithin(tx, named)))
    );
  }

  private async redeemWithin(tx: Tx, { id, hash }: Token): Promise<Opened | null> {
    const [link] = await tx.query<{ conversationId: string }>(
      'select conversation_id as "conversationId" from magic_link where tenant_id = :tenant and id = :id',
      { id },
    );
    if (!link) throw notFound();
    const situation = await this.situations.find(tx, link.conversationId, "alone");
    const { contactId, language, settings } = situation;
    const evidence = {
      factorType: "magic_link",
      factorCategory: "possession",
      evidenceRef: `magic_link:${id}`,
    } as const;
    const where = { conversationId: link.conversationId, promptVersion: settings.promptVersion ?? undefined };
    const [redeemed] = await tx.query<Omit<Asking, "language">>(
      `update magic_link l set redeemed_at = clock_timestamp() from ${PLACE} where ${MINE} and ${OPEN} returning b.name as brand, w.name as workspace`,
      { id, hash },
    );
    if (redeemed) {
      await addFactor(tx, { ...where, ...evidence, contactId, lifetimeMinutes: settings.factorLifetimeMinutes });
      return { open: true, ...redeemed, language };
    }
    const failure = await this.failure(tx, { id, hash });
    if (failure)
      await recordIdentityEvent(
        tx,
        { ...where, transitionKey: `magic_link:${id}:${failure}` },
        { ...evidence, eventType: "factor_failed", factorBoundToPrincipal: contactId },
      );
    return failure === "wrong" ? null : { open: false, language };
  }

  /** What is an attempt that failed. A repeat while the link would still hold is a second click, or a page that is loaded again. */
  private async failure(tx: Tx, token: Token): Promise<"wrong" | "late" | null> {
    const [row] = await tx.query<{ failure: "wrong" | "late" | null }>(
      `select case when token_hash <> :hash then 'wrong'
      when replaced_at is not null or expires_at <= clock_timestamp() then 'late' end as failure from magic_link where tenant_id = :tenant and id = :id`,
      token,
    );
    return row!.failure;
  }
}

/** Whoever has the token; which side it is on makes no difference to what is done here. */
const visitor = (tenantId: string): Caller => system("magic link", tenantId, "live");

async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotFoundException) return null;
    throw error;
  }
}
