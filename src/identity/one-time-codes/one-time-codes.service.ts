import { randomInt, timingSafeEqual } from "node:crypto";
import { ConflictException, Injectable } from "@nestjs/common";
import { IsNull } from "typeorm";
import { v7 as uuid } from "uuid";
import type { Caller } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import { type Sealer, Sealers } from "../../platform/database/seal.js";
import type { Tx } from "../../platform/database/transaction.js";
import { Json } from "../../platform/http/json.js";
import { recordIdentityEvent } from "../events/identity-event.js";
import { lockAddress, proveAddress } from "../possession/open-proof.js";
import { assertNotTooManyCodes } from "../possession/proof-limits.js";
import { ProofMessages } from "../possession/proof-messages.js";
import { findRecipient } from "../possession/proof-recipient.js";
import type { ProofChannel } from "../verification/proof-channel.js";
import { addFactor, refreshLevel } from "../verification/assurance-level.js";
import { type VerificationContext, VerificationContexts } from "../verification/verification-context.js";
import { codeMessage } from "./code-texts.js";
import { OneTimeCodeEntity } from "./one-time-code.entity.js";
import type { CodeSentDto, CodeVerifiedDto, SendCodeDto, VerifyCodeDto } from "./one-time-codes.dto.js";
import { FIND_STATE, INSERT_CODE, TAKE_TRY } from "./one-time-codes.queries.js";

/** So many codes are compared with one that was sent. With the limits on sending, few guesses of a million are possible. */
const MAX_TRIES = 5;

const FACTORS = { email: "otp_email", sms: "otp_sms" } as const;

/** Proof of an address: sends six digits to it, which the person gives in the conversation. */
@Injectable()
export class OneTimeCodesService {
  private readonly contexts: VerificationContexts;
  private readonly sealer: Sealer;

  constructor(
    private readonly db: Database,
    private readonly messages: ProofMessages,
    config: Config,
    sealers: Sealers,
  ) {
    this.contexts = new VerificationContexts(config.secretKeys);
    this.sealer = sealers.for("one-time codes");
  }

  /**
   * Sends a code to the conversation's contact. An earlier one through the same channel stops working. This works while
   * questions are locked too.
   * @throws ConflictException (not allowed, or no way to send it), RetryLater (too many codes)
   */
  send(caller: Caller, conversationId: string, { channel, to }: SendCodeDto): Promise<Json<CodeSentDto>> {
    return this.db.transaction(caller, async (tx) => {
      const context = await this.contexts.find(tx, conversationId, "exclusive");
      assertAllowed(context, channel);
      const { contactId, workspaceId, language, settings } = context;
      const { address, pointId, counts, ...asker } = await findRecipient(tx, context, channel, to);
      await assertNotTooManyCodes(tx, contactId);
      const codeId = uuid();
      const code = String(randomInt(1_000_000)).padStart(6, "0");
      await tx.update(
        OneTimeCodeEntity,
        { conversationId, channel, redeemedAt: IsNull(), replacedAt: IsNull() },
        { replacedAt: () => "clock_timestamp()" },
      );
      const minutes = settings.magicLinkMinutes;
      const [codeHash] = this.hashes(tx, codeId, code);
      const row = { codeId, conversationId, contactId, channel, pointId, counts, codeHash: codeHash!, minutes };
      const [inserted] = await tx.query(INSERT_CODE, row);
      await this.messages.send(
        tx,
        { workspaceId, channel, to: address },
        codeMessage({ ...asker, language }, code, minutes),
      );
      return Json.of<CodeSentDto>({ ok: true, codeId, expiresAt: inserted!.expiresAt });
    });
  }

  /**
   * Compares a code with the one that was sent. Each comparison first takes one of its tries, under the lock on its row, so no
   * number of concurrent requests gets more of them compared.
   * @throws NotFoundException (the code), ConflictException (used before, no tries left, or no longer allowed)
   */
  verify(caller: Caller, conversationId: string, { codeId, code }: VerifyCodeDto): Promise<Json<CodeVerifiedDto>> {
    return this.db.transaction(caller, async (tx) => {
      const context = await this.contexts.find(tx, conversationId, "exclusive");
      const sent = await tx.findOrThrow(OneTimeCodeEntity, { id: codeId, conversationId });
      assertAllowed(context, sent.channel);
      await lockAddress(tx, sent.pointId);
      const factorType = FACTORS[sent.channel];
      const [taken] = await tx.query(TAKE_TRY, { codeId, factorType, max: MAX_TRIES });
      if (!taken) {
        await this.assertLate(tx, codeId);
        return this.fail(tx, context, sent, "late", 0);
      }
      const left = MAX_TRIES - taken.tries;
      if (!this.hashes(tx, codeId, code).some((one) => timingSafeEqual(one, taken.codeHash)))
        return this.fail(tx, context, sent, `wrong:${taken.tries}`, left);
      await tx.update(OneTimeCodeEntity, { id: codeId }, { redeemedAt: () => "clock_timestamp()" });
      await proveAddress(tx, sent.pointId);
      if (sent.counts)
        await addFactor(tx, {
          conversationId,
          promptVersion: context.settings.promptVersion ?? undefined,
          contactId: context.contactId,
          factorType,
          factorCategory: "possession",
          evidenceRef: `tool:${factorType}`,
          lifetimeMinutes: context.settings.factorLifetimeMinutes,
        });
      return this.answer(tx, conversationId, "passed", left);
    });
  }

  /** @throws ConflictException: the code was used, or tried too often. Nothing is compared */
  private async assertLate(tx: Tx, codeId: string): Promise<void> {
    const [found] = await tx.query(FIND_STATE, { codeId, max: MAX_TRIES });
    if (found!.state === "used") throw new ConflictException("This code has been used; send another one");
    if (found!.state === "tried")
      throw new ConflictException(`This code was wrong ${MAX_TRIES} times and cannot be used; send another one`);
  }

  private async fail(
    tx: Tx,
    { conversationId, contactId, settings }: VerificationContext,
    { id, channel }: OneTimeCodeEntity,
    how: string,
    left: number,
  ): Promise<Json<CodeVerifiedDto>> {
    const factorType = FACTORS[channel];
    await recordIdentityEvent(
      tx,
      { conversationId, transitionKey: `code:${id}:${how}`, promptVersion: settings.promptVersion ?? undefined },
      {
        eventType: "factor_failed",
        factorCategory: "possession",
        factorType,
        factorBoundToPrincipal: contactId,
        evidenceRef: `tool:${factorType}`,
      },
    );
    return this.answer(tx, conversationId, "failed", left);
  }

  private async answer(
    tx: Tx,
    conversationId: string,
    result: CodeVerifiedDto["result"],
    remainingAttempts: number,
  ): Promise<Json<CodeVerifiedDto>> {
    const { level } = await refreshLevel(tx, conversationId);
    return Json.of<CodeVerifiedDto>({ result, remainingAttempts, assuranceLevel: level });
  }

  /** Bound to its row, so that a hash is of no use in another one. */
  private hashes(tx: Tx, codeId: string, code: string): Buffer[] {
    return this.sealer.hashes(`${tx.caller.tenantId} ${codeId.toLowerCase()} ${code}`);
  }
}

/** @throws ConflictException */
function assertAllowed({ settings }: VerificationContext, channel: ProofChannel): void {
  const factorType = FACTORS[channel];
  if (!settings.allowedFactors.includes(factorType))
    throw new ConflictException(`The workspace does not allow proof by this kind of code (${factorType})`);
}
