import { randomBytes } from "node:crypto";
import { Injectable, Logger } from "@nestjs/common";
import { type Environment, system } from "../../platform/caller/caller.js";
import { beginRequest, type Sender } from "../../platform/caller/request-context.js";
import { Database } from "../../platform/database/database.js";
import { type Sealer, Sealers } from "../../platform/database/seal.js";
import { notFound } from "../../platform/http/errors.js";
import { LOCK_ADDRESS } from "../members/member-emails.queries.js";
import type { VerifiedToken } from "./external-issuer.js";
import { ExternalMembers } from "./external-members.js";
import { ExternalProvider, type Handshake, ProviderRefusal } from "./external-provider.js";
import { SessionOpener, type SignedIn } from "./session-opener.js";

/** For as long the member may be at the provider. */
export const HANDSHAKE_SECONDS = 600;
const PURPOSE = "external sign-in";

/** What the browser keeps meanwhile, sealed. */
interface Begun extends Handshake {
  environment: Environment;
  /** Milliseconds since 1970. */
  until: number;
}

/** Why nobody was signed in. The page that the browser returns to says what to do. */
export type Refusal = ProviderRefusal["reason"] | "expired" | "unknown";

/** Signs members in with the accounts that they have at the configured provider. */
@Injectable()
export class ExternalSignInService {
  private readonly log = new Logger("sessions");
  private readonly sealer: Sealer;

  constructor(
    private readonly db: Database,
    private readonly provider: ExternalProvider,
    private readonly members: ExternalMembers,
    private readonly opener: SessionOpener,
    sealers: Sealers,
  ) {
    this.sealer = sealers.for(PURPOSE);
  }

  get providerName(): string | null {
    return this.provider.name;
  }

  /**
   * @returns where the browser goes, and what it keeps in a cookie until it comes back; or a refusal
   * @throws NotFoundException if no provider is configured
   */
  async begin(environment: Environment, again: boolean): Promise<{ url: string; kept: string } | Refusal> {
    if (this.provider.name === null) throw notFound();
    const handshake = { state: randomText(), nonce: randomText(), verifier: randomText() };
    try {
      const url = await this.provider.authorizationUrl(handshake, again);
      const begun: Begun = { ...handshake, environment, until: Date.now() + HANDSHAKE_SECONDS * 1_000 };
      return { url, kept: this.sealer.seal(begun, PURPOSE).toString("base64url") };
    } catch (error) {
      return refusalOf(error);
    }
  }

  /**
   * The browser comes back from the provider. Only the one that went there has the secrets: a code that somebody else got, for their
   * own account, opens nothing here.
   * @param search the query of the URL, with its question mark
   * @param kept what the browser was given in `begin`
   * @throws NotFoundException if no provider is configured
   */
  async complete(search: string, kept: string | undefined, sender: Sender): Promise<SignedIn | Refusal> {
    if (this.provider.name === null) throw notFound();
    const begun = kept === undefined ? undefined : this.open(kept);
    if (!begun || new URLSearchParams(search).get("state") !== begun.state) return "expired";
    const { environment } = begun;
    try {
      const verified = await this.provider.redeem(begun, search);
      const member = await this.members.find(verified, environment);
      const signedIn = member && (await this.start({ ...member, environment }, verified, sender));
      if (signedIn) return signedIn;
      this.log.warn("external sign-in: no member may sign in with this account");
      return "unknown";
    } catch (error) {
      return refusalOf(error);
    }
  }

  /** @returns null if the member was removed or deactivated */
  private start(
    member: { organisationId: string; memberId: string; tenantId: string; environment: Environment },
    { signedInAt }: VerifiedToken,
    sender: Sender,
  ): Promise<SignedIn | null> {
    const caller = beginRequest(system("login", member.tenantId, member.environment), "login", sender);
    return this.db.transaction(caller, async (tx) => {
      const [locked] = await tx.query(LOCK_ADDRESS, member);
      if (locked) return this.opener.start(tx, member, sender, { signedInAt });
      tx.changesNothingVisible();
      return null;
    });
  }

  private open(kept: string): Begun | undefined {
    try {
      const begun = this.sealer.open<Begun>(Buffer.from(kept, "base64url"), PURPOSE);
      return begun.until > Date.now() ? begun : undefined;
    } catch {
      return undefined;
    }
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof ProviderRefusal) return error.reason;
  throw error;
}

const randomText = (): string => randomBytes(32).toString("base64url");
