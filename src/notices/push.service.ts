import { createECDH, createHash } from "node:crypto";
import { BadRequestException, ConflictException, Injectable, type OnModuleDestroy } from "@nestjs/common";
import { IsNull } from "typeorm";
import { v7 as uuid } from "uuid";
import { deviceName } from "../auth/sessions/device.js";
import { SessionsEnded } from "../auth/sessions/session-ending.js";
import type { MemberCaller } from "../platform/caller/caller.js";
import { requestOf } from "../platform/caller/request-context.js";
import { Database } from "../platform/database/database.js";
import { rateLease } from "../platform/database/rate-lease.js";
import { type Sealer, Sealers } from "../platform/database/seal.js";
import type { Tx } from "../platform/database/transaction.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import { notFound, RetryLater } from "../platform/http/errors.js";
import { Json, type Ok, ok } from "../platform/http/json.js";
import { RateLimiter } from "../platform/http/rate-limit.js";
import { OutboundError } from "../platform/outbound/outbound.client.js";
import { PushSubscriptionEntity } from "./notices.entity.js";
import { PushRefused, PushSender, type PushTarget } from "./push-sender.js";
import type { CreatePushSubscriptionDto, PushDto, PushSubscriptionDto, PushTestedDto } from "./push.dto.js";
import { COUNT_SUBSCRIPTIONS, GET_SUBSCRIPTION, LIST_SUBSCRIPTIONS, LOCK_MEMBER, SUBSCRIBE } from "./push.queries.js";
import { testNotice } from "./texts.js";

/** What the encryption of a subscription is for. Its row is named by the organisation and the id. */
export const PUSH_SEAL = "push";
const MAX_SUBSCRIPTIONS = 10;
const MAX_TESTS = 10;
/** Whoever asks for it looks at the screen. */
const TEST_SECONDS = 60;

/** The browsers of a member that show notices. */
@Injectable()
export class PushService implements OnModuleDestroy {
  private readonly sealer: Sealer;
  private readonly tests: RateLimiter;

  constructor(
    private readonly db: Database,
    private readonly sender: PushSender,
    events: DomainEvents,
    sealers: Sealers,
  ) {
    this.sealer = sealers.for(PUSH_SEAL);
    this.tests = new RateLimiter(MAX_TESTS, rateLease(db));
    events.handle(SessionsEnded, async (tx, { memberId }) => {
      await tx.delete(PushSubscriptionEntity, { memberId, sessionId: IsNull() });
    });
  }

  onModuleDestroy(): void {
    this.tests.stop();
  }

  async list(caller: MemberCaller): Promise<Json<PushDto>> {
    const subscriptions = (await this.db.read(caller, LIST_SUBSCRIPTIONS, { memberId: caller.memberId })).parse();
    return Json.of<PushDto>({ publicKey: this.sender.vapid.publicKey, subscriptions });
  }

  /** @throws BadRequestException (the endpoint, or the keys), ConflictException (too many, or another browser's) */
  async subscribe(
    caller: MemberCaller,
    { endpoint, language = "en", ...keys }: CreatePushSubscriptionDto,
  ): Promise<Json<PushSubscriptionDto>> {
    this.assertUsable(endpoint, keys);
    const { memberId, sessionId = null, organisationId } = caller;
    const id = uuid();
    const target: PushTarget = { endpoint, keys };
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      await tx.query(LOCK_MEMBER, { memberId });
      const [subscribed] = await tx.query(SUBSCRIBE, {
        id,
        memberId,
        sessionId,
        device: deviceName(requestOf(caller)?.sender?.userAgent ?? null),
        language,
        endpointHash: hashOf(endpoint),
        keysHash: hashOf(endpoint, keys.p256dh, keys.auth),
        sealed: this.sealer.seal(target, organisationId + id),
        max: MAX_SUBSCRIPTIONS,
      });
      if (subscribed) return (await tx.read(GET_SUBSCRIPTION, { id, memberId })).created();
      const [{ count } = { count: 0 }] = await tx.query(COUNT_SUBSCRIPTIONS, { memberId });
      throw new ConflictException(
        count >= MAX_SUBSCRIPTIONS
          ? `There are ${MAX_SUBSCRIPTIONS} browsers already: remove one of them first`
          : "Another browser has this endpoint",
      );
    });
  }

  /** @throws NotFoundException */
  unsubscribe(caller: MemberCaller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      if (!(await tx.delete(PushSubscriptionEntity, { id, memberId: caller.memberId }))) throw notFound();
      return ok();
    });
  }

  /**
   * Calls the push service between two transactions, so that no connection to the database waits for it.
   * @throws NotFoundException, RetryLater
   */
  async test(caller: MemberCaller, id: string): Promise<Json<PushTestedDto>> {
    const { memberId, organisationId } = caller;
    const { sealed, language } = await this.db.separateTransaction(caller, async (tx) => {
      tx.changesNothingVisible();
      return tx.findOrThrow(PushSubscriptionEntity, { id, memberId });
    });
    const { allowed, resetSeconds } = await this.tests.take(`push ${memberId}`);
    if (!allowed)
      throw new RetryLater(`At most ${MAX_TESTS} a minute: try again in ${resetSeconds} seconds`, resetSeconds);
    const refused = await this.sender
      .send(this.open(sealed, organisationId, id), testNotice(language), TEST_SECONDS, "high")
      .catch((error: unknown) => {
        if (error instanceof PushRefused) return error;
        throw error;
      });
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      if (!refused) await this.note(tx, id, "taken");
      else if (refused.isGone) await this.note(tx, id, "gone");
      const error = refused?.isGone ? "This browser takes no more notices: allow them there again" : refused?.message;
      return Json.of<PushTestedDto>({ error: error ?? null });
    });
  }

  open(sealed: Buffer, organisationId: string, id: string): PushTarget {
    return this.sealer.open<PushTarget>(sealed, organisationId + id);
  }

  /** The browser's push service said something: that it took a notice, or that it takes no more. */
  async note(tx: Tx, id: string, outcome: "taken" | "gone"): Promise<void> {
    if (outcome === "gone") await tx.delete(PushSubscriptionEntity, { id });
    else await tx.update(PushSubscriptionEntity, { id }, { lastSuccessAt: () => "now()" });
  }

  /** @throws BadRequestException */
  private assertUsable(endpoint: string, { p256dh }: PushTarget["keys"]): void {
    try {
      this.sender.check(endpoint);
    } catch (error) {
      if (error instanceof OutboundError) throw new BadRequestException(`endpoint: ${error.message}`);
      throw error;
    }
    try {
      const ecdh = createECDH("prime256v1");
      ecdh.generateKeys();
      ecdh.computeSecret(p256dh, "base64url");
    } catch {
      throw new BadRequestException("p256dh must be a public key of P-256 in base64url");
    }
  }
}

const hashOf = (...parts: string[]): Buffer => createHash("sha256").update(parts.join(" ")).digest();
