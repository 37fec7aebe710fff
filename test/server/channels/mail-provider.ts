import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import { Provider } from "oidc-provider";

export const APPLICATION = { clientId: "parley", clientSecret: "needle of the + client: secret" };
/** The same, at a provider that wants the secret where Microsoft wants it. */
export const MICROSOFTS_APPLICATION = { clientId: "parley-microsoft", clientSecret: APPLICATION.clientSecret };
/** What the application may open by itself. */
export const SHARED_MAILBOX = "support@example.com";

/** A real OAuth provider on loopback whose tokens open mailboxes. It takes each refresh token once. */
export interface MailProvider {
  url: string;
  host: string;
  /** The account that signs in there. Null: they cancel. */
  visitor: string | null;
  /** Accounts whose address the provider has not verified. */
  readonly unverified: Set<string>;
  /** Seconds that the next access tokens last. */
  seconds: number;
  /** The grant type of each request for tokens, but for those of mailboxes that were signed in to before `startOver`. */
  readonly grants: string[];
  /** All codes, tokens and secrets that it has seen or issued. */
  readonly secrets: Set<string>;
  /** What the token endpoint answers instead. */
  atToken?: (form: URLSearchParams) => { status: number; body: object } | undefined;
  /** While set, answers of the token endpoint wait for it. */
  hold?: Promise<void>;
  /** Empties `grants`. A mailbox of an earlier test may still renew its tokens. */
  startOver(): void;
  /** Forgets all tokens and grants, as after a changed password. */
  revokeAll(): Promise<void>;
  /** Ends all access tokens. Refresh tokens stay. */
  endAccess(): void;
  /** Whether a token opens this mailbox now. */
  opens(token: string, address: string): Promise<boolean>;
  /** What a token that opens a mailbox is for. */
  scopesOf(token: string): Promise<readonly string[]>;
  /** Where Dovecot asks about tokens. */
  introspectionUrl: string;
  close(): Promise<void>;
}

/** @param more scopes that it knows */
export async function startMailProvider(
  redirectUri: () => string,
  more: () => readonly string[] = () => [],
): Promise<MailProvider> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: "one" };
  const server = http.createServer((request, response) => {
    void handle(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  const grantIds = new Set<string>();
  const ended = new Set<string>();
  const live = new Set<string>();
  /** How often `startOver` had been called when the sign-in began that a refresh token comes from. */
  const beganIn = new Map<string, number>();
  let starts = 0;
  let provider: Provider | undefined;

  const mail: MailProvider = {
    url: `http://${host}`,
    host,
    visitor: null,
    unverified: new Set(),
    seconds: 3_600,
    grants: [],
    secrets: new Set([APPLICATION.clientSecret]),
    introspectionUrl: `http://${host}/opens`,
    startOver: () => {
      mail.grants.length = 0;
      starts++;
    },
    revokeAll: async () => {
      mail.endAccess();
      for (const id of grantIds) {
        await (await provider!.Grant.find(id))?.destroy();
        await (
          provider as unknown as { RefreshToken: { revokeByGrantId(id: string): Promise<void> } }
        ).RefreshToken.revokeByGrantId(id);
      }
    },
    endAccess: () => {
      for (const token of live) ended.add(token);
    },
    opens: async (token, address) => {
      if (ended.has(token)) return false;
      const found = await provider!.AccessToken.find(token);
      if (found) return found.isValid && found.accountId === address;
      return Boolean((await provider!.ClientCredentials.find(token))?.isValid) && address === SHARED_MAILBOX;
    },
    scopesOf: async (token) => {
      const found = (await provider!.AccessToken.find(token)) ?? (await provider!.ClientCredentials.find(token));
      return (found?.scope ?? "").split(" ");
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  /** Made after the start, because the server's URL is known only then. */
  const made = (): Provider =>
    new Provider(mail.url, {
      clients: [
        {
          client_id: APPLICATION.clientId,
          client_secret: APPLICATION.clientSecret,
          redirect_uris: [redirectUri()],
          response_types: ["code"],
          grant_types: ["authorization_code", "refresh_token", "client_credentials"],
        },
        {
          client_id: MICROSOFTS_APPLICATION.clientId,
          client_secret: MICROSOFTS_APPLICATION.clientSecret,
          token_endpoint_auth_method: "client_secret_post",
          redirect_uris: [redirectUri()],
          response_types: ["code"],
          grant_types: ["authorization_code", "refresh_token", "client_credentials"],
        },
      ],
      // Microsoft gives offline access to whoever asks for it.
      issueRefreshToken: () => true,
      jwks: { keys: [jwk] },
      cookies: { keys: ["a key"] },
      scopes: ["openid", "email", "offline_access", "mail", ...more()],
      claims: { openid: ["sub"], email: ["email", "email_verified"] },
      findAccount: (_: unknown, accountId: string) => ({
        accountId,
        claims: () => ({ sub: accountId, email: accountId, email_verified: !mail.unverified.has(accountId) }),
      }),
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      rotateRefreshToken: true,
      ttl: { AccessToken: () => mail.seconds, ClientCredentials: () => mail.seconds },
      features: { devInteractions: { enabled: false }, clientCredentials: { enabled: true } },
    } as never);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!.split("?", 1)[0]!;
    provider ??= made();
    if (path.startsWith("/interaction/")) return interact(request, response);
    if (path === "/opens") return introspect(request, response);
    if (path === "/token") {
      const form = new URLSearchParams(await text(request));
      for (const name of ["code", "code_verifier", "refresh_token"])
        if (form.get(name)) mail.secrets.add(form.get(name)!);
      const began = beganIn.get(form.get("refresh_token") ?? "") ?? starts;
      if (began === starts) mail.grants.push(form.get("grant_type")!);
      const instead = mail.atToken?.(form);
      if (instead) {
        response.writeHead(instead.status, { "content-type": "application/json" }).end(JSON.stringify(instead.body));
        return;
      }
      // The body was read already, so the provider gets it from here.
      Object.assign(request, { body: Object.fromEntries(form) });
      note(response, began);
    }
    await provider.callback()(request, response);
  }

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { visitor } = mail;
    if (visitor === null) return provider!.interactionFinished(request, response, { error: "access_denied" });
    const { params } = await provider!.interactionDetails(request, response);
    const grant = new provider!.Grant({ accountId: visitor, clientId: String(params.client_id) });
    grant.addOIDCScope(["openid email offline_access mail", ...more()].join(" "));
    const grantId = await grant.save();
    grantIds.add(grantId);
    await provider!.interactionFinished(request, response, {
      login: { accountId: visitor, remember: false },
      consent: { grantId },
    });
  }

  /** As RFC 7662 says, with the mailbox that the token opens. */
  async function introspect(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const token =
      new URLSearchParams(await text(request)).get("token") ??
      new URL(request.url!, mail.url).searchParams.get("token") ??
      "";
    const found = await provider!.AccessToken.find(token);
    const username = found?.accountId ?? SHARED_MAILBOX;
    const active = await mail.opens(token, username);
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify(active ? { active, username, scope: "mail" } : { active }));
  }

  /** Notes what is issued, and holds the answer back if asked to. */
  function note(response: ServerResponse, began: number): void {
    const end = response.end.bind(response) as (body: string) => ServerResponse;
    response.end = ((body: string | Buffer) => {
      const json = JSON.parse(body.toString()) as Record<string, string>;
      for (const name of ["id_token", "access_token", "refresh_token"]) if (json[name]) mail.secrets.add(json[name]);
      if (json.refresh_token) beganIn.set(json.refresh_token, began);
      if (json.access_token) live.add(json.access_token);
      void Promise.resolve(mail.hold).then(() => end(body.toString()));
      return response;
    }) as ServerResponse["end"];
  }

  return mail;
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
