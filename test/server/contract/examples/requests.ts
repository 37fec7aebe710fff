import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { Afterwards } from "../../../../src/platform/jobs/afterwards.js";
import { assist, ENTRIES, teach } from "../../assistant/support.js";
import { tokensTo } from "../../auth/mailed.js";
import { codeOf, person, withApp, withPassword } from "../../auth/second-factor-support.js";
import { AUTH_WEBHOOK_SECRET, PASSWORD, type TestApp, type TestTenant } from "../../../support/app.js";
import { type Client, fileForm } from "../../../support/client.js";
import { chatOf, Visitor } from "../../webchat/support.js";
import { newForm, newSearch } from "../../widgets/support.js";
import { attach, makeFor, pendingAction, type Side } from "../fixtures.js";

/** What is sent. A route that the fixtures know needs only what differs from them. */
export interface Sent {
  client: Client;
  method: string;
  url: string;
  body?: unknown;
  headers?: Record<string, string>;
}
export interface Place {
  app: TestApp;
  tenant: TestTenant;
  side: Side;
}

const PAGE = "The answer is a page for people, not for programs.";
/** Operations without an example. */
export const LEFT_OUT: Record<string, string> = {
  "verificationPages.show": PAGE,
  "verificationPages.confirm": PAGE,
  "eidPages.show": PAGE,
  "eidPages.begin": PAGE,
  "eidPages.complete": PAGE,
  "auth.beginExternalSignIn": "It leads a browser to the provider.",
  "auth.completeExternalSignIn": "The provider leads a browser back to it.",
  "channels.beginSignIn": "It leads a browser to the provider, with new secrets each time.",
  "channels.completeSignIn": "The provider leads a browser back to it.",
  "csatPages.show": PAGE,
  "csatPages.submit": PAGE,
  "publicWidgets.getScript": "The answer is a script.",
  "attachments.download": "The answer is a file.",
  "logos.get": "The answer is a file.",
  "contacts.export": "The answer is a ZIP archive.",
  "channelWebhooks.receive": "Providers of telephony call it, in their own format, and get XML.",
  "channelWebhooks.receiveMail": "Providers of mail call it, each in its own format.",
};

/** What a list needs first, where its path does not say so. */
export const LISTED: Record<string, string> = {
  "kbEntries.listPending": "kb-entries",
  "kbEntries.search": "POST /api/kb-entries/{id}/archive",
  "kbEntries.export": "POST /api/kb-entries/{id}/archive",
  "policyEntries.listPending": "policy-entries",
  "policyEntries.search": "POST /api/policy-entries/{id}/archive",
  "policyEntries.export": "POST /api/policy-entries/{id}/archive",
  "webhookEndpoints.listDeliveries": "webhook-endpoints",
  "csat.listRatings": "csat-ratings",
  "csat.getStatistics": "csat-ratings",
  "qualityScores.list": "circuit-breakers",
  "capturedMessages.list": "members",
  // `ownMember` has one that is confirmed. Another would take its place.
  "me.listSecondFactors": "none",
};

const visitor = async ({ app, tenant }: Place): Promise<Visitor> => Visitor.open(app.baseUrl, await chatOf(tenant));
const invited = async ({ app, side }: Place): Promise<string> => {
  const email = `${randomUUID()}@example.com`;
  await side.owner.post("/api/members", { email, name: "Grace Hopper", role: "agent" }, 201);
  return (await tokensTo(app, side.tenantId, email))[0]!;
};

/** The requests that the fixtures do not make: public routes, and those whose body differs in each run. */
export const REQUESTS: Record<string, (place: Place) => Partial<Sent> | Promise<Partial<Sent>>> = {
  "health.checkLiveness": () => ({ url: "/healthz" }),
  "health.checkReadiness": () => ({ url: "/readyz" }),
  "auth.login": ({ tenant }) => ({
    url: "/api/auth/login",
    body: { email: tenant.ownerEmail, password: PASSWORD, environment: "live" },
  }),
  "auth.completeSecondFactor": async ({ app, side }) => {
    const { client, email } = await person(side.owner);
    const { secret } = await withApp(client);
    const { token } = await withPassword(app, email);
    return { url: "/api/auth/second-factor", body: { token, code: codeOf(secret) } };
  },
  "auth.refresh": async ({ app, tenant }) => {
    const { headers } = await app
      .client()
      .post("/api/auth/login", { email: tenant.ownerEmail, password: PASSWORD, environment: "live" }, 200);
    return {
      url: "/api/auth/refresh",
      body: { environment: "live" },
      headers: { cookie: headers.get("set-cookie")!.split(";")[0]! },
    };
  },
  "auth.getExternalProvider": () => ({ url: "/api/auth/external" }),
  "auth.requestPasswordReset": ({ tenant }) => ({
    url: "/api/auth/password-reset",
    body: { email: tenant.ownerEmail },
  }),
  "auth.setPassword": async (place) => ({
    url: "/api/auth/password",
    body: { token: await invited(place), password: "my very own password" },
  }),
  "auth.proveEmail": async ({ app, side }) => {
    const { client, email } = await person(side.owner);
    await client.post("/api/me/email-proof", undefined, 200);
    await app.app.get(Afterwards).finished();
    return { url: "/api/auth/email-proof", body: { token: (await tokensTo(app, side.tenantId, email)).at(-1)! } };
  },
  "accounts.changeMany": async ({ side }) => ({
    body: { ids: [await makeFor({ name: "examples", resource: "accounts" }, side)], type: "set", plan: "Business" },
  }),
  "authProvider.receive": () => {
    const body = JSON.stringify({
      type: "organization.created",
      timestamp: new Date().toISOString(),
      data: {
        id: `org_${randomUUID()}`,
        name: "Difference Engines",
        owner: { email: `${randomUUID()}@example.com`, name: "Grace Hopper" },
      },
    });
    const at = new Date();
    return {
      url: "/api/webhooks/auth-provider",
      body,
      headers: {
        "webhook-id": "msg_1",
        "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
        "webhook-signature": new Webhook(AUTH_WEBHOOK_SECRET).sign("msg_1", at, body),
      },
    };
  },
  "webchat.openSession": async ({ tenant }) => ({ url: `${(await chatOf(tenant)).path}/sessions`, body: {} }),
  "webchat.sendMessage": async (place) => {
    const { client, chat } = await visitor(place);
    return {
      client,
      url: `${chat.path}/messages`,
      body: { body: "Where is my parcel?", clientMessageId: randomUUID() },
    };
  },
  "webchat.listMessages": async (place) => {
    const one = await visitor(place);
    await one.write("Where is my parcel?");
    return { client: one.client, url: `${one.chat.path}/messages` };
  },
  "webchat.setTyping": async (place) => {
    const one = await visitor(place);
    await one.write("Where is my parcel?");
    return { client: one.client, url: `${one.chat.path}/typing`, body: { typing: true } };
  },
  "webchat.uploadAttachment": async (place) => {
    const { client, chat } = await visitor(place);
    return { client, url: `${chat.path}/attachments`, body: fileForm("Hello") };
  },
  "publicWidgets.getKb": async ({ side }) => ({
    url: `/api/public/kb-widgets/${(await newSearch(side.owner, side.workspaceId)).publicKey}`,
  }),
  "publicWidgets.searchKb": async ({ side }) => {
    await makeFor({ name: "POST /api/kb-entries/{id}/archive", resource: "kb-entries" }, side);
    const { publicKey } = await newSearch(side.owner, side.workspaceId);
    return { url: `/api/public/kb-widgets/${publicKey}/search?q=return` };
  },
  "publicWidgets.getContactForm": async ({ side }) => ({
    url: `/api/public/contact-form-widgets/${(await newForm(side.owner, side.workspaceId)).publicKey}`,
  }),
  "publicWidgets.submitContactForm": async ({ side }) => ({
    url: `/api/public/contact-form-widgets/${(await newForm(side.owner, side.workspaceId)).publicKey}/submissions`,
    body: { name: "Ada Lovelace", email: "ada@example.com", message: "Where is my parcel?" },
  }),
  "consumption.get": () => {
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    return { url: `/api/consumption?from=${day(6)}&to=${day(0)}` };
  },
  "kbEntries.search": ({ side }) => ({ url: `/api/workspaces/${side.workspaceId}/kb-entries/search?q=return` }),
  "policyEntries.search": ({ side }) => ({ url: `/api/workspaces/${side.workspaceId}/policy-entries/search?q=refund` }),
  "bookings.getFreeBusy": async ({ side }) => {
    await makeFor({ name: "free-busy", resource: "bookings" }, side);
    return {
      url: `/api/calendar/free-busy?workspaceId=${side.workspaceId}&from=2030-05-06T08:00:00Z&to=2030-05-06T18:00:00Z`,
    };
  },
  "attachments.list": async ({ side }) => {
    const id = await makeFor({ name: "attachments", resource: "conversations" }, side);
    await attach(side, id);
    return { url: `/api/conversations/${id}/attachments` };
  },
  "conversations.getOverview": async ({ side }) => {
    const id = await makeFor({ name: "overview", resource: "conversations" }, side);
    const colleague = await person(side.owner, "admin");
    await colleague.client.put(`/api/conversations/${id}/viewing`, { state: "viewing" }, 200);
    return { url: `/api/conversations/${id}/overview?parts=assurance,viewers` };
  },
  "conversations.listAgentActivity": async ({ side, app }) => {
    const id = await makeFor({ name: "activity", resource: "conversations" }, side);
    const { workspaceId } = (await side.key.get(`/api/conversations/${id}`, 200)).body;
    await teach(side.key, workspaceId, [ENTRIES.parcel]);
    await side.key.post(`/api/conversations/${id}/release`, {}, 200);
    await side.key.post(`/api/conversations/${id}/messages`, { body: ENTRIES.parcel.question }, 201);
    await assist(app);
    return { url: `/api/conversations/${id}/agent-activity` };
  },
  "conversations.getSuggestions": async ({ side }) => {
    const id = await makeFor({ name: "suggestions", resource: "conversations" }, side);
    const { workspaceId } = (await side.key.get(`/api/conversations/${id}`, 200)).body;
    await teach(side.key, workspaceId, [ENTRIES.parcel]);
    await side.key.post(`/api/conversations/${id}/messages`, { body: ENTRIES.parcel.question }, 201);
    return { url: `/api/conversations/${id}/suggestions` };
  },
  "pendingActions.listOfConversation": async ({ side }) => {
    const id = await makeFor({ name: "actions", resource: "conversations" }, side);
    await pendingAction(side, id);
    return { url: `/api/conversations/${id}/pending-actions` };
  },
  "conversations.listViewers": async ({ side }) => {
    const id = await makeFor({ name: "viewers", resource: "conversations" }, side);
    const colleague = await person(side.owner, "admin");
    await colleague.client.put(`/api/conversations/${id}/viewing`, { state: "viewing" }, 200);
    return { url: `/api/conversations/${id}/viewers` };
  },
  "identityEvents.list": async ({ side }) => {
    const id = await makeFor(
      { name: "POST /api/conversations/{id}/verification/require", resource: "conversations" },
      side,
    );
    return { url: `/api/conversations/${id}/identity-events` };
  },
  "kbEntries.import": () => ({
    body: { format: "csv", content: "question,answer\nWhen are you open?,From 9 to 17 on weekdays." },
  }),
  "tools.create": () => ({
    body: {
      name: "refund_order",
      description: "Refunds an order of the customer",
      parameters: {
        type: "object",
        properties: {
          orderId: { type: "string", pattern: "^#W\\d{7}$" },
          amount: { type: "number", exclusiveMinimum: 0 },
          customerId: { type: "string", "x-bound": "contact.externalId" },
        },
        required: ["orderId", "amount", "customerId"],
        additionalProperties: false,
      },
      effect: "write",
      url: "https://shop.example.com/tools/refund",
      credentials: { authorization: "Bearer of-the-shop" },
      idempotent: true,
    },
  }),
  "assistantSettings.replace": () => ({ body: { answerConfidence: 0.9, margin: 0.3 } }),
  "csatConfig.replace": () => ({ body: { scale: 10, delayMinutes: 60, questions: { de: "Wie war es?" } } }),
  "breakerSettings.replace": () => ({
    body: { settings: [{ metric: "csat", enabled: true, threshold: 0.25, action: "pause_assistant" }] },
  }),
  "bulkActions.create": ({ side: { contactId } }) => ({
    body: { filter: { contactId, status: ["open", "pending"] }, action: { type: "resolve", resolution: "answered" } },
  }),
  "labels.create": () => ({ body: { name: "vip", colour: "purple" } }),
  "conversations.changeLabels": () => ({ body: { add: ["vip"], remove: ["late"] } }),
  "caseTypes.create": () => ({
    body: {
      key: "complaint",
      name: "Complaint",
      fields: [{ key: "order", label: "Order number", type: "text", options: [], required: true }],
    },
  }),
  "agents.setInstructions": () => ({ body: { instructions: "Help with orders and returns.", reason: "More to do" } }),
  "webhookEndpoints.update": () => ({ body: { description: "Our warehouse", events: ["message.sent"] } }),
  "workspaces.update": () => ({ body: { name: "Support", timezone: "Europe/Berlin" } }),
};
