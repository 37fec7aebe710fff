import { createHash, randomBytes } from "node:crypto";
import { ConflictException, ForbiddenException, Injectable, NotFoundException } from "@nestjs/common";
import { recordAuditEntry } from "../../../audit/audit-entries.js";
import { CurrentCallers } from "../../../auth/current-callers.js";
import { type Caller, type Environment, system } from "../../../platform/caller/caller.js";
import { beginRequest, type Sender } from "../../../platform/caller/request-context.js";
import { Config } from "../../../platform/config/config.js";
import { Database } from "../../../platform/database/database.js";
import { type Sealer, Sealers } from "../../../platform/database/seal.js";
import type { Tx } from "../../../platform/database/transaction.js";
import { OutboundError } from "../../../platform/outbound/outbound.client.js";
import { ChannelEntity, type ChannelSignIn } from "../../../workspaces/channel.entity.js";
import type { OpenChannel } from "../../channel-kind.js";
import { assertMayVouch, ChannelsService } from "../../channels.service.js";
import type { EmailSettings } from "../email.settings.js";
import { clientOf, explainFailure, MailboxTokens, providerOfChannel } from "./mailbox-tokens.js";
import { type Handshake, OAuthClient, OAuthFailure, type Tokens } from "./oauth-client.js";
import { CLAIM_SIGN_IN } from "./tokens.queries.js";

/** For as long the member may be at the provider. */
export const HANDSHAKE_SECONDS = 600;
export const CALLBACK = "/api/public/channels/sign-in/callback";
const PURPOSE = "mailbox sign-in";
const NOBODY: ChannelSignIn = { account: null, since: null, endedAt: null, error: null };
const NOT_VALID = "The sign-in provider gave an answer that is not valid";

/** What the browser keeps meanwhile, sealed. */
interface Begun extends Handshake {
  tenantId: string;
  environment: Environment;
  channelId: string;
  caller: { kind: "member" | "apiKey"; id: string; sessionId: string | null };
  /** Of the channel's address and settings: tokens go only to the servers that they were asked for. */
  target: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** How a sign-in ended. `failed`: the channel says why. */
export interface Ended {
  /** Undefined if the browser does not say which one. */
  channelId?: string;
  result: "done" | "failed" | "expired" | "forbidden";
}

/** Why nobody was signed in, for the member to read. */
class Refused extends Error {}

/** Takes a member to the provider of a mailbox, and keeps what they bring back. */
@Injectable()
export class MailboxSignInService {
  private readonly sealer: Sealer;

  constructor(
    private readonly db: Database,
    private readonly channels: ChannelsService,
    private readonly oauth: OAuthClient,
    private readonly tokens: MailboxTokens,
    private readonly callers: CurrentCallers,
    private readonly config: Config,
    sealers: Sealers,
  ) {
    this.sealer = sealers.for(PURPOSE);
  }

  /**
   * @returns where the browser goes, and what it keeps in a cookie until it comes back
   * @throws NotFoundException, ForbiddenException, ConflictException
   */
  async begin(caller: Caller, channelId: string): Promise<{ url: string; kept: string }> {
    const channel = await this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      return this.open(tx, channelId);
    });
    if (caller.environment === "test") throw new ConflictException("On the test side nobody signs in to a mailbox");
    const handshake = { state: randomText(), nonce: randomText(), verifier: randomText() };
    const begun: Begun = {
      ...handshake,
      tenantId: caller.tenantId,
      environment: caller.environment,
      channelId,
      caller: identityOf(caller),
      target: targetOf(channel),
      at: Date.now(),
    };
    try {
      const { clientId } = clientOf(channel);
      const url = this.oauth.authorizationUrl(providerOfChannel(channel), clientId, this.redirectUri, handshake);
      return { url, kept: this.sealer.seal(begun, PURPOSE).toString("base64url") };
    } catch (error) {
      if (error instanceof OutboundError) throw new ConflictException(`authorizeUrl: ${error.message}`);
      throw error;
    }
  }

  /**
   * The browser comes back from the provider. Only the one that went there has the secrets, and its answer counts once.
   * @param kept what the browser was given in `begin`
   */
  async complete(answer: URLSearchParams, kept: string | undefined, sender: Sender): Promise<Ended> {
    const begun = kept === undefined ? undefined : this.read(kept);
    if (!begun || answer.get("state") !== begun.state) return { result: "expired" };
    const { channelId } = begun;
    try {
      const caller = await this.callerOf(begun, sender);
      const channel = await this.claim(caller, begun);
      if (!channel) return { channelId, result: "expired" };
      return { channelId, result: await this.exchange(caller, channel, begun, answer) };
    } catch (error) {
      if (error instanceof ForbiddenException || error instanceof NotFoundException) return { result: "forbidden" };
      throw error;
    }
  }

  private async exchange(
    caller: Caller,
    channel: OpenChannel,
    begun: Begun,
    answer: URLSearchParams,
  ): Promise<Ended["result"]> {
    try {
      const { tokens, account } = await this.redeem(channel, begun, answer);
      return (await this.store(caller, begun, tokens, account)) ? "done" : "expired";
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await this.noteFailure(caller, begun, error.message);
      return "failed";
    }
  }

  /** Whoever began, with the rights of now, and only while their session lasts. @throws ForbiddenException */
  private async callerOf({ tenantId, environment, caller }: Begun, sender: Sender): Promise<Caller> {
    const self = system("mailbox sign-in", tenantId, environment);
    return beginRequest(
      await this.callers.withScope("channels:write", caller, self),
      "channels.completeSignIn",
      sender,
    );
  }

  /** @returns the channel, unless this answer came before, or the channel has other settings by now */
  private claim(caller: Caller, begun: Begun): Promise<OpenChannel | undefined> {
    return this.db.transaction(caller, async (tx) => {
      await this.channels.lock(tx, begun.channelId);
      const channel = await this.open(tx, begun.channelId).catch((error: unknown) => {
        if (error instanceof ConflictException) return undefined;
        throw error;
      });
      if (!channel || targetOf(channel) !== begun.target) return undefined;
      const claimed = await tx.query(CLAIM_SIGN_IN, { id: begun.channelId, begunAt: new Date(begun.at) });
      return claimed.length ? channel : undefined;
    });
  }

  /** @throws Refused */
  private async redeem(
    channel: OpenChannel,
    begun: Begun,
    answer: URLSearchParams,
  ): Promise<{ tokens: Tokens; account: string }> {
    const provider = providerOfChannel(channel);
    const issuer = answer.get("iss");
    if (issuer !== null && provider.issuer !== undefined && issuer !== provider.issuer) throw new Refused(NOT_VALID);
    const error = answer.get("error");
    if (error !== null) throw new Refused(declined(error, answer.get("error_description") ?? ""));
    try {
      const { tokens, addresses } = await this.oauth.redeem(
        provider,
        clientOf(channel),
        this.redirectUri,
        answer.get("code") ?? "",
        begun,
      );
      return { tokens: lasting(tokens), account: accountOf(channel, addresses) };
    } catch (failure) {
      if (!(failure instanceof OAuthFailure)) throw failure;
      throw new Refused(
        failure.kind === "ended"
          ? `The provider refused this sign-in (${failure.code})`
          : explainFailure(failure).message,
      );
    }
  }

  private store(caller: Caller, begun: Begun, tokens: Tokens, account: string): Promise<boolean> {
    const { channelId: id, tenantId } = begun;
    return this.db.transaction(caller, async (tx) => {
      const channel = await this.lockIfSame(tx, begun);
      if (!channel) return false;
      await tx.update(ChannelEntity, { id }, { tokens: this.tokens.seal(tenantId, id, tokens), renewingUntil: null });
      await this.channels.signedIn(tx, channel, { ...NOBODY, account, since: new Date().toISOString() });
      await noteInAudit(tx, channel, "signIn.connected");
      return true;
    });
  }

  private noteFailure(caller: Caller, begun: Begun, error: string): Promise<void> {
    return this.db.transaction(caller, async (tx) => {
      const channel = await this.lockIfSame(tx, begun);
      if (!channel) return;
      const signIn = { ...(channel.signIn ?? NOBODY), error };
      await tx.update(ChannelEntity, { id: channel.id }, { signIn, updatedAt: () => "now()" });
      await noteInAudit(tx, channel, "signIn.failed");
    });
  }

  /** The channel, if neither its settings nor a later sign-in came between. */
  private async lockIfSame(tx: Tx, { channelId, target, at }: Begun): Promise<ChannelEntity | undefined> {
    const channel = await this.channels.lock(tx, channelId);
    return targetOf(channel) === target && channel.signInBegunAt?.getTime() === at ? channel : undefined;
  }

  /** @throws NotFoundException, ForbiddenException, ConflictException: nobody signs in to it */
  private async open(tx: Tx, id: string): Promise<OpenChannel> {
    const { channel, kind } = await this.channels.open(tx, id);
    if (kind.type !== "email" || (channel.settings as EmailSettings).signIn?.grant !== "code")
      throw new ConflictException("The settings of this channel ask for no sign-in");
    if (kind.credentialsVouch?.(channel.settings)) assertMayVouch(tx.caller);
    return channel;
  }

  private read(kept: string): Begun | undefined {
    try {
      const begun = this.sealer.open<Begun>(Buffer.from(kept, "base64url"), PURPOSE);
      return begun.at + HANDSHAKE_SECONDS * 1_000 > Date.now() ? begun : undefined;
    } catch {
      return undefined;
    }
  }

  private get redirectUri(): string {
    return this.config.publicUrl + CALLBACK;
  }
}

function identityOf(caller: Caller): Begun["caller"] {
  if (caller.kind === "member") return { kind: "member", id: caller.memberId, sessionId: caller.sessionId ?? null };
  if (caller.kind === "apiKey") return { kind: "apiKey", id: caller.keyId, sessionId: null };
  throw new ForbiddenException();
}

function targetOf({ address, settings }: Pick<OpenChannel, "address" | "settings">): string {
  const { smtp, imap, graph, signIn } = settings as EmailSettings;
  return createHash("sha256")
    .update(JSON.stringify([address, [smtp, imap, signIn, graph].map((part) => Object.entries(part ?? {}).sort())]))
    .digest("base64url");
}

/** Without a refresh token, somebody would have to sign in again within the hour. @throws Refused */
function lasting(tokens: Tokens): Tokens {
  if (!tokens.refreshToken)
    throw new Refused("The provider gave no lasting access: the application needs offline access (a refresh token)");
  return tokens;
}

/** @throws Refused: the account is not the channel's own. Everybody reads why, so it does not say whose account that is. */
function accountOf({ address }: OpenChannel, addresses: readonly string[]): string {
  const found = addresses.find((one) => one.toLowerCase() === address);
  if (found !== undefined) return address!;
  throw new Refused(
    addresses.length
      ? `You signed in with another account, and this channel is ${address}: sign in with that account`
      : "The provider does not say which account signed in, or has not verified its address",
  );
}

function declined(error: string, description: string): string {
  const code = [/^[a-z_]{1,60}$/.exec(error)?.[0], /\bAADSTS\d{4,9}\b/.exec(description)?.[0]]
    .filter(Boolean)
    .join(", ");
  return `The sign-in was cancelled at the provider${code && ` (${code})`}`;
}

const noteInAudit = (tx: Tx, { id, workspaceId }: ChannelEntity, field: string): Promise<void> =>
  recordAuditEntry(tx, {
    change: "updated",
    resourceType: "channel",
    resourceId: id,
    workspaceId,
    fields: [field],
  });

const randomText = (): string => randomBytes(32).toString("base64url");
