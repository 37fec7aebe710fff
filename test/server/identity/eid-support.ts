import { expect, type MockInstance, vi } from "vitest";
import { EidJob } from "../../../src/identity/eid/eid.job.js";
import { newWorkspace } from "../e2e/support.js";
import type { Schemas } from "../../support/api-types.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { Browser, CLIENT, type EidServer, HIGH, startEidServer } from "./oidc-provider.js";

export interface Call {
  id: string;
  contactId: string;
  workspaceId: string;
  path: `/api/conversations/${string}`;
  email: string;
  phone: string;
}
let serial = 0;
/** A first approval binds the person if `sub` is on file. */
const BINDING = { match: "identifier", identifierClaim: "sub", identifierAttribute: "person" };

/** An application with a tenant's test side, where mail can be read, and a provider that it may call. */
export class EidWorld {
  /** Everything that the process logged, at the most verbose level. */
  output = "";
  /** Whose links were sent. */
  private readonly calls = new Map<string, Call>();
  private readonly spies: MockInstance[];

  private constructor(
    readonly app: TestApp,
    readonly tenant: TestTenant,
    public owner: Client,
    readonly key: Client,
    readonly eid: EidServer,
  ) {
    this.spies = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, "write").mockImplementation((chunk) => {
        this.output += Buffer.from(chunk as Uint8Array).toString();
        return true;
      }),
    );
  }

  static async start(): Promise<EidWorld> {
    let callback = "";
    const eid = await startEidServer(() => callback);
    const app = await startApp({ OUTBOUND_ALLOW: [eid.host], LOG_LEVEL: "debug" });
    Object.assign(app.config, { PUBLIC_URL: app.baseUrl });
    callback = `${app.baseUrl}/api/public/eid/callback`;
    const tenant = await app.tenant();
    return new EidWorld(app, tenant, await tenant.owner("test"), tenant.test, eid);
  }

  /** Starts a new session of the owner, because an access token ends after 15 minutes. */
  async signInAgain(): Promise<void> {
    this.owner = await this.tenant.owner("test");
  }

  async stop(): Promise<void> {
    for (const spy of this.spies) spy.mockRestore();
    await this.app.close();
    await this.eid.close();
  }

  /** A new workspace with the scheme `bank-id`, which binds a person who is on file. */
  async workspace(settings: object = {}, scheme: object = {}): Promise<string> {
    const { id } = await newWorkspace(this.key, this.tenant.testDefaults.brandId);
    await this.owner.put(`/api/workspaces/${id}/identity-settings`, settings, 200);
    await this.owner.put(
      `/api/workspaces/${id}/eid-schemes`,
      {
        schemes: [{ name: "bank-id", issuer: this.eid.url, ...CLIENT, acrValues: [HIGH], binding: BINDING, ...scheme }],
      },
      200,
    );
    return id;
  }

  /** A conversation with a new contact, whose phone is verified by default. */
  async call(workspaceId: string, body: object = {}): Promise<Call> {
    const n = ++serial;
    const [email, phone] = [`ada-${n}@example.com`, `+49309018${1000 + n}`];
    const { id, contactId } = (
      await this.key.post(
        "/api/conversations",
        {
          workspaceId,
          ...("contactId" in body ? {} : { contact: { name: "Ada", emails: [email], phones: [phone] } }),
          ...body,
        },
        201,
      )
    ).body;
    await this.app.db.query(`update contact_point set verified_at = now() where contact_id = $1 and kind = 'phone'`, [
      contactId,
    ]);
    return { id, contactId, workspaceId, path: `/api/conversations/${id}`, email, phone };
  }

  request({ path }: Call, mode: "push" | "link", more: object = {}) {
    return this.key.post(`${path}/verification/eid-requests`, { scheme: "bank-id", mode, ...more });
  }

  /** Puts the person on the contact's file, unless there is one. */
  async putOnFile({ contactId }: Call, person: string): Promise<void> {
    await this.app.db.query(
      `update contact set attributes = jsonb_build_object('person', $2::text) || attributes where id = $1
        and not exists (select from eid_binding where contact_id = $1)`,
      [contactId, person],
    );
  }

  /** Pushes a prompt to the app of a person, who is on file. @returns the request's id */
  async push(one: Call, person: string): Promise<string> {
    await this.putOnFile(one, person);
    return this.pushToStranger(one, person);
  }

  /** Pushes a prompt to the app of a person whom the caller named. @returns the request's id */
  async pushToStranger(one: Call, person: string): Promise<string> {
    const { status, body, text } = await this.request(one, "push", { loginHint: `hint-of-${person}` });
    expect(status, text).toBe(200);
    return body.requestId;
  }

  /** Requests a link. @returns its URL */
  async link(one: Call): Promise<string> {
    const { status, text } = await this.request(one, "link");
    expect(status, text).toBe(200);
    const { data } = (await this.owner.get("/api/captured-messages", 200)).body;
    expect(data[0]!.to).toBe(one.email);
    const url = /http:\S+/.exec(data[0]!.body)![0];
    this.calls.set(url, one);
    return url;
  }

  /** The person, who is on file, goes from the link to the provider and back. @returns the URL that the browser is sent back to, not opened yet */
  async there(browser: Browser, link: string): Promise<string> {
    if (this.eid.visitor) await this.putOnFile(this.calls.get(link)!, this.eid.visitor.person);
    const { status, location, text } = await browser.open(link, "POST");
    expect(status, text).toBe(303);
    return browser.travel(location!, `${this.app.baseUrl}/`);
  }

  /** Goes through the whole flow of a link. @returns the last page */
  async visit(link: string, person: string | null, acr?: string): Promise<string> {
    this.eid.visitor = person === null ? null : { person, acr };
    const browser = new Browser();
    return (await browser.open(await this.there(browser, link))).text;
  }

  /** Makes all pending requests due and runs the job. The column rounds to milliseconds, so "now" can be in the future. */
  async tick(): Promise<void> {
    await this.app.db.query("update eid_due set due_at = clock_timestamp() - interval '1 second'");
    await this.app.app.get(EidJob).tick();
  }

  /** Makes the request expire. */
  async late(one: Call): Promise<void> {
    await this.app.db.query(
      `update eid_request set expires_at = clock_timestamp() - interval '1 millisecond' where conversation_id = $1`,
      [one.id],
    );
    await this.app.db.query(
      `update eid_due set ends_at = clock_timestamp() - interval '1 millisecond' where request_id in (select id from eid_request where conversation_id = $1)`,
      [one.id],
    );
  }

  async events({ path }: Call): Promise<Schemas["IdentityEvent"][]> {
    return (await this.key.get(`${path}/identity-events`, 200)).body.events;
  }

  async types(one: Call): Promise<string[]> {
    return (await this.events(one)).map(({ eventType }) => eventType);
  }

  async assurance({ path }: Call): Promise<Schemas["Assurance"]> {
    return (await this.key.get(`${path}/assurance`, 200)).body;
  }

  /** Adds a factor that identifies the caller, as a magic link does. */
  async identify({ id }: Call, forSeconds = 1_800): Promise<void> {
    await this.app.db.query(
      `insert into verification_factor (tenant_id, id, conversation_id, contact_id, factor_type, factor_category, expires_at)
      select tenant_id, gen_random_uuid(), id, contact_id, 'magic_link', 'possession',
        clock_timestamp() + make_interval(secs => $2)
      from conversation where id = $1`,
      [id, forSeconds],
    );
  }

  async level({ path }: Call): Promise<string> {
    return (await this.key.get(path, 200)).body.assuranceLevel;
  }

  async status(one: Call): Promise<string[]> {
    return (
      await this.app.db.query<{ status: string }>(
        "select status from eid_request where conversation_id = $1 order by created_at",
        [one.id],
      )
    ).map(({ status }) => status);
  }
}
