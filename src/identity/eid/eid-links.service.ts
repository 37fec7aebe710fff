import { hash, randomBytes } from "node:crypto";
import { Injectable, NotFoundException } from "@nestjs/common";
import { IsNull } from "typeorm";
import { mintOpaqueToken, readOpaqueToken } from "../../auth/sessions/session-tokens.js";
import { system, type SystemCaller } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import { EidRequestEntity, type EidStatus } from "./eid.entity.js";
import { type EidAnswer, EidProvider, EidRefusal, type Handshake } from "./eid-provider.js";
import { EidRequests, type FoundRequest } from "./eid-requests.js";

type Secret = Omit<Handshake, "state">;
/**
 * What the page shows: the result (`granted`, `denied`, `failed`), that the link is not valid (`over`), the button
 * (`begin`), that it is not confirmed yet (`again`), or that it was begun in another browser (`elsewhere`).
 */
export type PageState = "granted" | "denied" | "failed" | "over" | "begin" | "again" | "elsewhere";
export interface EidPage {
  language: string;
  brand?: string;
  state: PageState;
  /** With the button: the provider that it leads to. */
  issuer?: string;
}
/** Sends the browser to the provider. */
export interface ProviderRedirect {
  url: string;
  /** A secret that the browser must bring back, as a cookie. */
  browserSecret: string;
  /** How long the cookie lasts. */
  seconds: number;
}

const UNKNOWN_LINK: EidPage = { language: "en", state: "over" };
const COOKIE_SECONDS = 3_600;

const BEGIN = query<{ id: string; stateHash: string; browserHash: string; sealed: Buffer }>()(
  "eidLinks.begin",
  { unrestricted: "the token of the link is the credential" },
  ({ id, stateHash, browserHash, sealed }) => sql`
    update eid_request
    set state_hash = ${stateHash}, browser_hash = ${browserHash}, sealed = ${sealed}, returned_at = null
    where tenant_id = ${TENANT} and id = ${id} and status = 'pending' and expires_at > clock_timestamp()
    returning id`,
);

/** Takes a person from the link in the mail to the provider and back. Only pressing the button changes anything. */
@Injectable()
export class EidLinksService {
  constructor(
    private readonly db: Database,
    private readonly requests: EidRequests,
    private readonly provider: EidProvider,
    private readonly config: Config,
  ) {}

  async look(token: string): Promise<EidPage> {
    const link = await this.byLink(token);
    return link ? pageOf(link.request) : UNKNOWN_LINK;
  }

  /** Begins the sign-in at the provider. Pressed again, it begins anew, and the earlier state is no longer accepted. */
  async begin(token: string): Promise<EidPage | ProviderRedirect> {
    const link = await this.byLink(token);
    if (!link) return UNKNOWN_LINK;
    const { caller, request } = link;
    const { id, scheme, language, brand } = request;
    const page = pageOf(request);
    if (page.state !== "begin") return page;
    const { token: state, hash: stateHash } = mintOpaqueToken(caller.tenantId, id);
    const browserSecret = randomText();
    const secret: Secret = { nonce: randomText(), verifier: randomText() };
    try {
      const url = await this.provider.authorizationUrl(scheme!, { state, ...secret }, this.redirectUri, language);
      const begun = await this.db.transaction(caller, (tx) => {
        tx.changesWorkspace(request.workspaceId);
        const sealed = this.requests.seal(tx, id, secret);
        return tx.query(BEGIN, { id, stateHash, browserHash: sha256(browserSecret), sealed });
      });
      return begun.length ? { url, browserSecret, seconds: COOKIE_SECONDS } : { language, brand, state: "over" };
    } catch (error) {
      if (error instanceof EidRefusal) return { language, brand, state: "again" };
      throw error;
    }
  }

  /**
   * The browser comes back from the provider. Its state is accepted once, in the browser that it was made for. After an
   * answer that confirms nothing, the link can be tried again until it expires.
   * @param search the query of the URL, with its question mark
   */
  async complete(search: string, browserSecret: string | undefined): Promise<EidPage> {
    const state = new URLSearchParams(search).get("state") ?? "";
    const found = await this.byToken(state);
    if (!found || found.request.stateHash !== found.hash) return UNKNOWN_LINK;
    const { caller, request } = found;
    const { id, language, brand, scheme, workspaceId } = request;
    const show = (shown: PageState): EidPage => ({ language, brand, state: shown });
    if (request.status !== "pending") return show(stateOf(request.status));
    if (browserSecret === undefined || sha256(browserSecret) !== request.browserHash) return show("elsewhere");
    if (request.expired || !scheme) return show(await this.end(caller, id, "expired"));
    const returned = await this.db.transaction(caller, (tx) => {
      tx.changesWorkspace(workspaceId);
      return tx.update(
        EidRequestEntity,
        { id, status: "pending", stateHash: found.hash, returnedAt: IsNull() },
        { returnedAt: () => "clock_timestamp()" },
      );
    });
    if (!returned) return show("again");
    const answer = await this.provider.redeem(
      scheme,
      { state, ...request.secret! },
      new URL(this.redirectUri + search),
    );
    return show(await this.end(caller, id, answer));
  }

  private async end(caller: SystemCaller, id: string, answer: EidAnswer): Promise<PageState> {
    if (answer === "waiting" || answer === "slower" || answer === "unknown") return "again";
    try {
      const status = await this.db.transaction(caller, (tx) => this.requests.end(tx, id, answer));
      return status ? stateOf(status) : "over";
    } catch (error) {
      // The contact was erased or the workspace deleted in the meantime.
      if (error instanceof NotFoundException) return "over";
      throw error;
    }
  }

  private async byLink(token: string): Promise<{ caller: SystemCaller; request: FoundRequest<Secret> } | undefined> {
    const found = await this.byToken(token);
    return found && found.request.linkHash === found.hash ? found : undefined;
  }

  /** The request that a token names. The caller must compare the hash. */
  private async byToken(
    token: string,
  ): Promise<{ caller: SystemCaller; request: FoundRequest<Secret>; hash: string } | undefined> {
    const named = readOpaqueToken(token);
    if (!named) return undefined;
    // The tenant's side does not matter here, so either one will do.
    const caller = system("eid", named.organisationId, "live");
    const request = await this.requests.find<Secret>(caller, named.id);
    return request?.mode === "link" ? { caller, request, hash: named.hash } : undefined;
  }

  private get redirectUri(): string {
    return `${this.config.publicUrl}/api/public/eid/callback`;
  }
}

const randomText = (): string => randomBytes(32).toString("base64url");
const sha256 = (text: string): string => hash("sha256", text);
const stateOf = (status: EidStatus): PageState => (status === "pending" || status === "expired" ? "over" : status);

function pageOf({ status, expired, scheme, language, brand }: FoundRequest<Secret>): EidPage {
  if (status !== "pending") return { language, brand, state: stateOf(status) };
  return expired || !scheme
    ? { language, brand, state: "over" }
    : { language, brand, state: "begin", issuer: scheme.issuer };
}
