import { randomInt } from "node:crypto";
import { ConflictException, Injectable, NotFoundException } from "@nestjs/common";
import { IsNull } from "typeorm";
import { v7 as uuid } from "uuid";
import { mintOpaqueToken, readOpaqueToken } from "../../auth/sessions/session-tokens.js";
import { MessagesService } from "../../conversations/messages.service.js";
import { type Caller, system } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { Json } from "../../platform/http/json.js";
import { recordIdentityEvent } from "../events/identity-event.js";
import { lockAddress, proveAddress } from "../possession/open-proof.js";
import { assertNotTooMany } from "../possession/proof-limits.js";
import { ProofMessages } from "../possession/proof-messages.js";
import { findRecipient } from "../possession/proof-recipient.js";
import { addFactor } from "../verification/assurance-level.js";
import { type VerificationContext, VerificationContexts } from "../verification/verification-context.js";
import { MagicLinkEntity } from "./magic-link.entity.js";
import { announcement, messageFor, type Sender } from "./magic-link-pages.js";
import type { MagicLinkSentDto, SendMagicLinkDto } from "./magic-links.dto.js";
import {
  COUNT_WRONG_CODE,
  FIND_FAILURE,
  FIND_MAGIC_LINK,
  INSERT_MAGIC_LINK,
  type MagicLinkSecret,
  type OpenedLink,
  REDEEM,
} from "./magic-links.queries.js";

/** After this many wrong numbers a link no longer works. */
const MAX_WRONG_CODES = 3;

/** What the press of a button did. */
export type PressedLink =
  | (Sender & { result: "redeemed"; counts: boolean })
  | (Sender & { result: "wrong code" })
  | { result: "unusable"; language: string };

/** Proof of an address: sends a link to it. A person who presses the button behind the link has the mailbox or the phone. */
@Injectable()
export class MagicLinksService {
  private readonly contexts: VerificationContexts;

  constructor(
    private readonly db: Database,
    private readonly messages: ProofMessages,
    private readonly conversation: MessagesService,
    private readonly config: Config,
  ) {
    this.contexts = new VerificationContexts(config.secretKeys);
  }

  /**
   * Sends a link to the conversation's contact. An earlier link of the conversation stops working. This works while
   * questions are locked too, so a caller who is locked out has another way.
   * @throws ConflictException (not allowed, or no way to send it), RetryLater (too many links)
   */
  send(caller: Caller, conversationId: string, { channel, to }: SendMagicLinkDto): Promise<Json<MagicLinkSentDto>> {
    return this.db.transaction(caller, async (tx) => {
      const context = await this.contexts.find(tx, conversationId, "exclusive");
      const { contactId, settings, language } = context;
      if (!settings.allowedFactors.includes("magic_link"))
        throw new ConflictException("The workspace does not allow proof by a link (magic_link)");
      const { address, pointId, counts, ...asker } = await findRecipient(tx, context, channel, to);
      await assertNotTooMany(tx, contactId);
      const linkId = uuid();
      const code = String(randomInt(10, 100));
      const { token, hash } = mintOpaqueToken(caller.tenantId, linkId);
      await tx.update(
        MagicLinkEntity,
        { conversationId, redeemedAt: IsNull(), replacedAt: IsNull() },
        { replacedAt: () => "clock_timestamp()" },
      );
      const { magicLinkMinutes } = settings;
      const link = { linkId, conversationId, contactId, channel, pointId, counts, code, hash, magicLinkMinutes };
      const [inserted] = await tx.query(INSERT_MAGIC_LINK, link);
      const url = `${this.config.publicUrl}/api/public/verifications/${token}`;
      await this.messages.send(
        tx,
        { workspaceId: context.workspaceId, channel, to: address },
        messageFor({ ...asker, language }, url, magicLinkMinutes),
      );
      await this.announce(tx, context, code);
      return Json.of<MagicLinkSentDto>({ ok: true, linkId, expiresAt: inserted!.expiresAt, code });
    });
  }

  /**
   * Shows the number of the link in the conversation. So a person who gets a link that somebody else asked for does not
   * know it. A conversation that cannot be written to, such as a call, goes without.
   */
  private async announce(tx: Tx, { conversationId, language, settings }: VerificationContext, code: string) {
    const body = announcement(language, code, settings.requireLinkCode);
    try {
      await tx.savepoint(() => this.conversation.announceWithin(tx, conversationId, { id: uuid(), body }));
    } catch (error) {
      if (!(error instanceof ConflictException)) throw error;
    }
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
   * @param code what the person typed into the page, if it asked for the number
   * @returns null if there is no such link, or no longer
   */
  async redeem(token: string, code: string): Promise<PressedLink | null> {
    const secret = readOpaqueToken(token);
    return (
      secret &&
      orNull(() =>
        this.db.transaction(visitor(secret.organisationId), (tx) => this.redeemInTransaction(tx, secret, code)),
      )
    );
  }

  private async redeemInTransaction(tx: Tx, secret: MagicLinkSecret, typed: string): Promise<PressedLink | null> {
    const { id } = secret;
    const { conversationId, pointId } = await tx.findOrThrow(MagicLinkEntity, { id });
    const { contactId, language, settings } = await this.contexts.find(tx, conversationId, "exclusive");
    const code = settings.requireLinkCode ? typed : null;
    const evidence = {
      factorType: "magic_link",
      factorCategory: "possession",
      evidenceRef: `magic_link:${id}`,
    } as const;
    const origin = { conversationId, promptVersion: settings.promptVersion ?? undefined };
    const fail = (how: string): Promise<boolean> =>
      recordIdentityEvent(
        tx,
        { ...origin, transitionKey: `magic_link:${id}:${how}` },
        { ...evidence, eventType: "factor_failed", factorBoundToPrincipal: contactId },
      );
    await lockAddress(tx, pointId);
    const [redeemed] = await tx.query(REDEEM, { ...secret, code });
    if (redeemed) {
      await proveAddress(tx, pointId);
      if (redeemed.counts)
        await addFactor(tx, { ...origin, ...evidence, contactId, lifetimeMinutes: settings.factorLifetimeMinutes });
      return { result: "redeemed", ...redeemed, language };
    }
    if (code !== null) {
      const tries = /^[0-9]{2}$/.test(code) ? 1 : 0;
      const [wrong] = await tx.query(COUNT_WRONG_CODE, { ...secret, code, tries, max: MAX_WRONG_CODES });
      if (wrong) {
        if (tries) await fail("code");
        const { open, ...asker } = wrong;
        return open ? { result: "wrong code", ...asker, language } : { result: "unusable", language };
      }
    }
    const [link] = await tx.query(FIND_FAILURE, secret);
    const failure = link!.failure;
    if (failure) await fail(failure);
    return failure === "wrong" ? null : { result: "unusable", language };
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
