import { createECDH, createHash } from "node:crypto";
import { BadRequestException, ConflictException, Injectable, type OnModuleDestroy } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { deviceName } from "../auth/sessions/device.js";
import type { MemberCaller } from "../platform/caller/caller.js";
import { requestOf } from "../platform/caller/request-context.js";
import { Database } from "../platform/database/database.js";
import { rateLease } from "../platform/database/rate-lease.js";
import { type Sealer, Sealers } from "../platform/database/seal.js";
import type { Tx } from "../platform/database/transaction.js";
import { notFound, RetryLater } from "../platform/http/errors.js";
import { Json, type Ok, ok } from "../platform/http/json.js";
import { RateLimiter } from "../platform/http/rate-limit.js";
import { OutboundError } from "../platform/outbound/outbound.client.js";
import { PushSubscriptionEntity } from "./notices.entity.js";
import { PushRefused, PushSender, type PushTarget } from "./push-sender.js";
import type { CreatePushSubscriptionDto, PushKeyDto, PushSubscriptionDto } from "./push.dto.js";
import { COUNT_SUBSCRIPTIONS, GET_SUBSCRIPTION, LIST_SUBSCRIPTIONS, LOCK_MEMBER, SUBSCRIBE } from "./push.queries.js";
import { testNotice } from "./texts.js";

/** What the encryption of a subscription is for. Its row is named by the organisation and the id. */
export const PUSH_SEAL = "push";
const MAX_SUBSCRIPTIONS = 10;
const MAX_TESTS = 5;
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
    sealers: Sealers,
  ) {
    this.sealer = sealers.for(PUSH_SEAL);
    this.tests = new RateLimiter(MAX_TESTS, rateLease(db));
  }

  onModuleDestroy(): void {
    this.tests.stop();
  }

  key(): Json<PushKeyDto> {
    return Json.of<PushKeyDto>({ publicKey: this.sender.vapid.publicKey });
  }

  list(caller: MemberCaller): Promise<Json<PushSubscriptionDto[]>> {
    return this.db.read(caller, LIST_SUBSCRIPTIONS, { memberId: caller.memberId });
  }

  /** @throws BadRequestException (the endpoint, or the keys), ConflictException (too many, or another browser's) */
  async subscribe(
    caller: MemberCaller,
    { endpoint, keys, language = "en" }: CreatePushSubscriptionDto,
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

  /** @throws NotFoundException, RetryLater, ConflictException: it was not taken */
  async test(caller: MemberCaller, id: string): Promise<Json<Ok>> {
    const { memberId, organisationId } = caller;
    const { allowed, resetSeconds } = await this.tests.take(`push ${memberId}`);
    if (!allowed)
      throw new RetryLater(`At most ${MAX_TESTS} a minute: try again in ${resetSeconds} seconds`, resetSeconds);
    const { sealed, language } = await this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      return tx.findOrThrow(PushSubscriptionEntity, { id, memberId });
    });
    try {
      await this.sender.send(this.open(sealed, organisationId, id), testNotice(language), TEST_SECONDS, "high");
    } catch (error) {
      if (!(error instanceof PushRefused)) throw error;
      if (!error.isGone) throw new ConflictException(error.message);
      await this.db.transaction(caller, async (tx) => {
        tx.changesNothingVisible();
        await this.note(tx, id, "gone");
      });
      throw new ConflictException("This browser takes no more notices: allow them there again");
    }
    await this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      await this.note(tx, id, "taken");
    });
    return ok();
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
      throw new BadRequestException("keys.p256dh must be a public key of P-256 in base64url");
    }
  }
}

const hashOf = (...parts: string[]): Buffer => createHash("sha256").update(parts.join(" ")).digest();
