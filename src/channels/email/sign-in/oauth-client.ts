import { createHash } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { decodeJwt, type JWTPayload } from "jose";
import { type OutboundAnswer, OutboundClient, OutboundError } from "../../../platform/outbound/outbound.client.js";
import type { Provider } from "./providers.js";

const TIMEOUT_MS = 5_000;
/** Where the answer does not say how long its token lasts. */
const UNSAID_SECONDS = 600;
const MAX_SECONDS = 86_400;
/** Clocks differ. */
const LEEWAY_SECONDS = 120;
const MAX_TOKEN_LENGTH = 20_000;
/** Error codes of OAuth, and Microsoft's own. They are safe to show. */
const ERROR_CODE = /^[a-z_]{1,60}$/;
const MICROSOFTS_CODE = /\bAADSTS\d{4,9}\b/;

/** Who asks a provider: the application that was registered there. */
export interface OAuthClientId {
  clientId: string;
  clientSecret: string | null;
}

/** What opens a mailbox. `until`: milliseconds since 1970. */
export interface Tokens {
  accessToken: string;
  until: number;
  refreshToken?: string;
}

/** The secrets of one sign-in. The provider's answer must match them. */
export interface Handshake {
  state: string;
  nonce: string;
  verifier: string;
}

/** What went wrong: the sign-in or its permission is over, the application's settings are wrong, or a later attempt may succeed. */
export class OAuthFailure extends Error {
  /** @param code what the provider calls it */
  constructor(
    readonly kind: "ended" | "settings" | "temporary" | "invalid",
    readonly code: string | null = null,
  ) {
    super(`the sign-in provider: ${kind}${code === null ? "" : ` (${code})`}`);
  }
}

const ENDED = new Set(["invalid_grant", "interaction_required", "consent_required", "login_required", "access_denied"]);

/**
 * OAuth 2.0 as a client: codes with PKCE, refresh tokens and client credentials. All requests go through `OutboundClient`, and no
 * error holds a secret. An ID token comes from the token endpoint itself, over TLS, so its signature proves nothing more
 * (OpenID Connect Core, 3.1.3.7).
 */
@Injectable()
export class OAuthClient {
  constructor(private readonly outbound: OutboundClient) {}

  /** The URL that the browser goes to. @throws OutboundError: it may not go there */
  authorizationUrl(
    { authorizeUrl, scopes, extra }: Provider,
    clientId: string,
    redirectUri: string,
    { state, nonce, verifier }: Handshake,
  ): string {
    const url = this.outbound.target(authorizeUrl);
    for (const [name, value] of Object.entries({
      ...extra,
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: scopes.join(" "),
      state,
      nonce,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    }))
      url.searchParams.set(name, value);
    return url.href;
  }

  /** Exchanges a code. @returns also the addresses of the account that signed in @throws OAuthFailure */
  async redeem(
    provider: Provider,
    client: OAuthClientId,
    redirectUri: string,
    code: string,
    { nonce, verifier }: Handshake,
  ): Promise<{ tokens: Tokens; addresses: string[] }> {
    const answer = await this.ask(provider, client, {
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
    const claims = typeof answer.id_token === "string" ? claimsOf(answer.id_token) : undefined;
    if (claims && !isFor(claims, provider, client.clientId, nonce)) throw new OAuthFailure("invalid");
    const tokens = tokensOf(answer);
    const addresses = claims ? provider.addressesOf(claims) : [];
    if (addresses.length || provider.userinfoUrl === undefined) return { tokens, addresses };
    return { tokens, addresses: await this.addressesOf(provider, provider.userinfoUrl, tokens, claims) };
  }

  /** @throws OAuthFailure */
  async refresh(provider: Provider, client: OAuthClientId, refreshToken: string): Promise<Tokens> {
    const answer = await this.ask(provider, client, { grant_type: "refresh_token", refresh_token: refreshToken });
    return { refreshToken, ...tokensOf(answer) };
  }

  /** @throws OAuthFailure */
  async clientCredentials(provider: Provider, client: OAuthClientId): Promise<Tokens> {
    const { accessToken, until } = tokensOf(
      await this.ask(provider, client, { grant_type: "client_credentials", scope: provider.scopes.join(" ") }),
    );
    return { accessToken, until };
  }

  private async addressesOf(
    provider: Provider,
    url: string,
    { accessToken }: Tokens,
    claims: JWTPayload | undefined,
  ): Promise<string[]> {
    const answer = await this.send(url, { headers: { authorization: `Bearer ${accessToken}` } });
    const person = answer.status === 200 ? (jsonOf(answer) as JWTPayload) : {};
    // It has to be about the same account.
    return claims && person.sub !== claims.sub ? [] : provider.addressesOf(person);
  }

  private async ask(
    { tokenUrl, secretInBody }: Provider,
    { clientId, clientSecret }: OAuthClientId,
    fields: Record<string, string>,
  ): Promise<Record<string, unknown>> {
    const isBasic = clientSecret !== null && !secretInBody;
    const form = new URLSearchParams({
      ...fields,
      ...(!isBasic && { client_id: clientId }),
      ...(clientSecret !== null && secretInBody && { client_secret: clientSecret }),
    });
    const answer = await this.send(tokenUrl, {
      method: "POST",
      content: form.toString(),
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        ...(isBasic && { authorization: `Basic ${basic(clientId, clientSecret)}` }),
      },
    });
    const json = jsonOf(answer);
    if (answer.status === 200) return json;
    throw failureOf(answer.status, json);
  }

  private async send(
    url: string,
    request: { method?: "POST"; content?: string; headers: Record<string, string> },
  ): Promise<OutboundAnswer> {
    try {
      return await this.outbound.exchange(url, { ...request, timeoutMs: TIMEOUT_MS });
    } catch (error) {
      if (error instanceof OutboundError) throw new OAuthFailure("temporary");
      throw error;
    }
  }
}

/** As RFC 6749 asks (2.3.1): both are encoded before they are joined. */
function basic(clientId: string, clientSecret: string): string {
  const encoded = [clientId, clientSecret].map((text) => new URLSearchParams({ _: text }).toString().slice(2));
  return Buffer.from(encoded.join(":")).toString("base64");
}

function jsonOf({ text }: OutboundAnswer): Record<string, unknown> {
  try {
    const json = JSON.parse(text) as unknown;
    return typeof json === "object" && json !== null ? (json as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function failureOf(status: number, { error, error_description: description }: Record<string, unknown>): OAuthFailure {
  const code = typeof error === "string" && ERROR_CODE.test(error) ? error : null;
  const own = typeof description === "string" ? (MICROSOFTS_CODE.exec(description)?.[0] ?? null) : null;
  if (status >= 500 || status === 429 || code === null || code === "temporarily_unavailable")
    return new OAuthFailure("temporary", code ?? String(status));
  return new OAuthFailure(ENDED.has(code) ? "ended" : "settings", own === null ? code : `${code}, ${own}`);
}

function tokensOf({
  access_token: access,
  refresh_token: refresh,
  expires_in: seconds,
}: Record<string, unknown>): Tokens {
  if (!isToken(access)) throw new OAuthFailure("invalid");
  const lasts = Number(seconds ?? UNSAID_SECONDS);
  return {
    accessToken: access,
    until: Date.now() + Math.min(Math.max(Number.isFinite(lasts) ? lasts : UNSAID_SECONDS, 0), MAX_SECONDS) * 1_000,
    ...(isToken(refresh) && { refreshToken: refresh }),
  };
}

/** It goes into a line of IMAP and SMTP. */
const isToken = (value: unknown): value is string =>
  typeof value === "string" && value.length <= MAX_TOKEN_LENGTH && /^[\x21-\x7e]+$/.test(value);

function claimsOf(idToken: string): JWTPayload {
  try {
    return decodeJwt(idToken);
  } catch {
    throw new OAuthFailure("invalid");
  }
}

function isFor(claims: JWTPayload, { issued }: Provider, clientId: string, nonce: string): boolean {
  const { aud, azp, exp } = claims;
  return (
    issued(claims) &&
    (Array.isArray(aud) ? aud.includes(clientId) && azp === clientId : aud === clientId) &&
    claims.nonce === nonce &&
    typeof exp === "number" &&
    exp > Date.now() / 1_000 - LEEWAY_SECONDS
  );
}
