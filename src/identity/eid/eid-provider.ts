import { Injectable } from "@nestjs/common";
import * as openid from "openid-client";
import { OutboundClient } from "../../platform/outbound/outbound.client.js";
import { type MatchesFile, matcherOf } from "./first-binding.js";
import type { Scheme } from "./eid-schemes.service.js";

const TIMEOUT_MS = 5_000;
/** How long a provider's metadata is cached. Its keys are fetched for every token. */
const METADATA_MS = 600_000;
const MAX_CACHED_PROVIDERS = 1_000;
const CIBA = "urn:openid:params:grant-type:ciba";
/** Error codes of the protocols, which are safe to show. */
const ERROR_CODE = /^[a-z_]{1,60}$/;
/** The library's codes for a token or an answer that is not valid. Any other error may be temporary. */
const INVALID_TOKEN_CODES = new Set([
  "OAUTH_JWT_CLAIM_COMPARISON_FAILED",
  "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED",
  "OAUTH_JWT_TIMESTAMP_CHECK_FAILED",
  "OAUTH_INVALID_RESPONSE",
  "OAUTH_KEY_SELECTION_FAILED",
  "OAUTH_PARSE_ERROR",
  "OAUTH_UNSUPPORTED_OPERATION",
]);

/** The provider's identifier of the person who approved, and whether what it says of them is on file. */
export interface Approval {
  person: string;
  matches: MatchesFile;
}
/** The approval, or why there is none. `unknown` may be a temporary fault. */
export type EidAnswer = Approval | "waiting" | "slower" | "denied" | "expired" | "forged" | "unknown";
export interface Prompt {
  authReqId: string;
  expiresInSeconds: number;
  intervalSeconds: number;
}
/** The secrets of an authorization request. Its answer must match them. */
export interface Handshake {
  state: string;
  nonce: string;
  verifier: string;
}

/** The provider did not accept a request. `reason` is its error code, or null if it cannot be reached or understood. */
export class EidRefusal extends Error {
  constructor(readonly reason: string | null) {
    super("the eID provider refused");
  }
}

/** OpenID Connect with the providers of eIDs. All requests go through `OutboundClient`. */
@Injectable()
export class EidProvider {
  private readonly metadata = new Map<string, { metadata: openid.ServerMetadata; until: number }>();

  constructor(private readonly outbound: OutboundClient) {}

  /** Pushes a prompt to the app of the person that the hint names. @throws EidRefusal */
  async push(scheme: Scheme, loginHint: string): Promise<Prompt> {
    try {
      const {
        auth_req_id: authReqId,
        expires_in: expires,
        interval = 5,
      } = await openid.initiateBackchannelAuthentication(await this.configuration(scheme), {
        scope: scopeOf(scheme),
        login_hint: loginHint,
        ...acr(scheme),
      });
      return { authReqId, expiresInSeconds: clamp(expires, 1, 3_600), intervalSeconds: clamp(interval, 1, 60) };
    } catch (error) {
      throw new EidRefusal(
        error instanceof openid.ResponseBodyError && error.status < 500 && ERROR_CODE.test(error.error)
          ? error.error
          : null,
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
        // The prompt ended at the provider, or its answer went to a process that died. There will be no other answer.
        default:
          return error.status < 500 ? "expired" : "unknown";
      }
    }
  }

  /** The URL that the person's browser goes to. @throws EidRefusal */
  async authorizationUrl(
    scheme: Scheme,
    { state, nonce, verifier }: Handshake,
    redirectUri: string,
    language: string,
  ): Promise<string> {
    try {
      const config = await this.configuration(scheme);
      return openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: scopeOf(scheme),
        ...(config.serverMetadata().claims_parameter_supported && claimsOf(scheme)),
        response_type: "code",
        state,
        nonce,
        // At a shared browser, another person may still be signed in.
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

  /** Handles the URL that the browser came back to, which has an error, or a code to exchange for the token. */
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
    let known = this.metadata.get(issuer);
    if (!known || known.until < Date.now()) {
      if (this.metadata.size >= MAX_CACHED_PROVIDERS) this.metadata.clear();
      known = {
        metadata: (await openid.discovery(new URL(issuer), clientId, undefined, undefined, options)).serverMetadata(),
        until: Date.now() + METADATA_MS,
      };
      this.metadata.set(issuer, known);
    }
    const config = new openid.Configuration(known.metadata, clientId, undefined, authentication(scheme));
    config[openid.customFetch] = this.fetch;
    if (issuer.startsWith("http:")) openid.allowInsecureRequests(config);
    // Without these checks the library trusts TLS and does not verify the signature of the ID token.
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

/** Authenticates the client by the method that the provider supports. A client without a secret does not authenticate. */
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
/** The claims that a first binding compares must be in the ID token. Providers differ in what makes them put them there. */
const scopeOf = ({ binding }: Scheme): string => (binding.match === "name_and_birthdate" ? "openid profile" : "openid");
function claimsOf({ binding: { match, identifierClaim } }: Scheme): Record<string, string> {
  const names =
    match === "name_and_birthdate"
      ? ["given_name", "family_name", "name", "birthdate"]
      : match === "identifier" && identifierClaim !== null
        ? [identifierClaim]
        : [];
  return names.length
    ? { claims: JSON.stringify({ id_token: Object.fromEntries(names.map((name) => [name, null])) }) }
    : {};
}
const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(Math.ceil(value), min), max);

/** Reads the person from a token whose signature, issuer, audience and time have been verified. */
function personOf(
  tokens: openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers,
  { acrValues, personIdentifierClaim, binding }: Scheme,
): EidAnswer {
  const claims = tokens.claims();
  const person = claims && Object.hasOwn(claims, personIdentifierClaim) ? claims[personIdentifierClaim] : undefined;
  if (!claims || typeof person !== "string" || !person) return "forged";
  return acrValues.length && !(typeof claims.acr === "string" && acrValues.includes(claims.acr))
    ? "forged"
    : { person, matches: matcherOf(binding, claims) };
}

const faultOf = (error: unknown): EidAnswer =>
  INVALID_TOKEN_CODES.has((error as { code?: string }).code ?? "") ? "forged" : "unknown";
