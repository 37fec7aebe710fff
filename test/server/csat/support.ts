import { randomUUID } from "node:crypto";
import { SendSurveysJob } from "../../../src/quality/csat/survey/send-surveys.job.js";
import type { Schemas } from "../../support/api-types.js";
import type { TestApp } from "../../support/app.js";
import type { Client } from "../../support/client.js";

export interface Conversation {
  id: string;
  contactId: string;
  path: `/api/conversations/${string}`;
}

/** Sends surveys without delay and without a limit per contact, by default. */
const ALWAYS = { enabled: true, delayMinutes: 0, askOncePerDays: 0 };
export const configure = (owner: Client, workspaceId: string, body: object = {}): Promise<unknown> =>
  owner.put(`/api/workspaces/${workspaceId}/csat-config`, { ...ALWAYS, ...body }, 200);

/** A conversation in which the contact asked a question and we answered. */
export async function talk(
  key: Client,
  workspaceId: string,
  { reply = "With the neighbours.", ...body }: { reply?: string | null } & Record<string, unknown> = {},
): Promise<Conversation> {
  const who =
    "contactId" in body ? {} : { contact: { name: "Ada", emails: [`${randomUUID()}@example.com`], phones: [] } };
  const { id, contactId } = (
    await key.post("/api/conversations", { workspaceId, ...who, message: { body: "Where is it?" }, ...body }, 201)
  ).body;
  if (reply !== null) await key.post(`/api/conversations/${id}/reply`, { body: reply }, 200);
  return { id, contactId, path: `/api/conversations/${id}` };
}
export const resolve = (key: Client, { path }: Conversation, resolution = "answered"): Promise<unknown> =>
  key.post(`${path}/resolve`, { resolution }, 200);

/** Makes all jobs due, and decides on every pending survey. */
export async function decide(app: TestApp, node = app): Promise<void> {
  await app.db.query(`update csat_due set due_at = now() - interval '1 second'`);
  await node.app.get(SendSurveysJob).tick();
}

export const messagesOf = async (client: Client, { path }: Conversation): Promise<Schemas["Message"][]> =>
  (await client.get(`${path}/messages?limit=100`, 200)).body.data;
export const announcedIn = async (client: Client, conversation: Conversation): Promise<Schemas["Message"][]> =>
  (await messagesOf(client, conversation)).filter(({ authorType }) => authorType === "system");

export const LINK = /\S+(\/api\/public\/csat\/([\w-]+))/;
/** The path of the link to a conversation's newest survey, as the integration finds it. */
export async function linkOf(key: Client, conversation: Conversation): Promise<string> {
  return LINK.exec((await announcedIn(key, conversation)).at(-1)!.body)![1]!;
}

/** A conversation whose contact was just asked, with the path of the link. */
export async function asked(
  app: TestApp,
  key: Client,
  workspaceId: string,
  body: Record<string, unknown> = {},
): Promise<Conversation & { link: string }> {
  const conversation = await talk(key, workspaceId, body);
  await resolve(key, conversation);
  await decide(app);
  return { ...conversation, link: await linkOf(key, conversation) };
}

/** Opens the page, or submits it, as a browser does. */
export const open = (app: TestApp, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(app.baseUrl + path, init);
export const answer = (app: TestApp, path: string, fields: Record<string, string>): Promise<Response> =>
  open(app, path, { method: "POST", body: new URLSearchParams(fields) });
export const headingOf = async (page: Response): Promise<string> =>
  /<h1[^>]*>(.*?)<\/h1>/s.exec(await page.text())![1]!;
