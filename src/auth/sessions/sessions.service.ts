import { hash } from "node:crypto";
import { Injectable, UnauthorizedException } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { Environment, MemberCaller } from "../../platform/caller/caller.js";
import { system } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { one } from "../../platform/database/statement.js";
import type { Tx } from "../../platform/database/transaction.js";
import { RetryLater } from "../../platform/http/errors.js";
import { Json } from "../../platform/http/json.js";
import { ADMITTED, GET_MEMBER } from "../members/members.service.js";
import type { LoginDto, SessionDto } from "./sessions.dto.js";
import { verifyPassword } from "./password.js";
import { ACCESS_SECONDS, mintOpaqueToken, readOpaqueToken, SessionTokens } from "./session-tokens.js";

/** Days without use after which a session ends. */
export const SESSION_DAYS = 14;
const MOST_FAILURES = 10;
/** Two tabs may refresh at once; the one that comes second with the token just replaced is not a thief. */
const ROTATION_GRACE_SECONDS = 10;

const PASSWORD = one<{ hash: string | null }, { organisationId: string; memberId: string }>(
  "members.password",
  { none: "a sign-in has no reach yet" },
  `select (select m.password_hash from member m where m.organisation_id = :organisationId and m.id = :memberId and ${ADMITTED}) as hash, :tenant::uuid as tenant`,
);

export interface SignedIn {
  session: Json<SessionDto>;
  refreshToken: string;
}

@Injectable()
export class SessionsService {
  constructor(
    private readonly db: Database,
    private readonly tokens: SessionTokens,
  ) {}

  /** @throws UnauthorizedException (unknown or wrong, at the same pace), RetryLater (ten failures in 15 minutes) */
  async login({ email, password, environment = "live" }: LoginDto): Promise<SignedIn> {
    const subject = hash("sha256", email);
    await this.countAttempt(subject);
    const [known] = await this.db.global<{ organisationId: string; memberId: string; tenantId: string }>(
      `select e.organisation_id as "organisationId", e.member_id as "memberId", t.id as "tenantId"
       from member_email e join tenant t on t.organisation_id = e.organisation_id and t.environment = $2 where e.email = $1`,
      [email, environment],
    );
    const caller = known && system("login", known.tenantId, environment);
    const stored = caller && (await this.db.read(caller, PASSWORD, known)).parse();
    if (!(await verifyPassword(stored?.hash, password)) || !caller) throw new UnauthorizedException();
    await this.db.global("delete from login_attempt where subject = $1", [subject]);
    return this.db.transaction(caller, async (tx) => {
      const sessionId = uuid();
      const { token, hash } = mintOpaqueToken(known.organisationId, sessionId);
      await tx.query(
        `insert into member_session (organisation_id, id, member_id, environment, refresh_hash, expires_at)
        values (:organisationId, :sessionId, :memberId, :environment, :hash, now() + make_interval(days => :days))`,
        { ...known, sessionId, environment, hash, days: SESSION_DAYS },
      );
      return { session: await this.open(tx, { ...known, environment, sessionId }), refreshToken: token };
    });
  }

  /** Counted before the password is looked at: however many guesses come at once, ten are evaluated. */
  private async countAttempt(subject: string): Promise<void> {
    const [row] = await this.db.global<{ attempts: number; wait: number }>(
      `insert into login_attempt as a (subject, attempts, started_at) values ($1, 1, now())
      on conflict (subject) do update set
        attempts = case when a.started_at < now() - interval '15 minutes' then 1 else a.attempts + 1 end,
        started_at = case when a.started_at < now() - interval '15 minutes' then now() else a.started_at end
      returning attempts, ceil(extract(epoch from started_at + interval '15 minutes' - now()))::int as wait`,
      [subject],
    );
    if (row!.attempts > MOST_FAILURES)
      throw new RetryLater("Too many failed sign-ins for this email; wait before the next", Math.max(row!.wait, 1));
  }

  /** A new access token, and a new refresh token in place of the one given. */
  async refresh(presented: string | undefined): Promise<SignedIn> {
    const secret = presented === undefined ? null : readOpaqueToken(presented);
    if (!secret) throw new UnauthorizedException();
    const next = mintOpaqueToken(secret.organisationId, secret.id);
    const signedIn = await this.db.transaction(system("refresh", secret.organisationId, "live"), async (tx) => {
      const [session] = await tx.query<{ memberId: string; environment: Environment; tenantId: string }>(
        `update member_session s set refresh_hash = :next, rotated_at = now(), expires_at = now() + make_interval(days => :days)
         from tenant t, member m
         where s.organisation_id = :organisationId and s.id = :id and s.refresh_hash = :hash and s.ended_at is null and s.expires_at > now()
           and t.organisation_id = s.organisation_id and t.environment = s.environment
           and m.organisation_id = s.organisation_id and m.id = s.member_id and ${ADMITTED}
         returning s.member_id as "memberId", s.environment, t.id as "tenantId"`,
        { ...secret, next: next.hash, days: SESSION_DAYS },
      );
      if (session) return { ...session, organisationId: secret.organisationId, sessionId: secret.id };
      // An older token: stolen, or the owner's own after a theft. Either way the session is over.
      await tx.query(
        `update member_session set ended_at = now() where organisation_id = :organisationId and id = :id and ended_at is null
        and refresh_hash <> :hash and rotated_at < now() - make_interval(secs => :grace)`,
        { ...secret, grace: ROTATION_GRACE_SECONDS },
      );
      return null;
    });
    if (!signedIn) throw new UnauthorizedException();
    const session = await this.db.transaction(system("refresh", signedIn.tenantId, signedIn.environment), (tx) =>
      this.open(tx, signedIn),
    );
    return { session, refreshToken: next.token };
  }

  private async open(
    tx: Tx,
    who: { memberId: string; organisationId: string; tenantId: string; environment: Environment; sessionId: string },
  ): Promise<Json<SessionDto>> {
    await tx.query(
      "update member set last_seen_at = now() where organisation_id = :organisationId and id = :memberId",
      who,
    );
    const member = await tx.read(GET_MEMBER, { id: who.memberId });
    return new Json(
      `{"accessToken":"${await this.tokens.sign(who)}","expiresIn":${ACCESS_SECONDS},"member":${member.text}}`,
    );
  }

  /** Ends the session: its access token is refused on every process within a second. Whoever signs out is away from the desk. */
  async logout(caller: MemberCaller): Promise<void> {
    const { organisationId, sessionId, memberId } = caller;
    await this.db.transaction(caller, async (tx) => {
      await tx.query(
        "update member_session set ended_at = now() where organisation_id = :organisationId and id = :sessionId and ended_at is null",
        { organisationId, sessionId },
      );
      await tx.query(
        `update member set presence = 'offline' where organisation_id = :organisationId and id = :memberId`,
        { organisationId, memberId },
      );
    });
  }
}
