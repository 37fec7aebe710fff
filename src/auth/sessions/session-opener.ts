import { Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { Environment } from "../../platform/caller/caller.js";
import type { Sender } from "../../platform/caller/request-context.js";
import { ADMINS } from "../../platform/caller/scope.js";
import { Config } from "../../platform/config/config.js";
import type { Tx } from "../../platform/database/transaction.js";
import { Json } from "../../platform/http/json.js";
import { MemberEntity, MemberSessionEntity } from "../members/member.entity.js";
import { GET_MEMBER } from "../members/members.queries.js";
import { SecurityLogService } from "../security-log/security-log.service.js";
import { deviceName } from "./device.js";
import { NewDevices, networkOf } from "./new-devices.js";
import { RefreshTokens } from "./refresh-tokens.js";
import { ACCESS_SECONDS, type AccessClaims, SessionTokens } from "./session-tokens.js";
import type { SessionDto } from "./sessions.dto.js";
import { type LongestHours, SESSION_DAYS } from "./sessions.queries.js";

export interface SignedIn {
  session: Json<SessionDto>;
  environment: Environment;
  refreshToken: string;
}

/** Starts sessions, and gives the tokens of those that go on. */
@Injectable()
export class SessionOpener {
  readonly longestHours: LongestHours;

  constructor(
    { SESSION_MAX_HOURS, SESSION_MAX_HOURS_ADMINS }: Config,
    private readonly tokens: SessionTokens,
    private readonly refreshTokens: RefreshTokens,
    private readonly security: SecurityLogService,
    private readonly newDevices: NewDevices,
  ) {
    this.longestHours = { ofAdmins: SESSION_MAX_HOURS_ADMINS, ofOthers: SESSION_MAX_HOURS };
  }

  /**
   * Starts a session. The member has just proved who they are: to us, or to the external provider, which says when.
   * @param external `signedInAt`: milliseconds since 1970
   */
  async start(
    tx: Tx,
    member: Omit<AccessClaims, "sessionId" | "number">,
    { address, userAgent }: Sender,
    external?: { signedInAt: number },
  ): Promise<SignedIn> {
    const { organisationId, memberId, environment } = member;
    const sessionId = uuid();
    const device = deviceName(userAgent);
    const network = networkOf(address);
    await this.newDevices.check(tx, { ...member, sessionId, device, address, network });
    const { role } = await tx.findOrThrow(MemberEntity, { id: memberId });
    const { ofAdmins, ofOthers } = this.longestHours;
    const hours = Math.min(SESSION_DAYS * 24, ADMINS.includes(role) ? ofAdmins : ofOthers);
    await tx.insert(MemberSessionEntity, {
      organisationId,
      id: sessionId,
      memberId,
      environment,
      device,
      address,
      network,
      ...(external && { external: true, authenticatedAt: timeOf(external.signedInAt) }),
      expiresAt: () => `now() + interval '${hours} hours'`,
    });
    await this.security.record(tx, {
      type: "signed_in",
      memberId,
      actorId: memberId,
      detail: { sessionId, ...(external && { external: true }) },
    });
    return this.tokensFor(tx, { ...member, sessionId, number: 1 });
  }

  /** The tokens with this number: equal numbers give equal refresh tokens. */
  async tokensFor(tx: Tx, claims: AccessClaims): Promise<SignedIn> {
    await tx.update(MemberEntity, { id: claims.memberId }, { lastSeenAt: () => "now()" });
    const member = await tx.read(GET_MEMBER, { id: claims.memberId });
    const session = new Json<SessionDto>(
      `{"accessToken":"${await this.tokens.sign(claims)}","expiresIn":${ACCESS_SECONDS},"member":${member.text}}`,
    );
    return { session, environment: claims.environment, refreshToken: this.refreshTokens.mint(claims) };
  }
}

/** The provider's clock may be ahead of ours, and what it says may be no time. */
const timeOf = (signedInAt: number): Date => new Date(Math.max(0, Math.min(signedInAt, Date.now())));
