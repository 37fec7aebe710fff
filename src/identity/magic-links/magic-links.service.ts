import { ConflictException, Injectable, NotFoundException } from "@nestjs/common";
import { IsNull } from "typeorm";
import { v7 as uuid } from "uuid";
import { mintOpaqueToken, readOpaqueToken } from "../../auth/sessions/session-tokens.js";
import { type Caller, system } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { ARCHIVED, RetryLater } from "../../platform/http/errors.js";
import { Json } from "../../platform/http/json.js";
import { Outbox } from "../../platform/outbox/outbox.service.js";
import { recordIdentityEvent } from "../events/identity-event.js";
import { addFactor } from "../verification/assurance-level.js";
import { type VerificationContext, VerificationContexts } from "../verification/verification-context.js";
import { MagicLinkEntity } from "./magic-link.entity.js";
import { mailFor, type Sender } from "./magic-link-pages.js";
import type { MagicLinkSentDto, SendMagicLinkDto } from "./magic-links.dto.js";
import {
  FIND_FAILURE,
  FIND_MAGIC_LINK,
  FIND_RECIPIENT,
  FIND_WAIT,
  INSERT_MAGIC_LINK,
  LOCK_LINKS_OF_CONTACT,
  type MagicLinkSecret,
  type OpenedLink,
  REDEEM,
} from "./magic-links.queries.js";

/** At most this many links are sent to one contact in this many minutes, to protect its mailbox. */
const MAX_LINKS = 5;
const WINDOW_MINUTES = 10;

/** Proof of a mailbox: sends a link to it. A person who presses the button behind the link has the mailbox. */
@Injectable()
export class MagicLinksService {
  private readonly contexts: VerificationContexts;

  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly config: Config,
  ) {
    this.contexts = new VerificationContexts(config.secretKeys);
  }

  /**
   * Mails a link to the conversation's contact. An earlier link of the conversation stops working. This works while
   * questions are locked too, so a caller who is locked out has another way.
   * @throws ConflictException (not allowed, or no address to send it to), RetryLater (too many links)
   */
  send(caller: Caller, conversationId: string, { channel, to }: SendMagicLinkDto): Promise<Json<MagicLinkSentDto>> {
    return this.db.transaction(caller, async (tx) => {
      const context = await this.contexts.find(tx, conversationId, "exclusive");
      const {
        contactId,
        settings: { allowedFactors, magicLinkMinutes },
        language,
      } = context;
      if (!allowedFactors.includes("magic_link"))
        throw new ConflictException("The workspace does not allow proof by a link (magic_link)");
      if (channel === "sms") throw new ConflictException("There is no SMS channel yet: send the link by email");
      const { address, ...sender } = await this.recipient(tx, context, to);
      await this.assertNotTooMany(tx, contactId);
      const linkId = uuid();
      const { token, hash } = mintOpaqueToken(caller.tenantId, linkId);
      await tx.update(
        MagicLinkEntity,
        { conversationId, redeemedAt: IsNull(), replacedAt: IsNull() },
        { replacedAt: () => "clock_timestamp()" },
      );
      const [inserted] = await tx.query(INSERT_MAGIC_LINK, {
        linkId,
        conversationId,
        contactId,
        hash,
        magicLinkMinutes,
      });
      const url = `${this.config.publicUrl}/api/public/verifications/${token}`;
      await this.outbox.mail(tx, mailFor({ ...sender, language }, address, url, magicLinkMinutes));
      return Json.of<MagicLinkSentDto>({ ok: true, linkId, expiresAt: inserted!.expiresAt });
    });
  }

  /** The address is always one of the contact's own: the one in `to`, or a verified one, or the first. */
  private async recipient(
    tx: Tx,
    { workspaceId, contactId }: VerificationContext,
    to?: string,
  ): Promise<Omit<Sender, "language"> & { address: string }> {
    const [found] = await tx.query(FIND_RECIPIENT, { workspaceId, contactId, to: to?.toLowerCase() });
    const { archived, merged, address, ...sender } = found!;
    if (archived) throw new ConflictException(ARCHIVED);
    if (merged) throw new ConflictException("The contact was merged into another one");
    if (address === null)
      throw new ConflictException(
        to === undefined
          ? "The contact has no email address"
          : "The address in to is not one of the contact's email addresses",
      );
    return { ...sender, address };
  }

  private async assertNotTooMany(tx: Tx, contactId: string): Promise<void> {
    await tx.query(LOCK_LINKS_OF_CONTACT, { contactId });
    const [full] = await tx.query(FIND_WAIT, { contactId, minutes: WINDOW_MINUTES, max: MAX_LINKS });
    if (full)
      throw new RetryLater(
        `At most ${MAX_LINKS} links are sent to one contact in ${WINDOW_MINUTES} minutes`,
        full.seconds,
      );
  }

  /**
   * Reads a link without changing anything, because mail scanners open links too.
   * @returns null if there is no such link, or no longer
   */
  async look(token: string): Promise<OpenedLink | null> {
    const secret = readOpaqueToken(token);
    return (
      secret &&
      orNull(async () => (await this.db.read(visitor(secret.organisationId), FIND_MAGIC_LINK, secret)).parse())
    );
  }

  /**
   * Redeems a link, exactly once.
   * @returns the link, with `open` if this call redeemed it; null if there is no such link, or no longer
   */
  async redeem(token: string): Promise<OpenedLink | null> {
    const secret = readOpaqueToken(token);
    return (
      secret &&
      orNull(() => this.db.transaction(visitor(secret.organisationId), (tx) => this.redeemInTransaction(tx, secret)))
    );
  }

  private async redeemInTransaction(tx: Tx, { id, hash }: MagicLinkSecret): Promise<OpenedLink | null> {
    const { conversationId } = await tx.findOrThrow(MagicLinkEntity, { id });
    const { contactId, language, settings } = await this.contexts.find(tx, conversationId, "exclusive");
    const evidence = {
      factorType: "magic_link",
      factorCategory: "possession",
      evidenceRef: `magic_link:${id}`,
    } as const;
    const origin = { conversationId, promptVersion: settings.promptVersion ?? undefined };
    const [redeemed] = await tx.query(REDEEM, { id, hash });
    if (redeemed) {
      await addFactor(tx, { ...origin, ...evidence, contactId, lifetimeMinutes: settings.factorLifetimeMinutes });
      return { open: true, ...redeemed, language };
    }
    const [link] = await tx.query(FIND_FAILURE, { id, hash });
    const failure = link!.failure;
    if (failure)
      await recordIdentityEvent(
        tx,
        { ...origin, transitionKey: `magic_link:${id}:${failure}` },
        { ...evidence, eventType: "factor_failed", factorBoundToPrincipal: contactId },
      );
    return failure === "wrong" ? null : { open: false, language };
  }
}

/** The person with the token. The tenant's side does not matter here, so either one will do. */
const visitor = (tenantId: string): Caller => system("magic link", tenantId, "live");

async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotFoundException) return null;
    throw error;
  }
}
