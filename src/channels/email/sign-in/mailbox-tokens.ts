import { setTimeout as sleep } from "node:timers/promises";
import { Injectable } from "@nestjs/common";
import { recordAuditEntry } from "../../../audit/audit-entries.js";
import { system } from "../../../platform/caller/caller.js";
import { Database } from "../../../platform/database/database.js";
import { type Sealer, Sealers } from "../../../platform/database/seal.js";
import type { Tx } from "../../../platform/database/transaction.js";
import { TOKEN_SEAL, tokenSealContext } from "../../channel-credentials.js";
import { markChannelFailed } from "../../channel-failure.js";
import { ChannelError, type OpenChannel } from "../../channel-kind.js";
import { type EmailSettings, receives } from "../email.settings.js";
import { OAuthClient, OAuthFailure, type Tokens } from "./oauth-client.js";
import { type Provider, providerOf } from "./providers.js";
import type { SignInCredentials, SignInSettings } from "./sign-in.settings.js";
import { CLAIM_RENEWAL, END_SIGN_IN, FIND_TOKENS, STORE_TOKENS } from "./tokens.queries.js";

/** A token is renewed this long before its end. */
const AHEAD_MS = 300_000;
/** While another process renews it, a token serves until this long before its end. */
const LEAST_MS = 30_000;
/** Longer than a provider may take to answer. */
const LEASE_SECONDS = 30;
const WAIT_MS = 12_000;
const POLL_MS = 100;
/** Who spent a refresh token must keep the next one. */
const STORE_ATTEMPTS = 3;
const BETWEEN_ATTEMPTS_MS = 1_000;

export const ENDED = "The provider ended the sign-in to the mailbox: sign in again";
const CHANGED = "The channel has been changed meanwhile";

/** The tokens that open mailboxes. They are sealed, and leave this class only for the mailbox's own servers. */
@Injectable()
export class MailboxTokens {
  private readonly sealer: Sealer;

  constructor(
    private readonly db: Database,
    private readonly oauth: OAuthClient,
    sealers: Sealers,
  ) {
    this.sealer = sealers.for(TOKEN_SEAL);
  }

  seal(tenantId: string, channelId: string, tokens: Tokens): Buffer {
    return this.sealer.seal(tokens, tokenSealContext(tenantId, channelId));
  }

  /**
   * An access token. It is renewed ahead of its end, by one process at a time: some providers take a refresh token only once.
   * @param refused a token that a server has just refused, if any: another one is given
   * @throws ChannelError
   */
  async of(channel: OpenChannel, refused?: string): Promise<string> {
    for (const deadline = Date.now() + WAIT_MS; ; await sleep(POLL_MS)) {
      const { tokens, isRenewed } = await this.find(channel);
      if (tokens && lasts(tokens, isRenewed ? LEAST_MS : AHEAD_MS, refused)) return tokens.accessToken;
      const claim = isRenewed ? undefined : await this.claim(channel);
      if (claim) return this.renew(channel, claim, refused);
      if (Date.now() > deadline) throw new ChannelError("The sign-in to the mailbox takes too long");
    }
  }

  private transaction<T>({ tenantId, environment }: OpenChannel, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.db.transaction(system("channels", tenantId, environment), async (tx) => {
      tx.changesNothingVisible();
      return work(tx);
    });
  }

  private async find(channel: OpenChannel): Promise<{ tokens: Tokens | null; isRenewed: boolean }> {
    const { id, revision } = channel;
    const [found] = await this.transaction(channel, (tx) => tx.query(FIND_TOKENS, { id, revision }));
    if (!found) throw new ChannelError(CHANGED);
    return { tokens: this.open(channel, found.tokens), isRenewed: found.isRenewed };
  }

  private async claim(channel: OpenChannel): Promise<{ tokens: Tokens | null; until: string } | undefined> {
    const { id, revision } = channel;
    const [claim] = await this.transaction(channel, (tx) =>
      tx.query(CLAIM_RENEWAL, { id, revision, seconds: LEASE_SECONDS }),
    );
    return claim && { tokens: this.open(channel, claim.tokens), until: claim.until };
  }

  private open({ tenantId, id }: OpenChannel, sealed: Buffer | null): Tokens | null {
    if (!sealed) return null;
    try {
      return this.sealer.open<Tokens>(sealed, tokenSealContext(tenantId, id));
    } catch {
      throw new ChannelError("The stored sign-in cannot be opened: sign in again", true);
    }
  }

  private async renew(
    channel: OpenChannel,
    { tokens, until }: { tokens: Tokens | null; until: string },
    refused: string | undefined,
  ): Promise<string> {
    // Another process may have renewed it before this one had the lease.
    if (tokens && lasts(tokens, AHEAD_MS, refused)) {
      await this.store(channel, until, null);
      return tokens.accessToken;
    }
    try {
      const fresh = await this.ask(channel, tokens);
      if (!(await this.store(channel, until, fresh))) throw new ChannelError(CHANGED);
      return fresh.accessToken;
    } catch (error) {
      if (!(error instanceof OAuthFailure)) throw error;
      throw await this.failed(channel, until, error);
    }
  }

  private ask(channel: OpenChannel, tokens: Tokens | null): Promise<Tokens> {
    const { signIn } = channel.settings as EmailSettings;
    const provider = providerOfChannel(channel);
    const client = clientOf(channel);
    if (signIn!.grant === "client_credentials") return this.oauth.clientCredentials(provider, client);
    if (!tokens?.refreshToken) throw new OAuthFailure("ended");
    return this.oauth.refresh(provider, client, tokens.refreshToken);
  }

  private async store(channel: OpenChannel, until: string, tokens: Tokens | null): Promise<boolean> {
    const { tenantId, id } = channel;
    const sealed = tokens && this.seal(tenantId, id, tokens);
    for (let attempt = 1; ; attempt++) {
      try {
        const stored = await this.transaction(channel, (tx) => tx.query(STORE_TOKENS, { id, until, tokens: sealed }));
        return stored.length > 0;
      } catch (error) {
        if (attempt === STORE_ATTEMPTS) throw error;
        await sleep(BETWEEN_ATTEMPTS_MS);
      }
    }
  }

  /** @returns what the channel says */
  private async failed(channel: OpenChannel, until: string, failure: OAuthFailure): Promise<ChannelError> {
    const { signIn } = channel.settings as EmailSettings;
    if (failure.kind !== "ended" || signIn!.grant === "client_credentials") {
      await this.store(channel, until, null);
      return explainFailure(failure);
    }
    const { id, revision } = channel;
    const error = new ChannelError(ENDED, true);
    await this.transaction(channel, async (tx) => {
      const [ended] = await tx.query(END_SIGN_IN, { id, revision, until, error: ENDED });
      if (!ended) return;
      tx.changesWorkspace(ended.workspaceId);
      await recordAuditEntry(tx, {
        change: "updated",
        resourceType: "channel",
        resourceId: id,
        workspaceId: ended.workspaceId,
        fields: ["signIn.ended"],
      });
      await markChannelFailed(tx, id, error);
    });
    return error;
  }
}

const lasts = ({ accessToken, until }: Tokens, ms: number, refused: string | undefined): boolean =>
  accessToken !== refused && until - Date.now() > ms;

export const providerOfChannel = ({ settings, address }: Pick<OpenChannel, "settings" | "address">): Provider => {
  const { signIn, graph } = settings as EmailSettings;
  return providerOf(signIn!, address!, { receives: receives(settings), graph: Boolean(graph) });
};

export function clientOf({ settings, credentials }: OpenChannel): { clientId: string; clientSecret: string | null } {
  const { clientId } = (settings as EmailSettings).signIn as SignInSettings;
  const known: SignInCredentials | null = credentials;
  return { clientId, clientSecret: known?.clientSecret ?? null };
}

export function explainFailure({ kind, code }: OAuthFailure): ChannelError {
  const named = code === null ? "" : ` (${code})`;
  switch (kind) {
    case "temporary":
      return new ChannelError(`The sign-in provider cannot be reached, or is busy${named}`);
    case "invalid":
      return new ChannelError("The sign-in provider gave an answer that is not valid");
    default:
      return new ChannelError(
        `The sign-in provider refused the application: check its id, its secret and its permissions${named}`,
        true,
      );
  }
}
