import { createHash } from "node:crypto";
import {
  ConflictException,
  ForbiddenException,
  HttpException,
  Injectable,
  UnauthorizedException,
} from "@nestjs/common";
import { errors, jwtVerify } from "jose";
import { stringify, v7 as uuid } from "uuid";
import { isEmail } from "class-validator";
import { system, type VisitorCaller } from "../../platform/caller/caller.js";
import { beginRequest } from "../../platform/caller/request-context.js";
import { ChannelsService } from "../channels.service.js";
import { Config } from "../../platform/config/config.js";
import { ContactsService } from "../../contacts/contacts.service.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { ARCHIVED, notFound, RetryLater } from "../../platform/http/errors.js";
import { Json } from "../../platform/http/json.js";
import { PublicCors } from "../../platform/http/public-cors.js";
import { clientOf, RateLimiter } from "../../platform/http/rate-limit.js";
import type { Request } from "../../platform/http/request.js";
import { rateLease } from "../../platform/database/rate-lease.js";
import { readPublicKey } from "./public-key.js";
import { type WebchatSessionToken, WebchatSessionTokens } from "./webchat-session-tokens.js";
import type { WebchatSessionDto } from "./webchat.dto.js";
import { ALIVE, FIND, type Found } from "./webchat.queries.js";
import { withDefaults } from "./webchat.settings.js";

/** How long a token serves. */
const TOKEN_SECONDS = 900;
/** For so long a browser that comes back gets the next token for its last one; a signed visitor is to be vouched for anew much sooner. */
const RETURN_SECONDS = 30 * 86_400;
const SIGNED_RETURN_SECONDS = 86_400;
/** After the next token was first used, the one before is taken for so long: another tab may be about to read the new one. */
const GRACE_SECONDS = 60;
/** A signature may be valid for so long at the most: whoever finds an old one shall not become its visitor. */
const LONGEST_IDENTITY_SECONDS = 3_600;
const SESSIONS_A_MINUTE = 60;

const BEARER = /^Bearer ([A-Za-z0-9_-]+)$/i;

/** Who is asking, in which chat. */
export interface Visit {
  caller: VisitorCaller;
  channelId: string;
  workspaceId: string;
  sessionId: string;
  visitorId: string;
  signed: boolean;
  archived: boolean;
  /** The session has a row already: where that is gone, so is the session. */
  kept: boolean;
  /** By how much the token outlives this moment, in seconds. */
  remaining: number;
}
interface Identity {
  externalId: string;
  name: string | null;
  email: string | undefined;
}

/** Sessions of visitors: their tokens, and who they are. */
@Injectable()
export class WebchatSessions {
  /** Of one address; none where requests are not counted at all. */
  private readonly opening: RateLimiter | undefined;

  constructor(
    private readonly db: Database,
    private readonly tokens: WebchatSessionTokens,
    private readonly channels: ChannelsService,
    private readonly contacts: ContactsService,
    private readonly config: Config,
    origins: PublicCors,
  ) {
    // Of any page: which ones may use the chat is seen with what is read for each request anyway, and told to those that may not.
    origins.open("/api/public/webchat/", () => Promise.resolve(true));
    if (config.rateLimitPerMinute > 0) this.opening = new RateLimiter(SESSIONS_A_MINUTE, rateLease(db));
  }

  onModuleDestroy(): void {
    this.opening?.stop();
  }

  /** A new session, the next token of the one that the request is of, or the session of a signed visitor. */
  async open(
    publicKey: string,
    request: Request,
    identity: string | null | undefined,
  ): Promise<Json<WebchatSessionDto>> {
    await limited(this.opening, `webchat sessions ${clientOf(request.ip)}`);
    const { ids, found, token } = await this.find(publicKey, request);
    if (found.archived) throw new ConflictException(ARCHIVED);
    const settings = withDefaults(found.settings);
    const { title, colour, position } = settings;
    const given =
      identity != null
        ? await this.signedSession(ids, found, identity)
        : token
          ? await this.next(token, found)
          : this.fresh(found);
    if (settings.requireIdentity && !given.signed) throw new UnauthorizedException();
    return Json.of({
      sessionToken: this.tokens.mint({ ...ids, ...given }),
      expiresIn: given.expires - found.now,
      started: given.started,
      signed: given.signed,
      title: title ?? found.brand,
      greeting: settings.greeting,
      colour,
      position,
      language: settings.language ?? found.workspaceLanguage,
      maxFileBytes: this.config.attachmentMaxBytes,
    });
  }

  /** @throws UnauthorizedException: the token is none of this chat, has ended, or was replaced */
  async visit(publicKey: string, request: Request): Promise<Visit> {
    const { ids, found, token } = await this.find(publicKey, request);
    if (!token || token.expires <= found.now) throw new UnauthorizedException();
    const { session } = found;
    if (!session && token.number !== 1) throw new UnauthorizedException();
    if (session) await this.assertServes(token, session);
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
        "Webchat.write",
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

  /** A stream is to end with its session: that has a row from now on. */
  async hold(visit: Visit): Promise<void> {
    await this.db.transaction(visit.caller, async (tx) => {
      tx.unseen();
      await this.keep(tx, visit);
    });
  }

  /**
   * Deletes sessions whose last token expired longer ago than `keptFor`, a PostgreSQL interval. It must be at least
   * `RETURN_SECONDS`. @returns how many
   */
  async removeExpired(tx: Tx, keptFor: string, limit: number): Promise<number> {
    tx.unseen();
    return (
      await tx.query(
        `delete from webchat_session where tenant_id = :tenant and id in (
      select id from webchat_session where tenant_id = :tenant and rotated_at < now() - :keptFor::interval - make_interval(secs => :tokenSeconds::int) limit :limit) returning 1`,
        { keptFor, tokenSeconds: TOKEN_SECONDS, limit },
      )
    ).length;
  }

  /** The session has a row from now on. */
  async keep(tx: Tx, { sessionId, channelId, visitorId, kept }: Visit): Promise<void> {
    if (kept) return;
    await tx.query(
      `insert into webchat_session (tenant_id, id, channel_id, visitor_id, confirmed_at) values (:tenant, :sessionId, :channelId, :visitorId, clock_timestamp()) on conflict do nothing`,
      { sessionId, channelId, visitorId },
    );
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
  ): Promise<{ ids: { tenantId: string; channelId: string }; found: Found; token: WebchatSessionToken | undefined }> {
    const ids = readPublicKey(publicKey);
    if (!ids) throw notFound();
    const { headers } = request;
    const token = this.tokenOf(request);
    const found = (
      await this.db.read(system("webchat", ids.tenantId, "live"), FIND, {
        channelId: ids.channelId,
        sessionId: token?.sessionId ?? null,
      })
    ).parse();
    const { allowedOrigins } = withDefaults(found.settings);
    if (headers.origin !== undefined && allowedOrigins.length && !allowedOrigins.includes(headers.origin))
      throw new ForbiddenException();
    if (!found.active) throw new ConflictException("The chat is switched off");
    if (token && (token.tenantId !== ids.tenantId || token.channelId !== ids.channelId))
      throw new UnauthorizedException();
    return { ids, found, token };
  }

  private fresh({ now }: Found, sessionId = uuid()): Given {
    return { sessionId, number: 1, expires: now + TOKEN_SECONDS, started: false, signed: false };
  }

  /** The token is the newest one, or the one before while that may still be on its way. */
  private async assertServes(token: WebchatSessionToken, session: NonNullable<Found["session"]>): Promise<void> {
    if (session.over) throw new UnauthorizedException();
    if (token.number === session.number) {
      if (!session.confirmed) {
        await this.db.transaction(system("webchat", token.tenantId, "live"), async (tx) => {
          tx.unseen();
          await tx.query(
            "update webchat_session set confirmed_at = clock_timestamp() where tenant_id = :tenant and id = :sessionId and number = :number and confirmed_at is null",
            token,
          );
        });
      }
    } else if (token.number !== session.number - 1 || session.rotatedSecondsAgo > GRACE_SECONDS)
      throw new UnauthorizedException();
  }

  /**
   * One statement decides. The newest token gives the next one. The one before gives the newest again as long as that was not
   * used, or hardly: an answer was lost, or two tabs came at once. Any older one was copied: the session ends.
   */
  private async next(token: WebchatSessionToken, found: Found): Promise<Given> {
    if (token.expires + RETURN_SECONDS - TOKEN_SECONDS <= found.now) throw new UnauthorizedException();
    if (!found.session) {
      if (token.number !== 1) throw new UnauthorizedException();
      return this.fresh(found, token.sessionId);
    }
    const caller = system("webchat.rotate", token.tenantId, found.environment);
    const [row] = await this.db.transaction(caller, async (tx) => {
      const rows = await tx.query<{
        number: number;
        ended: boolean;
        expires: string;
        signed: boolean;
        started: boolean;
      }>(
        `update webchat_session s set
          number = case when s.number = :number then s.number + 1 else s.number end,
          rotated_at = case when s.number = :number or (s.number = :number + 1 and s.confirmed_at is null) then clock_timestamp() else s.rotated_at end,
          confirmed_at = case when s.number = :number then null else s.confirmed_at end,
          ended_at = case when s.number = :number or (s.number = :number + 1 and (s.confirmed_at is null or s.confirmed_at > clock_timestamp() - make_interval(secs => :grace::int))) then null else clock_timestamp() end
        where s.tenant_id = :tenant and s.id = :sessionId and ${ALIVE} and s.number >= :number and s.rotated_at > clock_timestamp() - make_interval(secs => :kept::int)
          and (not s.signed or s.created_at > clock_timestamp() - make_interval(secs => :signedKept::int))
        returning s.number, s.ended_at is not null as ended, s.signed, s.contact_id is not null as started, floor(extract(epoch from s.rotated_at) + :serves::int)::text as expires`,
        {
          ...token,
          grace: GRACE_SECONDS,
          kept: RETURN_SECONDS,
          signedKept: SIGNED_RETURN_SECONDS,
          serves: TOKEN_SECONDS,
        },
      );
      // The streams of a session that ends are to hear of it.
      if (rows[0]?.ended) tx.within(found.workspaceId);
      else tx.unseen();
      return rows;
    });
    if (!row || row.ended) throw new UnauthorizedException();
    return {
      sessionId: token.sessionId,
      number: row.number,
      expires: Number(row.expires),
      signed: row.signed,
      started: row.started,
    };
  }

  private async signedSession(
    { tenantId, channelId }: { tenantId: string; channelId: string },
    found: Found,
    jwt: string,
  ): Promise<Given> {
    const sessionId = uuid();
    const visitor: VisitorCaller = beginRequest(
      {
        kind: "visitor",
        visitorId: sessionId,
        tenantId,
        environment: found.environment,
        reach: reachOf(found, true),
      },
      "Webchat.open",
    );
    const started = await this.db.transaction(visitor, async (tx) => {
      tx.within(found.workspaceId);
      const { credentials } = (await this.channels.open(tx, channelId)).channel;
      const { externalId, name, email } = await verified(
        jwt,
        (credentials as { identitySecret: string } | null)?.identitySecret,
      );
      const visitorId = visitorOf(channelId, externalId);
      const { id: contactId } = await this.contacts.findOrAdd(tx, { externalId, name, emails: email ? [email] : [] });
      await tx.query(
        "insert into webchat_session (tenant_id, id, channel_id, visitor_id, contact_id, signed, confirmed_at) values (:tenant, :sessionId, :channelId, :visitorId, :contactId, true, clock_timestamp())",
        { sessionId, channelId, visitorId, contactId },
      );
      const [thread] = await tx.query(
        "select from webchat_thread where tenant_id = :tenant and visitor_id = :visitorId limit 1",
        { visitorId },
      );
      return thread !== undefined;
    });
    return { sessionId, number: 1, expires: found.now + TOKEN_SECONDS, signed: true, started };
  }
}

type Given = Pick<WebchatSessionToken, "sessionId" | "number" | "expires"> & { signed: boolean; started: boolean };

/** A signed visitor may be a contact that has not been in the workspace yet. Both reach no conversation but through their thread. */
const reachOf = ({ workspaceId }: Found, signed: boolean): VisitorCaller["reach"] =>
  signed ? { level: "tenant" } : { level: "workspaces", workspaceIds: [workspaceId] };

/** The same on all of the visitor's devices, and nobody else's. */
const visitorOf = (channelId: string, externalId: string): string =>
  stringify(
    createHash("sha256")
      .update(`${channelId} ${externalId}`)
      .digest()
      .subarray(0, 16)
      .map((byte, at) => (at === 6 ? (byte & 0x0f) | 0x80 : at === 8 ? (byte & 0x3f) | 0x80 : byte)),
  );

/** @throws UnauthorizedException for whatever is wrong with it: which, is not told */
async function verified(jwt: string, secret: string | undefined): Promise<Identity> {
  if (secret === undefined) throw new UnauthorizedException();
  try {
    const {
      payload: { sub, exp, iat, name, email },
    } = await jwtVerify(jwt, new TextEncoder().encode(secret), {
      algorithms: ["HS256"],
      requiredClaims: ["sub", "exp"],
      clockTolerance: 5,
    });
    const now = Date.now() / 1_000;
    const text = (value: unknown, most: number): value is string =>
      typeof value === "string" &&
      value.trim().length > 0 &&
      value.length <= most &&
      !value.includes("\0") &&
      value.isWellFormed();
    if (!text(sub, 255) || exp! > now + LONGEST_IDENTITY_SECONDS || (iat !== undefined && iat > now + 60))
      throw new UnauthorizedException();
    if ((name !== undefined && !text(name, 200)) || (email !== undefined && !isEmail(email)))
      throw new UnauthorizedException();
    return { externalId: sub, name: name ?? null, email: (email as string | undefined)?.toLowerCase() };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof HttpException) throw new UnauthorizedException();
    throw error;
  }
}

/** @throws RetryLater */
export async function limited(limiter: RateLimiter | undefined, who: string): Promise<void> {
  if (!limiter) return;
  const { allowed, resetSeconds } = await limiter.take(who);
  if (!allowed)
    throw new RetryLater(
      `Too many requests: at most ${limiter.limit} a minute. Try again in ${resetSeconds} seconds`,
      resetSeconds,
    );
}
