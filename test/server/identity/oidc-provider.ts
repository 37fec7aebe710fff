import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { errors, Provider } from "oidc-provider";

export const CLIENT = { clientId: "parley", clientSecret: "needle-of-the-client-secret" };
export const HIGH = "urn:example:loa:high";
/** What the token endpoint answers instead: a status with a body, or nothing if the provider answers itself. */
type Answer = { status: number; body: object } | undefined;

/** A real OpenID provider on loopback, with an eID app (CIBA) and a login page (authorization code). */
export interface EidServer {
  url: string;
  host: string;
  /** Method and path of each request. */
  asked: string[];
  /** The secrets that it issued: codes, tokens, and the ids of prompts. */
  secrets: Set<string>;
  /** Who is at the login page. Null: they decline. `signedInAt`: when they signed in there, in seconds since 1970; now by default. */
  visitor: { person: string; acr?: string; signedInAt?: number } | null;
  /** The email of each person that has one. */
  emails: Map<string, { email: string; email_verified: boolean }>;
  /** Answers all pending prompts in the app. The login hint names the person: `hint-of-<person>`. */
  approve(acr?: string): Promise<void>;
  decline(): Promise<void>;
  /** Seconds until a prompt expires. */
  promptSeconds: number;
  /** Changes the claims of the next ID tokens, signed with the provider's key, or with another key of the same name. */
  forge?: { claims?: JWTPayload; otherKey?: true };
  /** Replaces the token endpoint. */
  atToken?: (form: URLSearchParams) => Answer;
  /** Runs before each answer of the token endpoint is sent. */
  beforeToken?: () => Promise<void>;
  close(): Promise<void>;
}

export async function startEidServer(redirectUri: () => string): Promise<EidServer> {
  const [key, otherKey] = [
    await generateKeyPair("RS256", { extractable: true }),
    await generateKeyPair("RS256", { extractable: true }),
  ];
  const jwk = { ...(await exportJWK(key.privateKey)), alg: "RS256", use: "sig", kid: "one" };
  const server = http.createServer((request, response) => {
    void handle(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  const waiting: { id: string; person: string }[] = [];
  let provider: Provider | undefined;

  const grantFor = async (accountId: string): Promise<string> => {
    const grant = new provider!.Grant({ accountId, clientId: CLIENT.clientId });
    grant.addOIDCScope("openid email");
    return grant.save();
  };
  const eid: EidServer = {
    url: `http://${host}`,
    host,
    asked: [],
    secrets: new Set(),
    visitor: null,
    emails: new Map(),
    promptSeconds: 120,
    approve: async (acr = HIGH) => {
      for (const { id, person } of waiting.splice(0))
        await provider!.backchannelResult(id, await grantFor(person), { acr });
    },
    decline: async () => {
      for (const { id } of waiting.splice(0)) await provider!.backchannelResult(id, new errors.AccessDenied());
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  /** Made after the start, because the server's URL is known only then. */
  const made = (): Provider =>
    new Provider(eid.url, {
      clients: [
        {
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
          redirect_uris: [redirectUri()],
          response_types: ["code"],
          grant_types: ["authorization_code", "urn:openid:params:grant-type:ciba"],
          backchannel_token_delivery_mode: "poll",
          require_auth_time: true,
        },
      ],
      jwks: { keys: [jwk] },
      cookies: { keys: ["a key"] },
      acrValues: [HIGH, "urn:example:loa:low"],
      claims: { openid: ["sub", "acr"], email: ["email", "email_verified"] },
      findAccount: (_: unknown, accountId: string) => ({
        accountId,
        claims: () => ({ sub: accountId, ...eid.emails.get(accountId) }),
      }),
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      ttl: { BackchannelAuthenticationRequest: () => eid.promptSeconds },
      features: {
        devInteractions: { enabled: false },
        ciba: {
          enabled: true,
          deliveryModes: ["poll"],
          processLoginHint: (_: unknown, hint: string) => /^hint-of-(.+)$/.exec(hint)?.[1],
          validateBindingMessage: () => undefined,
          validateRequestContext: () => undefined,
          verifyUserCode: () => undefined,
          triggerAuthenticationDevice: (_: unknown, { jti, accountId }: { jti: string; accountId: string }) => {
            waiting.push({ id: jti, person: accountId });
            eid.secrets.add(jti);
          },
        },
      },
    } as never);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!.split("?", 1)[0]!;
    eid.asked.push(`${request.method} ${path}`);
    provider ??= made();
    if (path.startsWith("/interaction/")) return interact(request, response);
    if (path === "/token") {
      const form = new URLSearchParams(await text(request));
      for (const name of ["code", "auth_req_id", "code_verifier"]) if (form.get(name)) eid.secrets.add(form.get(name)!);
      const instead = eid.atToken?.(form);
      if (instead)
        return void response
          .writeHead(instead.status, { "content-type": "application/json" })
          .end(JSON.stringify(instead.body));
      // The body was read already, so the provider gets it from here.
      Object.assign(request, { body: Object.fromEntries(form) });
      rewrite(response);
    }
    await provider.callback()(request, response);
  }

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { visitor } = eid;
    await provider!.interactionFinished(
      request,
      response,
      visitor
        ? {
            login: { accountId: visitor.person, acr: visitor.acr ?? HIGH, ts: visitor.signedInAt, remember: false },
            consent: { grantId: await grantFor(visitor.person) },
          }
        : { error: "access_denied" },
    );
  }

  function rewrite(response: ServerResponse): void {
    const end = response.end.bind(response) as (body: string) => ServerResponse;
    response.end = ((body: string | Buffer) => {
      void (async () => {
        const json = JSON.parse(body.toString()) as Record<string, string>;
        if (json.id_token && eid.forge) json.id_token = await forged(json.id_token, eid.forge);
        for (const name of ["id_token", "access_token"]) if (json[name]) eid.secrets.add(json[name]);
        await eid.beforeToken?.();
        const changed = JSON.stringify(json);
        response.setHeader("content-length", Buffer.byteLength(changed));
        end(changed);
      })();
      return response;
    }) as ServerResponse["end"];
  }

  const forged = (token: string, { claims, otherKey: other }: NonNullable<EidServer["forge"]>): Promise<string> =>
    new SignJWT({ ...(JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()) as JWTPayload), ...claims })
      .setProtectedHeader({ alg: "RS256", kid: "one" })
      .sign(other ? otherKey.privateKey : key.privateKey);

  return eid;
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** A browser without scripts. It keeps cookies by host and port, and follows redirects when told to. */
export class Browser {
  private readonly jar = new Map<string, Map<string, string>>();

  /** Keeps a cookie that a script of the page was answered with. */
  keep(origin: string, cookie: string): void {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
    this.jar.set(origin, (this.jar.get(origin) ?? new Map<string, string>()).set(name!, value!));
  }

  /** Has the cookies of another browser from now on. */
  copy(other: Browser): void {
    for (const [origin, cookies] of other.jar) this.jar.set(origin, new Map(cookies));
  }

  async open(
    url: string,
    method: "GET" | "POST" = "GET",
  ): Promise<{ status: number; location: string | null; text: string; headers: Headers }> {
    const { origin } = new URL(url);
    const cookies = this.jar.get(origin) ?? new Map<string, string>();
    this.jar.set(origin, cookies);
    const response = await fetch(url, {
      method,
      redirect: "manual",
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(method === "POST" && { "content-type": "application/x-www-form-urlencoded" }),
      },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      cookies.set(name!, value!);
    }
    const location = response.headers.get("location");
    return {
      status: response.status,
      location: location && new URL(location, url).href,
      text: await response.text(),
      headers: response.headers,
    };
  }

  /** Follows redirects until one leads to `goal`. @returns that URL, not opened yet */
  async travel(url: string, goal: string): Promise<string> {
    let at: string | null = url;
    for (let hops = 0; at && hops < 10; hops++) {
      if (at.startsWith(goal)) return at;
      const answer: { location: string | null; text: string; status: number } = await this.open(at);
      if (!answer.location)
        throw new Error(`${at.split("?", 1)[0]} answered ${answer.status} ${answer.text.slice(0, 500)}`);
      at = answer.location;
    }
    throw new Error("redirected without end");
  }
}
