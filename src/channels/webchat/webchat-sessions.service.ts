import { ConflictException, ForbiddenException, Injectable, UnauthorizedException } from "@nestjs/common";
import { IsNull } from "typeorm";
import { v7 as uuid } from "uuid";
import { system, type VisitorCaller } from "../../platform/caller/caller.js";
import { beginRequest } from "../../platform/caller/request-context.js";
import { ChannelsService } from "../channels.service.js";
import { Config } from "../../platform/config/config.js";
import { ContactsService } from "../../contacts/contacts.service.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { coded } from "../../platform/http/error-codes.js";
import { ARCHIVED, notFound, RetryLater } from "../../platform/http/errors.js";
import { Json } from "../../platform/http/json.js";
import { PublicCors, REFUSED_ORIGIN } from "../../platform/http/public-cors.js";
import { clientOf, RateLimiter, WINDOW_SECONDS } from "../../platform/http/rate-limit.js";
import type { Request } from "../../platform/http/request.js";
import { rateLease } from "../../platform/database/rate-lease.js";
import { readPublicKey } from "./public-key.js";
import { verifyIdentity, visitorIdOf } from "./visitor-identity.js";
import { type WebchatSessionToken, WebchatSessionTokens } from "./webchat-session-tokens.js";
import { WebchatSessionEntity, WebchatThreadEntity } from "./webchat-session.entity.js";
import type { WebchatSessionDto } from "./webchat.dto.js";
import { DELETE_EXPIRED_SESSIONS, FIND_CHAT, type FoundChat, ROTATE } from "./webchat.queries.js";
import { type WebchatCredentials, withDefaults } from "./webchat.settings.js";

/** How long a token is valid. */
const TOKEN_SECONDS = 900;
/** How long a browser gets the next token for its last one. A signed visitor needs a new signature much sooner. */
const RETURN_SECONDS = 30 * 86_400;
const SIGNED_RETURN_SECONDS = 86_400;
/** How long a token is accepted after the next one was first used: another tab may not have read the new one yet. */
const GRACE_SECONDS = 60;
const SESSIONS_A_MINUTE = 60;

const BEARER = /^Bearer ([A-Za-z0-9_-]+)$/i;

/** A visitor in a chat. */
export interface Visit {
  caller: VisitorCaller;
  channelId: string;
  workspaceId: string;
  sessionId: string;
  visitorId: string;
  signed: boolean;
  archived: boolean;
  /** The session has a row. */
  kept: boolean;
  /** Seconds until the token expires. */
  remaining: number;
}
/** Sessions of visitors: their tokens, and who the visitors are. */
@Injectable()
export class WebchatSessionsService {
  /** By client address. Undefined if the server limits no requests. */
  private readonly opening: RateLimiter | undefined;

  constructor(
    private readonly db: Database,
    private readonly tokens: WebchatSessionTokens,
    private readonly channels: ChannelsService,
    private readonly contacts: ContactsService,
    private readonly config: Config,
    origins: PublicCors,
  ) {
    // CORS lets every page read the answer. `find` checks the origin against `allowedOrigins`, with the chat that it reads anyway.
    origins.open("/api/public/webchat/", () => Promise.resolve(true));
    if (config.rateLimitPerMinute > 0) this.opening = new RateLimiter(SESSIONS_A_MINUTE, rateLease(db));
  }

  onModuleDestroy(): void {
    this.opening?.stop();
  }

  /** Opens a new session, continues the one whose token the request has, or opens the session of a signed visitor. */
  async open(
    publicKey: string,
    request: Request,
    identity: string | null | undefined,
  ): Promise<Json<WebchatSessionDto>> {
    await assertWithinLimit(this.opening, `webchat sessions ${clientOf(request.ip)}`);
    const { ids, found, token } = await this.find(publicKey, request);
    if (found.archived) throw new ConflictException(ARCHIVED);
    const settings = withDefaults(found.settings);
    const { title, colour, position } = settings;
    const session =
      identity != null
        ? await this.signedSession(ids, found, identity)
        : token
          ? await this.next(token, found)
          : this.fresh(found);
    if (settings.requireIdentity && !session.signed) throw new UnauthorizedException();
    return Json.of({
      sessionToken: this.tokens.mint({ ...ids, ...session }),
      expiresIn: session.expires - found.now,
      started: session.started,
      signed: session.signed,
      title: title ?? found.brand,
      logoUrl: found.logoUrl,
      greeting: settings.greeting,
      colour,
      position,
      language: settings.language ?? found.workspaceLanguage,
      maxFileBytes: this.config.attachmentMaxBytes,
    });
  }

  /** @throws UnauthorizedException: the token is for another chat, has expired, or was replaced */
  async visit(publicKey: string, request: Request): Promise<Visit> {
    const { ids, found, token } = await this.find(publicKey, request);
    if (!token || token.expires <= found.now) throw new UnauthorizedException();
    const { session } = found;
    if (!session && token.number !== 1) throw new UnauthorizedException();
    if (session) await this.assertCurrent(token, session);
    if (withDefaults(found.settings).requireIdentity && !session?.signed) throw new UnauthorizedException();
    const visitorId = session?.visitorId ?? token.sessionId;
    return {
      caller: beginRequest(
        {
          kind: "visitor",
          visitorId,
          tenantId: ids.tenantId,
          environment: found.environment,
          reach: reachOf(found, session?.signed ?? false),
        },
        "webchat.sendMessage",
      ),
      channelId: ids.channelId,
      workspaceId: found.workspaceId,
      sessionId: token.sessionId,
      visitorId,
      signed: session?.signed ?? false,
      kept: session !== null,
      archived: found.archived,
      remaining: token.expires - found.now,
    };
  }

  /** Stores the session, so that a stream can end with it. */
  async hold(visit: Visit): Promise<void> {
    await this.db.transaction(visit.caller, async (tx) => {
      tx.changesNothingVisible();
      await this.keep(tx, visit);
    });
  }

  /**
   * Deletes sessions whose last token expired longer ago than `keptFor`, a PostgreSQL interval. It must be at least
   * `RETURN_SECONDS`.
   * @returns how many
   */
  async removeExpired(tx: Tx, keptFor: string, limit: number): Promise<number> {
    tx.changesNothingVisible();
    return (await tx.query(DELETE_EXPIRED_SESSIONS, { keptFor, tokenSeconds: TOKEN_SECONDS, limit })).length;
  }

  /** Stores the session, unless that was done before. */
  async keep(tx: Tx, { sessionId, channelId, visitorId, kept }: Visit): Promise<void> {
    if (kept) return;
    await tx.insertOrIgnore(WebchatSessionEntity, {
      id: sessionId,
      channelId,
      visitorId,
      confirmedAt: () => "clock_timestamp()",
    });
  }

  private tokenOf({ headers }: Request): WebchatSessionToken | undefined {
    if (headers.authorization === undefined) return undefined;
    const token = this.tokens.open(BEARER.exec(headers.authorization)?.[1] ?? "");
    if (!token) throw new UnauthorizedException();
    return token;
  }

  /** @throws NotFoundException (no such chat), ForbiddenException (from another page), UnauthorizedException (a token of another chat) */
  private async find(
    publicKey: string,
    request: Request,
  ): Promise<{
    ids: { tenantId: string; channelId: string };
    found: FoundChat;
    token: WebchatSessionToken | undefined;
  }> {
    const ids = readPublicKey(publicKey);
    if (!ids) throw notFound();
    const { headers } = request;
    const token = this.tokenOf(request);
    const found = (
      await this.db.read(system("webchat", ids.tenantId, "live"), FIND_CHAT, {
        channelId: ids.channelId,
        sessionId: token?.sessionId ?? null,
      })
    ).parse();
    const { allowedOrigins } = withDefaults(found.settings);
    if (headers.origin !== undefined && allowedOrigins.length && !allowedOrigins.includes(headers.origin))
      throw coded(new ForbiddenException(), REFUSED_ORIGIN.errorCode, REFUSED_ORIGIN.detail);
    if (!found.active) throw new ConflictException("The chat is switched off");
    if (token && (token.tenantId !== ids.tenantId || token.channelId !== ids.channelId))
      throw new UnauthorizedException();
    return { ids, found, token };
  }

  private fresh({ now }: FoundChat, sessionId = uuid()): OpenedSession {
    return { sessionId, number: 1, expires: now + TOKEN_SECONDS, started: false, signed: false };
  }

  /** The token must be the newest one, or the one before it within the grace period. */
  private async assertCurrent(token: WebchatSessionToken, session: NonNullable<FoundChat["session"]>): Promise<void> {
    if (session.over) throw new UnauthorizedException();
    if (token.number === session.number) {
      if (!session.confirmed) {
        await this.db.transaction(system("webchat", token.tenantId, "live"), async (tx) => {
          tx.changesNothingVisible();
          await tx.update(
            WebchatSessionEntity,
            { id: token.sessionId, number: token.number, confirmedAt: IsNull() },
            { confirmedAt: () => "clock_timestamp()" },
          );
        });
      }
    } else if (token.number !== session.number - 1 || session.rotatedSecondsAgo > GRACE_SECONDS)
      throw new UnauthorizedException();
  }

  /** The next token of a session. See `ROTATE`. */
  private async next(token: WebchatSessionToken, found: FoundChat): Promise<OpenedSession> {
    if (token.expires + RETURN_SECONDS - TOKEN_SECONDS <= found.now) throw new UnauthorizedException();
    if (!found.session) {
      if (token.number !== 1) throw new UnauthorizedException();
      return this.fresh(found, token.sessionId);
    }
    const caller = system("webchat.rotate", token.tenantId, found.environment);
    const [rotation] = await this.db.transaction(caller, async (tx) => {
      const rotations = await tx.query(ROTATE, {
        sessionId: token.sessionId,
        number: token.number,
        graceSeconds: GRACE_SECONDS,
        returnSeconds: RETURN_SECONDS,
        signedReturnSeconds: SIGNED_RETURN_SECONDS,
        tokenSeconds: TOKEN_SECONDS,
      });
      // The streams of a session that ends must learn of it.
      if (rotations[0]?.ended) tx.changesWorkspace(found.workspaceId);
      else tx.changesNothingVisible();
      return rotations;
    });
    if (!rotation || rotation.ended) throw new UnauthorizedException();
    const { number, expires, signed, started } = rotation;
    return { sessionId: token.sessionId, number, expires: Number(expires), signed, started };
  }

  private async signedSession(
    { tenantId, channelId }: { tenantId: string; channelId: string },
    found: FoundChat,
    jwt: string,
  ): Promise<OpenedSession> {
    const sessionId = uuid();
    const visitor: VisitorCaller = beginRequest(
      {
        kind: "visitor",
        visitorId: sessionId,
        tenantId,
        environment: found.environment,
        reach: reachOf(found, true),
      },
      "webchat.openSession",
    );
    const started = await this.db.transaction(visitor, async (tx) => {
      tx.changesWorkspace(found.workspaceId);
      const { credentials } = (await this.channels.open(tx, channelId)).channel;
      const secret = (credentials as WebchatCredentials | null)?.identitySecret;
      const { externalId, name, email } = await verifyIdentity(jwt, secret);
      const visitorId = visitorIdOf(channelId, externalId);
      const { id: contactId } = await this.contacts.identified(
        tx,
        { externalId, name, emails: email ? [email] : [] },
        found.workspaceId,
      );
      await tx.insert(WebchatSessionEntity, {
        id: sessionId,
        channelId,
        visitorId,
        contactId,
        signed: true,
        confirmedAt: () => "clock_timestamp()",
      });
      return (await tx.findOne(WebchatThreadEntity, { visitorId })) !== null;
    });
    return { sessionId, number: 1, expires: found.now + TOKEN_SECONDS, signed: true, started };
  }
}

type OpenedSession = Pick<WebchatSessionToken, "sessionId" | "number" | "expires"> & {
  signed: boolean;
  started: boolean;
};

/** A signed visitor may be a contact that is new to the workspace. Either reaches conversations only through their thread. */
const reachOf = ({ workspaceId }: FoundChat, signed: boolean): VisitorCaller["reach"] =>
  signed ? { level: "tenant" } : { level: "workspaces", workspaceIds: [workspaceId] };

/** Counts a request. @throws RetryLater: there were too many */
export async function assertWithinLimit(limiter: RateLimiter | undefined, key: string): Promise<void> {
  if (!limiter) return;
  const { allowed, resetSeconds } = await limiter.take(key);
  if (!allowed)
    throw new RetryLater(
      `Too many requests: at most ${limiter.limit} ${limiter.seconds > WINDOW_SECONDS ? "an hour" : "a minute"}. Try again in ${resetSeconds} seconds`,
      resetSeconds,
    );
}
