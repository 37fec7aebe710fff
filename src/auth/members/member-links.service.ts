import { Injectable } from "@nestjs/common";
import { IsNull, Raw } from "typeorm";
import { v7 as uuid } from "uuid";
import type { Tx } from "../../platform/database/transaction.js";
import { mintOpaqueToken, type OpaqueToken } from "../sessions/session-tokens.js";
import { type LinkPurpose, MemberLinkEntity } from "./member.entity.js";

const MINUTES: Record<LinkPurpose, number> = { email_proof: 24 * 60, password_reset: 30 };
/** More mails to one member in an hour would be a nuisance that anybody can cause. */
const MAX_PER_HOUR = 3;
const IS_OPEN = { endedAt: IsNull() };

/** Links that are mailed to members. Each works once, and a newer one replaces those before it. */
@Injectable()
export class MemberLinksService {
  /**
   * The transaction holds the lock of the member's row (`LOCK_ADDRESS`), so that two requests cannot both be the third.
   * @returns the token to mail; null if the member got as many within the hour as are allowed
   */
  async make(tx: Tx, organisationId: string, memberId: string, purpose: LinkPurpose): Promise<string | null> {
    const anHourAgo = Raw((column) => `${column} > now() - interval '1 hour'`);
    const recent = await tx.find(MemberLinkEntity, { memberId, purpose, createdAt: anHourAgo });
    if (recent.length >= MAX_PER_HOUR) return null;
    await tx.update(MemberLinkEntity, { memberId, purpose, ...IS_OPEN }, { endedAt: () => "now()" });
    const id = uuid();
    const { token, hash } = mintOpaqueToken(organisationId, id);
    await tx.insert(MemberLinkEntity, {
      organisationId,
      id,
      memberId,
      purpose,
      hash,
      expiresAt: () => `now() + interval '${MINUTES[purpose]} minutes'`,
    });
    return token;
  }

  /** Uses the link up. @returns the member's id; null if it was used, replaced or has expired */
  async redeem(tx: Tx, { id, hash }: OpaqueToken, purpose: LinkPurpose): Promise<string | null> {
    const [link] = await tx.updateReturning(
      MemberLinkEntity,
      { id, hash, purpose, ...IS_OPEN, expiresAt: Raw((column) => `${column} > now()`) },
      { endedAt: () => "now()" },
      ["memberId"],
    );
    return link?.memberId ?? null;
  }
}
