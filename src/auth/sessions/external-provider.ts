import { Injectable } from "@nestjs/common";
import * as openid from "openid-client";
import { Config } from "../../platform/config/config.js";
import { verifiedFrom, type VerifiedToken } from "./external-issuer.js";

const TIMEOUT_SECONDS = 5;
/** The library's codes for a request without an answer. A failed connection has none. */
const UNREACHABLE = new Set(["OAUTH_TIMEOUT", "OAUTH_ABORT"]);

/** The secrets of one sign-in. The provider's answer must match them. */
export interface Handshake {
  state: string;
  nonce: string;
  /** The provider has seen only its SHA-256. Whoever exchanges the code must know it. */
  verifier: string;
}

/** Why a sign-in at the provider failed: the member declined, the provider cannot be reached, or its answer does not verify. */
export class ProviderRefusal extends Error {
  constructor(readonly reason: "declined" | "unreachable" | "invalid") {
    super(`the sign-in provider: ${reason}`);
  }
}

/** The configured OpenID Connect provider, as a browser signs in there: by authorization code with PKCE. */
@Injectable()
export class ExternalProvider {
  private known?: Promise<openid.Configuration>;

  constructor(private readonly config: Config) {}

  /** What the button names. Null if no provider is configured for browsers. */
  get name(): string | null {
    const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_NAME } = this.config;
    return OIDC_ISSUER && OIDC_CLIENT_ID ? (OIDC_NAME ?? new URL(OIDC_ISSUER).hostname) : null;
  }

  /**
   * The URL that the browser goes to.
   * @param again whether the provider has to ask the member, even if it remembers them
   * @throws ProviderRefusal
   */
  async authorizationUrl({ state, nonce, verifier }: Handshake, again: boolean): Promise<string> {
    const configuration = await this.configuration();
    return openid.buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri,
      scope: "openid email",
      response_type: "code",
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...(again && { prompt: "login" }),
    }).href;
  }

  /**
   * Exchanges the code of the URL that the browser came back to. The ID token's signature, issuer, audience, time and nonce are
   * verified.
   * @param search the query of that URL, with its question mark
   * @throws ProviderRefusal
   */
  async redeem({ state, nonce, verifier }: Handshake, search: string): Promise<VerifiedToken> {
    const configuration = await this.configuration();
    try {
      const tokens = await openid.authorizationCodeGrant(configuration, new URL(this.redirectUri + search), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims: openid.IDToken = tokens.claims()!;
      // Some providers give the email only here. It is about the same account, or this fails.
      const more =
        claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
          ? await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : { email: undefined, email_verified: undefined };
      return verifiedFrom({ email: more.email, email_verified: more.email_verified, ...claims });
    } catch (error) {
      if (error instanceof openid.AuthorizationResponseError)
        throw new ProviderRefusal(error.error === "access_denied" ? "declined" : "invalid");
      const { code } = error as { code?: string };
      throw new ProviderRefusal(code === undefined || UNREACHABLE.has(code) ? "unreachable" : "invalid");
    }
  }

  /** Repeats the discovery after a failure. */
  private async configuration(): Promise<openid.Configuration> {
    const known = (this.known ??= this.discovered());
    try {
      return await known;
    } catch {
      this.known = undefined;
      throw new ProviderRefusal("unreachable");
    }
  }

  private discovered(): Promise<openid.Configuration> {
    const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = this.config;
    return openid.discovery(
      new URL(OIDC_ISSUER!),
      OIDC_CLIENT_ID!,
      undefined,
      OIDC_CLIENT_SECRET ? authentication(OIDC_CLIENT_SECRET) : openid.None(),
      {
        timeout: TIMEOUT_SECONDS,
        // The library trusts TLS otherwise, and does not verify the signature of the ID token.
        execute: [
          openid.enableNonRepudiationChecks,
          ...(OIDC_ISSUER!.startsWith("http:") ? [openid.allowInsecureRequests] : []),
        ],
      },
    );
  }

  private get redirectUri(): string {
    return `${this.config.publicUrl}/api/auth/external/callback`;
  }
}

/** By the method that the provider supports. */
const authentication =
  (secret: string): openid.ClientAuth =>
  (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] } = server;
    (methods.includes("client_secret_basic") ? openid.ClientSecretBasic : openid.ClientSecretPost)(secret)(
      server,
      ...rest,
    );
  };
