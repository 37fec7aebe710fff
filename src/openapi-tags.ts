import type { Tag } from "./platform/http/openapi/tags.js";

export const WEBHOOKS_TAG = "Webhooks (preview)";
/** The tags of the OpenAPI document in reading order, each with the groups of operations that it has. */
export const TAGS: readonly Tag[] = [
  {
    name: "Conversations",
    groups: ["conversations", "bulkActions", "labels"],
    description:
      "Conversations between a contact and your side, their messages and notes, their labels, and who handles them.",
  },
  {
    name: "Desk",
    groups: ["cannedReplies", "views"],
    description: "What members keep for their work: canned replies and saved views.",
  },
  {
    name: "Attachments",
    groups: ["attachments"],
    description: "Files in messages. Upload a file first, then send a message that names it.",
  },
  {
    name: "Attention",
    groups: ["attentionItems", "pendingActions"],
    description: "What needs a person: handoffs, approvals, guardrails that blocked, and low ratings.",
  },
  {
    name: "Cases",
    groups: ["cases", "caseTypes"],
    description: "Matters that outlast one conversation, with a number, a type, fields and a due date.",
  },
  {
    name: "Contacts",
    groups: ["contacts"],
    description: "The people who write to you. Contacts can be imported, merged, exported and erased.",
  },
  { name: "Accounts", groups: ["accounts"], description: "The companies that contacts belong to." },
  {
    name: "Identity",
    groups: [
      "verification",
      "identityEvents",
      "identitySettings",
      "retentionSettings",
      "verificationSources",
      "eidSchemes",
      "verificationPages",
      "eidPages",
    ],
    description:
      "Proves who a contact is: questions, codes, links and electronic identities, and the log of each step.",
  },
  {
    name: "Knowledge base",
    groups: ["kbEntries"],
    description: "Questions and answers that the assistant draws on. A person reviews what is proposed.",
  },
  {
    name: "Policies",
    groups: ["policyEntries"],
    description: "Rules about what the assistant may do. A person reviews what is proposed.",
  },
  {
    name: "Agents",
    groups: ["agents", "assistantSettings", "tools"],
    description: "Definitions of the assistant: its instructions, tools and guardrails.",
  },
  {
    name: "Channels",
    groups: ["channels", "channelWebhooks"],
    description: "The ways in which contacts reach a workspace: web chat, email, SMS, voice, contact form and API.",
  },
  {
    name: "Web chat",
    groups: ["webchat"],
    description: "The chat on your own website. Visitors have a token of their own, not a key.",
  },
  {
    name: "Widgets",
    groups: ["kbWidgets", "contactFormWidgets", "publicWidgets"],
    description: "A search box and contact forms for your own website.",
  },
  {
    name: "Calendar",
    groups: ["calendarConnections", "bookings"],
    description: "Connected calendars, bookings in them, and the times that are free.",
  },
  {
    name: "Quality",
    groups: ["csat", "csatConfig", "csatPages", "qualityScores", "circuitBreakers", "breakerSettings"],
    description: "Satisfaction surveys, quality scores, and circuit breakers that stop what goes wrong.",
  },
  { name: "Consumption", groups: ["consumption"], description: "How much was used, by day and by conversation." },
  {
    name: "Changes",
    groups: ["changes", "events"],
    description: "Everything that changes, in order: a feed to poll, and a stream for members.",
  },
  {
    name: WEBHOOKS_TAG,
    groups: ["webhookEndpoints", "webhookDeliveries"],
    description: "Sends events to your server. This is a preview that a tenant turns on.",
  },
  {
    name: "Workspaces",
    groups: ["workspaces", "brands"],
    description: "Brands and their workspaces. Nearly everything belongs to one workspace.",
  },
  { name: "Members", groups: ["members"], description: "The people on your side, their roles and their workspaces." },
  { name: "API keys", groups: ["apiKeys"], description: "The keys of your integrations, with scopes and an expiry." },
  {
    name: "Session",
    groups: ["auth", "me"],
    description: "Signing in, and what concerns the caller: password, second factors and sessions.",
  },
  { name: "Tenant", groups: ["tenant"], description: "The settings of your organisation." },
  {
    name: "Privacy",
    groups: ["erasureRequests"],
    description: "Certificates of erasures, which prove what was erased.",
  },
  { name: "Audit log", groups: ["auditLog"], description: "Who changed what, and when." },
  { name: "Security log", groups: ["securityLog"], description: "Sign-ins, and changes to credentials." },
  { name: "Outbox", groups: ["outbox"], description: "Messages that wait to be sent, or that could not be sent." },
  {
    name: "Test side",
    groups: ["capturedMessages"],
    description: "What the test side would have sent. It sends nothing outside.",
  },
  {
    name: "Provisioning",
    groups: ["authProvider"],
    description: "Events from an external sign-in provider, which create organisations and members.",
  },
  { name: "Operations", groups: ["health"], description: "Whether the server runs, for load balancers and monitors." },
];
