import { Injectable } from "@nestjs/common";
import * as openid from "openid-client";
import { OutboundClient } from "../../platform/outbound/outbound.client.js";
import type { Scheme } from "./eid-schemes.service.js";

const TIMEOUT_MS = 5_000;
/** For how long what a provider says of itself is believed. Its keys are fetched for every token. */
const KNOWN_MS = 600_000;
const MOST_KNOWN = 1_000;
const CIBA = "urn:openid:params:grant-type:ciba";
/** An error's code as the protocols have them, fit to be shown. */
const CODE = /^[a-z_]{1,60}$/;
/** What the library says of a token, or of an answer, that is not what it must be; anything else may be a passing fault. */
const FORGED = new Set([
  "OAUTH_JWT_CLAIM_COMPARISON_FAILED",
  "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED",
  "OAUTH_JWT_TIMESTAMP_CHECK_FAILED",
  "OAUTH_INVALID_RESPONSE",
  "OAUTH_KEY_SELECTION_FAILED",
  "OAUTH_PARSE_ERROR",
  "OAUTH_UNSUPPORTED_OPERATION",
]);

/** A person approved, by the identifier that the provider knows them by; or what stands against it. */
export type EidAnswer = { person: string } | "waiting" | "slower" | "denied" | "expired" | "forged" | "unknown";
export interface Prompt {
  authReqId: string;
  expiresInSeconds: number;
  intervalSeconds: number;
}
/** What an authorization request was made with, and its answer must fit. */
export interface Handshake {
  state: string;
  nonce: string;
  verifier: string;
}

/** The provider did not take a request: its error code, or null where it cannot be reached or understood. */
export class EidRefusal extends Error {
  constructor(readonly reason: string | null) {
    super("the eID provider refused");
  }
}

/** OpenID Connect with the providers of eIDs, every byte of it through the client for the outside. */
@Injectable()
export class EidProvider {
  private readonly known = new Map<string, { metadata: openid.ServerMetadata; until: number }>();

  constructor(private readonly outbound: OutboundClient) {}

  /** Pushes a prompt to the app of whoever the hint names. @throws EidRefusal */
  async push(scheme: Scheme, loginHint: string): Promise<Prompt> {
    try {
      const {
        auth_req_id: authReqId,
        expires_in: expires,
        interval = 5,
      } = await openid.initiateBackchannelAuthentication(await this.configuration(scheme), {
        scope: "openid",
        login_hint: loginHint,
        ...acr(scheme),
      });
      return { authReqId, expiresInSeconds: within(expires, 1, 3_600), intervalSeconds: within(interval, 1, 60) };
    } catch (error) {
      throw new EidRefusal(
        error instanceof openid.ResponseBodyError && error.status < 500 && CODE.test(error.error) ? error.error : null,
      );
    }
  }

  /** Asks once whether the prompt was answered. */
  async poll(scheme: Scheme, authReqId: string): Promise<EidAnswer> {
    const config = await this.configuration(scheme).catch(() => null);
    if (!config) return "unknown";
    try {
      return personOf(await openid.genericGrantRequest(config, CIBA, { auth_req_id: authReqId }), scheme);
    } catch (error) {
      if (!(error instanceof openid.ResponseBodyError)) return faultOf(error);
      switch (error.error) {
        case "authorization_pending":
          return "waiting";
        case "slow_down":
          return "slower";
        case "access_denied":
          return "denied";
        // It is over at the provider, or was answered before to a process that died: nothing more will come.
        default:
          return error.status < 500 ? "expired" : "unknown";
      }
    }
  }

  /** Where the person's browser is to go. @throws EidRefusal */
  async authorizationUrl(
    scheme: Scheme,
    { state, nonce, verifier }: Handshake,
    redirectUri: string,
    language: string,
  ): Promise<string> {
    try {
      // Whoever sits at a shared browser is not taken for the one who signed in there before.
      return openid.buildAuthorizationUrl(await this.configuration(scheme), {
        redirect_uri: redirectUri,
        scope: "openid",
        response_type: "code",
        state,
        nonce,
        prompt: "login",
        ui_locales: language,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        ...acr(scheme),
      }).href;
    } catch {
      throw new EidRefusal(null);
    }
  }

  /** Takes what the browser came back with: an error, or a code that is exchanged for the token. */
  async redeem(scheme: Scheme, { state, nonce, verifier }: Handshake, returned: URL): Promise<EidAnswer> {
    const config = await this.configuration(scheme).catch(() => null);
    if (!config) return "unknown";
    try {
      return personOf(
        await openid.authorizationCodeGrant(config, returned, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        }),
        scheme,
      );
    } catch (error) {
      if (error instanceof openid.AuthorizationResponseError)
        return error.error === "access_denied" ? "denied" : "unknown";
      return faultOf(error);
    }
  }

  private async configuration(scheme: Scheme): Promise<openid.Configuration> {
    const { issuer, clientId } = scheme;
    const options: openid.DiscoveryRequestOptions = {
      [openid.customFetch]: this.fetch,
      execute: issuer.startsWith("http:") ? [openid.allowInsecureRequests] : [],
    };
    let known = this.known.get(issuer);
    if (!known || known.until < Date.now()) {
      if (this.known.size >= MOST_KNOWN) this.known.clear();
      known = {
        metadata: (await openid.discovery(new URL(issuer), clientId, undefined, undefined, options)).serverMetadata(),
        until: Date.now() + KNOWN_MS,
      };
      this.known.set(issuer, known);
    }
    const config = new openid.Configuration(known.metadata, clientId, undefined, authentication(scheme));
    config[openid.customFetch] = this.fetch;
    if (issuer.startsWith("http:")) openid.allowInsecureRequests(config);
    // Without it an ID token that comes straight from the provider is believed for its connection, unsigned.
    openid.enableNonRepudiationChecks(config);
    return config;
  }

  private readonly fetch: openid.CustomFetch = async (url, { method, headers, body }) => {
    const { status, type, text } = await this.outbound.exchange(url, {
      method: method as "GET" | "POST",
      headers,
      content: body == null ? undefined : String(body as string | URLSearchParams),
      timeoutMs: TIMEOUT_MS,
    });
    return new Response([204, 205, 304].includes(status) ? null : text, { status, headers: { "content-type": type } });
  };
}

/** As the provider wants its clients to prove themselves; a client without a secret does not. */
const authentication = ({ clientSecret }: Scheme): openid.ClientAuth =>
  clientSecret === null
    ? openid.None()
    : (server, ...rest) => {
        const { token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] } = server;
        (methods.includes("client_secret_basic") ? openid.ClientSecretBasic : openid.ClientSecretPost)(clientSecret)(
          server,
          ...rest,
        );
      };

const acr = ({ acrValues }: Scheme): Record<string, string> =>
  acrValues.length ? { acr_values: acrValues.join(" ") } : {};
const within = (value: number, least: number, most: number): number =>
  Math.min(Math.max(Math.ceil(value), least), most);

/** Of a token whose signature, issuer, audience and time are proven. */
function personOf(
  tokens: openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers,
  { acrValues, personIdentifierClaim }: Scheme,
): EidAnswer {
  const claims = tokens.claims();
  const person = claims && Object.hasOwn(claims, personIdentifierClaim) ? claims[personIdentifierClaim] : undefined;
  if (!claims || typeof person !== "string" || !person) return "forged";
  return acrValues.length && !(typeof claims.acr === "string" && acrValues.includes(claims.acr))
    ? "forged"
    : { person };
}

const faultOf = (error: unknown): EidAnswer =>
  FORGED.has((error as { code?: string }).code ?? "") ? "forged" : "unknown";
