import { hash, randomBytes } from "node:crypto";
import { Injectable, NotFoundException } from "@nestjs/common";
import { mintOpaqueToken, readOpaqueToken } from "../../auth/sessions/session-tokens.js";
import { system, type SystemCaller } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import type { EidStatus } from "./eid.entity.js";
import { type EidAnswer, EidProvider, EidRefusal, type Handshake } from "./eid-provider.js";
import { EidRequests, type Found } from "./eid-requests.js";

type Secret = Omit<Handshake, "state">;
/** What a page says: what became of the request, that it can be begun, that it is not confirmed yet, or was begun in another browser. */
export type Shown = "granted" | "denied" | "failed" | "over" | "begin" | "again" | "elsewhere";
export interface Page {
  language: string;
  brand?: string;
  shown: Shown;
  issuer?: string;
}
/** Where the browser goes on, and the secret that it is to come back with. */
export interface Departure {
  url: string;
  browser: string;
  seconds: number;
}

const NOWHERE: Page = { language: "en", shown: "over" };
const HANDSHAKE_SECONDS = 3_600;

/** A person at a browser: from the link in the mail to the provider and back. What is not asked for by the button changes nothing. */
@Injectable()
export class EidLinksService {
  constructor(
    private readonly db: Database,
    private readonly requests: EidRequests,
    private readonly provider: EidProvider,
    private readonly config: Config,
  ) {}

  async look(token: string): Promise<Page> {
    const link = await this.byLink(token);
    return link ? pageOf(link.request) : NOWHERE;
  }

  /** Pressed again, it begins anew: the state that was sent before is worth nothing any more. */
  async begin(token: string): Promise<Page | Departure> {
    const link = await this.byLink(token);
    if (!link) return NOWHERE;
    const { caller, request } = link;
    const { id, scheme, language, brand } = request;
    const page = pageOf(request);
    if (page.shown !== "begin") return page;
    const [{ token: state, hash: stateHash }, browser, secret] = [
      mintOpaqueToken(caller.tenantId, id),
      randomText(),
      { nonce: randomText(), verifier: randomText() },
    ];
    try {
      const url = await this.provider.authorizationUrl(scheme!, { state, ...secret }, this.redirectUri, language);
      const begun = await this.db.transaction(caller, (tx) => {
        tx.within(request.workspaceId);
        return tx.query(
          `update eid_request set state_hash = :stateHash, browser_hash = :browserHash, sealed = :sealed, returned_at = null
          where tenant_id = :tenant and id = :id and status = 'pending' and expires_at > clock_timestamp() returning id`,
          { id, stateHash, browserHash: sha256(browser), sealed: this.requests.seal(tx, id, secret) },
        );
      });
      return begun.length ? { url, browser, seconds: HANDSHAKE_SECONDS } : { language, brand, shown: "over" };
    } catch (error) {
      if (error instanceof EidRefusal) return { language, brand, shown: "again" };
      throw error;
    }
  }

  /**
   * The browser is back, with whatever it brings. Its state is worth something once, in the browser that it was made for;
   * what cannot be confirmed leaves the link to be tried again until its time is over.
   * @param query with its question mark
   */
  async complete(query: string, browser: string | undefined): Promise<Page> {
    const state = new URLSearchParams(query).get("state") ?? "";
    const found = await this.byToken(state);
    if (!found || found.request.stateHash !== found.hash) return NOWHERE;
    const { caller, request } = found;
    const { id, language, brand, scheme, workspaceId } = request;
    const say = (shown: Shown): Page => ({ language, brand, shown });
    if (request.status !== "pending") return say(shownOf(request.status));
    if (browser === undefined || sha256(browser) !== request.browserHash) return say("elsewhere");
    if (request.expired || !scheme) return say(await this.end(caller, id, "expired"));
    const returned = await this.db.transaction(caller, (tx) => {
      tx.within(workspaceId);
      return tx.query(
        `update eid_request set returned_at = clock_timestamp()
        where tenant_id = :tenant and id = :id and status = 'pending' and state_hash = :hash and returned_at is null returning id`,
        { id, hash: found.hash },
      );
    });
    if (!returned.length) return say("again");
    const answer = await this.provider.redeem(scheme, { state, ...request.secret! }, new URL(this.redirectUri + query));
    return say(await this.end(caller, id, answer));
  }

  private async end(caller: SystemCaller, id: string, answer: EidAnswer): Promise<Shown> {
    if (answer === "waiting" || answer === "slower" || answer === "unknown") return "again";
    try {
      const status = await this.db.transaction(caller, (tx) => this.requests.end(tx, id, answer));
      return status ? shownOf(status) : "over";
    } catch (error) {
      // Erased meanwhile, or the workspace deleted.
      if (error instanceof NotFoundException) return "over";
      throw error;
    }
  }

  private async byLink(token: string): Promise<{ caller: SystemCaller; request: Found<Secret> } | undefined> {
    const found = await this.byToken(token);
    return found && found.request.linkHash === found.hash ? found : undefined;
  }

  /** The request that a token names; whether it is its own is for the caller to compare. */
  private async byToken(
    token: string,
  ): Promise<{ caller: SystemCaller; request: Found<Secret>; hash: string } | undefined> {
    const named = readOpaqueToken(token);
    if (!named) return undefined;
    // Which side it is on makes no difference to what is done here.
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
const shownOf = (status: EidStatus): Shown => (status === "pending" || status === "expired" ? "over" : status);

function pageOf({ status, expired, scheme, language, brand }: Found<Secret>): Page {
  if (status !== "pending") return { language, brand, shown: shownOf(status) };
  return expired || !scheme
    ? { language, brand, shown: "over" }
    : { language, brand, shown: "begin", issuer: scheme.issuer };
}
