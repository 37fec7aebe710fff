import { randomUUID } from "node:crypto";
import type { Schemas } from "../../support/api-types.js";
import type { TestApp, TestTenant } from "../../support/app.js";
import type { Answer, Client } from "../../support/client.js";
import { newWorkspace } from "./support.js";

/** One side of a tenant, which sends the links. */
export interface Desk {
  app: TestApp;
  key: Client;
  owner: Client;
  brandId: string;
  workspaceId: string;
}
export interface Person {
  id: string;
  contactId: string;
  path: `/api/conversations/${string}`;
  email: string;
}
export interface Sent {
  linkId: string;
  expiresAt: string;
  code: string;
  token: string;
  url: string;
}

/** The test side, where captured mail can be read. */
export const testDesk = async (app: TestApp, tenant: TestTenant): Promise<Desk> => ({
  app,
  key: tenant.test,
  owner: await tenant.owner("test"),
  ...tenant.testDefaults,
});

export async function workspace(
  { key, owner, brandId }: Desk,
  { settings = {}, ...body }: { settings?: object; name?: string; primaryLanguage?: string } = {},
): Promise<string> {
  const { id } = await newWorkspace(key, brandId, body);
  await owner.put(`/api/workspaces/${id}/identity-settings`, settings, 200);
  return id;
}

export async function person({ key, workspaceId }: Desk, body: object = {}): Promise<Person> {
  const email = `${randomUUID()}@example.com`;
  const { id, contactId } = (
    await key.post(
      "/api/conversations",
      { workspaceId, ...("contactId" in body ? {} : { contact: { name: "Ada", emails: [email] } }), ...body },
      201,
    )
  ).body;
  return { id, contactId, email, path: `/api/conversations/${id}` };
}

export const request = (
  { key }: Desk,
  { path }: Person,
  body: object = {},
): Promise<Answer<Schemas["MagicLinkSent"] & { error?: string }>> =>
  key.post(`${path}/verification/magic-links`, { channel: "email", ...body });

/** The captured mails, newest first. */
export const captured = async ({ owner }: Desk): Promise<Schemas["CapturedMessage"][]> =>
  (await owner.get("/api/captured-messages", 200)).body.data;

export const LINK = /\S+\/api\/public\/verifications\/([\w-]+)/;
export async function sendLink(desk: Desk, one: Person, body: object = {}): Promise<Sent> {
  const answer = await desk.key.post(`${one.path}/verification/magic-links`, { channel: "email", ...body }, 200);
  const { data } = (await desk.owner.get("/api/captured-messages?limit=1", 200)).body;
  const [url, token] = LINK.exec(data[0]!.body) as unknown as [string, string];
  return { ...answer.body, token, url };
}

export const pageOf = (token: string): string => `/api/public/verifications/${token}`;
/** Opens the page or presses its button, as a browser does. */
export const open = (app: TestApp, token: string, init: RequestInit = {}): Promise<Response> =>
  fetch(app.baseUrl + pageOf(token), init);
export const press = (app: TestApp, token: string, init: RequestInit = {}): Promise<Response> =>
  open(app, token, { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, ...init });

export const eventsOf = async ({ key }: Desk, { path }: Person): Promise<Schemas["IdentityEvent"][]> =>
  (await key.get(`${path}/identity-events`, 200)).body.events;
export const typesOf = async (desk: Desk, one: Person): Promise<string[]> =>
  (await eventsOf(desk, one)).map(({ eventType }) => eventType);
