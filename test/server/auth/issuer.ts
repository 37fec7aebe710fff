import http from "node:http";
import { type CryptoKey, exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from "jose";
import { Provider } from "oidc-provider";
import { freePort } from "../../support/ports.js";

export const AUDIENCE = "urn:parley";
interface Wish {
  /** Whose account it is: the same account has the same subject. By default each email has its own. */
  account?: string;
  audience?: string;
  seconds?: number;
  alg?: "RS256" | "ES256";
}

/** A real OpenID provider on loopback. It issues access tokens (JWT) with any claims about a person. */
export interface Issuer {
  readonly url: string;
  /** The paths that were requested. */
  readonly asked: string[];
  /** Requests for these paths are answered with 500. */
  failing?: RegExp;
  /** A token from the token endpoint. */
  token(claims: Record<string, unknown>, wish?: Wish): Promise<string>;
  /** A token signed with the provider's own RSA key, with claims that its endpoint would never issue. */
  sign(claims: Record<string, unknown>, header?: Partial<JWTHeaderParameters>): Promise<string>;
  /** Replaces the keys with new ones. */
  rotate(): Promise<void>;
  down(): Promise<void>;
  up(): Promise<void>;
}

interface Keys {
  rsa: CryptoKey;
  kid: string;
  jwks: object[];
}
/** The subject of a token is the client that asks for it. */
const MAX_ACCOUNTS = 100;
let serial = 0;
async function makeKeys(): Promise<Keys> {
  const [rsa, ec] = [
    await generateKeyPair("RS256", { extractable: true }),
    await generateKeyPair("ES256", { extractable: true }),
  ];
  const kid = `key-${++serial}`;
  return {
    rsa: rsa.privateKey,
    kid,
    jwks: [
      { ...(await exportJWK(rsa.privateKey)), alg: "RS256", use: "sig", kid },
      { ...(await exportJWK(ec.privateKey)), alg: "ES256", use: "sig", kid: `${kid}-ec` },
    ],
  };
}

/** @param name the issuer that the provider claims to be; its own address by default */
export async function startIssuer(name?: string): Promise<Issuer> {
  let wish: Wish & { claims: Record<string, unknown> };
  let keys: Keys;
  let answer: http.RequestListener;
  let server: http.Server;
  const accounts: string[] = [];
  const subjectOf = (account: string): string => {
    if (!accounts.includes(account)) accounts.push(account);
    return `account-${accounts.indexOf(account)}`;
  };
  const listen = async (port: number): Promise<number> => {
    server = http.createServer((request, response) => {
      issuer.asked.push(request.url!);
      if (issuer.failing?.test(request.url!)) response.writeHead(500).end("no");
      else answer(request, response);
    });
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
    return (server.address() as { port: number }).port;
  };
  const rotate = async (): Promise<void> => {
    keys = await makeKeys();
    const provider = new Provider(issuer.url, {
      clients: Array.from({ length: MAX_ACCOUNTS }, (_, n) => ({
        client_id: `account-${n}`,
        client_secret: "secret",
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: [],
      })),
      jwks: { keys: keys.jwks },
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_: unknown, audience: string) => ({
            audience,
            scope: "",
            accessTokenFormat: "jwt",
            accessTokenTTL: wish.seconds ?? 60,
            jwt: { sign: { alg: wish.alg ?? "RS256" } },
          }),
        },
      },
      extraTokenClaims: () => wish.claims,
    } as never);
    answer = provider.callback();
  };
  const issuer: Issuer = {
    url: "",
    asked: [],
    rotate,
    token: async (claims, { account = JSON.stringify(claims.email ?? null).toLowerCase(), ...asked } = {}) => {
      wish = { ...asked, claims };
      const response = await fetch(`${address}/token`, {
        method: "POST",
        headers: { authorization: `Basic ${Buffer.from(`${subjectOf(account)}:secret`).toString("base64")}` },
        body: new URLSearchParams({ grant_type: "client_credentials", resource: asked.audience ?? AUDIENCE }),
      });
      const body = (await response.json()) as { access_token?: string };
      if (!body.access_token) throw new Error(`the issuer gave no token: ${JSON.stringify(body)}`);
      return body.access_token;
    },
    sign: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: keys.kid, ...header }).sign(keys.rsa),
    down: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    up: async () => {
      await listen(Number(new URL(address).port));
    },
  };
  // No other program is given this port while the provider is down.
  const address = `http://127.0.0.1:${await listen(await freePort("127.0.0.1"))}`;
  Object.assign(issuer, { url: name ?? address });
  await rotate();
  return issuer;
}
