import { BadRequestException, ConflictException, Injectable, UnauthorizedException } from "@nestjs/common";
import { IsNull } from "typeorm";
import { v7 as uuid } from "uuid";
import type { MemberCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { Json, type Ok, ok } from "../../platform/http/json.js";
import { SecurityLogService } from "../security-log/security-log.service.js";
import { Passkeys } from "./passkeys.js";
import { hashOfRecoveryCode, makeRecoveryCodes } from "./recovery-codes.js";
import { PendingSignInEntity, RecoveryCodeEntity, SecondFactorEntity } from "./second-factor.entity.js";
import type {
  AddSecondFactorDto,
  ConfirmSecondFactorDto,
  NewSecondFactorDto,
  RecoveryCodesDto,
  SecondFactorDto,
  SecondFactorsDto,
} from "./second-factors.dto.js";
import {
  GET_METHODS,
  GET_SECOND_FACTOR,
  GET_SECOND_FACTORS,
  LOCK_OWN_MEMBER,
  type Methods,
  TAKE_CHALLENGE,
} from "./second-factors.queries.js";
import { Totp } from "./totp.js";

const MAX_PASSKEYS = 10;

/** The second factors of the member who asks. */
@Injectable()
export class SecondFactorsService {
  constructor(
    private readonly db: Database,
    private readonly totp: Totp,
    private readonly passkeys: Passkeys,
    private readonly security: SecurityLogService,
  ) {}

  list(caller: MemberCaller): Promise<Json<SecondFactorsDto>> {
    return this.db.read(caller, GET_SECOND_FACTORS, { memberId: caller.memberId });
  }

  /**
   * The first of two steps. Replaces one of the same type that was not confirmed.
   * @throws ConflictException: the member has as many of this type as possible
   */
  add(caller: MemberCaller, { type, name }: AddSecondFactorDto): Promise<Json<NewSecondFactorDto>> {
    const { memberId, organisationId } = caller;
    return this.db.transaction(caller, async (tx) => {
      const member = await this.lock(tx, memberId);
      const { types, passkeys } = await this.methods(tx, memberId);
      if (type === "totp" && types.includes("totp"))
        throw new ConflictException("You have an authenticator app already: remove it before you add another");
      if (type === "passkey" && passkeys.length >= MAX_PASSKEYS)
        throw new ConflictException(`You have ${MAX_PASSKEYS} passkeys already: remove one before you add another`);
      await tx.delete(SecondFactorEntity, { memberId, type, confirmedAt: IsNull() });
      const id = uuid();
      const row = { organisationId, id, memberId, type, name };
      if (type === "totp") {
        const { secret, url, sealed } = this.totp.make(organisationId, id, member.email);
        await tx.insert(SecondFactorEntity, { ...row, sealed });
        return secretly({ id, type, name, totp: { secret, url }, passkeyOptions: null });
      }
      const passkeyOptions = await this.passkeys.creation({ id: memberId, ...member }, passkeys);
      await tx.insert(SecondFactorEntity, { ...row, challenge: passkeyOptions.challenge });
      return secretly({ id, type, name, totp: null, passkeyOptions });
    });
  }

  /**
   * The second step: the member shows that it works. From then on every sign-in asks for it.
   * @throws NotFoundException: there is nothing of the member's to confirm
   * @throws BadRequestException: the code is wrong, or the passkey does not fit
   */
  async confirm(caller: MemberCaller, id: string, answer: ConfirmSecondFactorDto): Promise<Json<SecondFactorDto>> {
    const { memberId } = caller;
    const unconfirmed = { id, memberId, confirmedAt: IsNull() };
    // Wrong answers count, too, so the try is committed by itself.
    const begun = await this.db.separateTransaction(caller, async (tx) => {
      tx.changesNothingVisible();
      await this.lock(tx, memberId);
      const factor = await tx.findOne(SecondFactorEntity, unconfirmed);
      // A repeat with the same Idempotency-Key may find that the first request confirmed it. It gets the first answer below.
      return factor && this.begin(tx, caller, factor, answer);
    });
    return this.db.transaction(caller, async (tx) => {
      await this.lock(tx, memberId);
      const { type: factor } = await tx.findOrThrow(SecondFactorEntity, unconfirmed);
      if (!begun || !(await begun(tx)))
        throw new BadRequestException("The code is wrong, or the passkey does not fit: try again");
      await this.security.record(tx, { type: "second_factor_added", memberId, detail: { factorId: id, factor } });
      return tx.read(GET_SECOND_FACTOR, { memberId, id });
    });
  }

  /** Counts the code, or uses up the challenge. @returns what confirms the factor if the answer is right */
  private async begin(
    tx: Tx,
    caller: MemberCaller,
    { id, type }: SecondFactorEntity,
    { code, passkey }: ConfirmSecondFactorDto,
  ): Promise<((tx: Tx) => Promise<boolean>) | undefined> {
    const { memberId } = caller;
    if (type === "totp") {
      if (code === undefined) throw new BadRequestException("code must have 6 digits");
      const app = await this.totp.count(tx, caller, { confirmed: false });
      return app && ((confirming) => this.totp.uses(confirming, caller, app, code));
    }
    if (passkey === undefined) throw new BadRequestException("passkey must be an object");
    const [taken] = await tx.query(TAKE_CHALLENGE, { memberId, id });
    const made = taken && (await this.passkeys.created(passkey, taken.challenge));
    if (!made) return undefined;
    return async (confirming) =>
      (await confirming.update(SecondFactorEntity, { id, memberId }, { ...made, confirmedAt: () => "now()" })) === 1;
  }

  /**
   * Makes ten new recovery codes. The older ones no longer work.
   * @throws ConflictException: the member has no second factor that they could stand in for
   */
  makeRecoveryCodes(caller: MemberCaller): Promise<Json<RecoveryCodesDto>> {
    const { memberId, organisationId } = caller;
    return this.db.transaction(caller, async (tx) => {
      await this.lock(tx, memberId);
      const { types } = await this.methods(tx, memberId);
      if (!types.length) throw new ConflictException("Set up a second factor first");
      await tx.delete(RecoveryCodeEntity, { memberId });
      const codes = makeRecoveryCodes();
      for (const code of codes)
        await tx.insert(RecoveryCodeEntity, { organisationId, memberId, hash: hashOfRecoveryCode(code) });
      await this.security.record(tx, { type: "recovery_codes_made", memberId });
      return secretly({ codes });
    });
  }

  /**
   * @throws NotFoundException: it is none of the member's
   * @throws ConflictException: it is the last one, and the tenant requires one
   */
  remove(caller: MemberCaller, id: string): Promise<Json<Ok>> {
    const { memberId } = caller;
    return this.db.transaction(caller, async (tx) => {
      const { required } = await this.lock(tx, memberId);
      const [removed] = await tx.deleteReturning(SecondFactorEntity, { id, memberId }, ["type", "confirmedAt"]);
      if (!removed) throw notFound();
      if (!removed.confirmedAt) return ok();
      const { types } = await this.methods(tx, memberId);
      if (!types.length && required)
        throw new ConflictException("Your tenant requires a second factor: add another one before you remove this one");
      if (!types.length) await tx.delete(RecoveryCodeEntity, { memberId });
      const detail = { factorId: id, factor: removed.type };
      await this.security.record(tx, { type: "second_factor_removed", memberId, detail });
      return ok();
    });
  }

  /** Removes all of a member's, with what depends on them. @returns how many there were */
  async removeAll(tx: Tx, memberId: string): Promise<number> {
    const removed = await tx.deleteReturning(SecondFactorEntity, { memberId }, ["id", "type"]);
    await tx.delete(RecoveryCodeEntity, { memberId });
    await tx.delete(PendingSignInEntity, { memberId });
    for (const { id: factorId, type: factor } of removed)
      await this.security.record(tx, { type: "second_factor_removed", memberId, detail: { factorId, factor } });
    return removed.length;
  }

  /** Whether the member has one that was confirmed. */
  async has(tx: Tx, memberId: string): Promise<boolean> {
    return (await this.methods(tx, memberId)).types.length > 0;
  }

  private async methods(tx: Tx, memberId: string): Promise<Methods> {
    const [methods] = await tx.query(GET_METHODS, { memberId });
    return methods!;
  }

  /** Two requests of one member come one after the other, so that both see what they change. */
  private async lock(tx: Tx, memberId: string): Promise<{ email: string; name: string; required: boolean }> {
    const [member] = await tx.query(LOCK_OWN_MEMBER, { memberId });
    if (!member) throw new UnauthorizedException();
    return member;
  }
}

/** An answer with a secret, which is not stored for retries. */
const secretly = <T>(value: T): Json<T> => new Json<T>(JSON.stringify(value), 201, true);
