import { ACCESS_ENUMS } from "./openapi-access-enums.js";
import type { NamedEnum } from "./platform/http/openapi/enums.js";

/**
 * The names of the enums in the OpenAPI document. A field refers to the enum that has its values, so the values are
 * checked against the code: `npm run openapi` refuses an enum without a name and a name that no field uses.
 */
export const ENUMS: Readonly<Record<string, NamedEnum>> = {
  ...ACCESS_ENUMS,
  WorkspaceStatus: {
    description: "The state of a workspace.",
    values: {
      active: "in use",
      inactive: "the assistant is off, and all else works",
      archived: "readable; new conversations and replies are refused",
    },
  },
  ChannelType: {
    description: "The medium of a channel.",
    values: ["webchat", "email", "sms", "voice", "contact_form", "api"],
  },
  ChannelStatus: {
    description: "Whether a channel works.",
    values: ["provisioning", "active", "error", "disabled"],
  },
  EventInclude: {
    description: "What an event of a stream carries besides ids and states.",
    values: {
      resource: "what the event is about, as the API shows it now",
      contact: "the contact of a conversation",
    },
  },
  BulkActionStatus: { description: "Whether a bulk action is still at work.", values: ["running", "done"] },
  BulkChangeType: {
    description: "What a bulk action does with each conversation.",
    values: ["resolve", "reopen", "wait", "snooze", "assign", "unassign", "read", "label"],
  },
  LabelColour: {
    description: "The colour of a label. The dashboard shows a shade that can be read on light and on dark.",
    values: ["gray", "red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"],
  },
  ConversationSort: {
    description: "The order of a list of conversations.",
    values: { recent: "newest activity first", waiting: "who has waited longest first" },
  },
  ConversationStatus: {
    description: "The state of a conversation.",
    values: {
      open: "waits for your side",
      pending: "waits for the contact",
      snoozed: "opens by itself at `snoozedUntil`",
      resolved: "done; a message within 7 days opens it again",
    },
  },
  ReplyThen: {
    description: "What becomes of a conversation with a reply.",
    values: {
      pending: "it waits for the contact",
      snooze: "it is snoozed until `snoozeUntil`",
      resolve: "it is resolved",
    },
  },
  HandlingMode: { description: "Who answers a conversation.", values: ["assistant", "human"] },
  Priority: {
    description: "How urgent something is.",
    values: ["none", "low", "medium", "high", "urgent"],
  },
  Resolution: {
    description: "How a conversation ended.",
    values: ["answered", "escalated", "abandoned", "duplicate", "spam"],
  },
  AssuranceLevel: {
    description: "How well a contact's identity is proven.",
    values: ["none", "identified", "high-assurance"],
  },
  RequiredAssuranceLevel: {
    description: "How well a contact's identity must be proven.",
    values: ["identified", "high-assurance"],
  },
  SenderProof: {
    description: "What proves that a message is from the contact.",
    values: {
      none: "nothing: anybody could have written it, for example with a contact form",
      channel: "a mail that its domain signed, a provider's signed request, or an API key",
      signed: "your website signed who its visitor is",
    },
  },
  BodyFormat: { description: "How a body is written.", values: ["text", "markdown"] },
  SortOrder: { description: "The order of a list.", values: { asc: "oldest first", desc: "newest first" } },
  MessageDirection: {
    description: "Which way a message goes.",
    values: { inbound: "from the contact", outbound: "to the contact", internal: "a note that the contact never sees" },
  },
  WebchatMessageDirection: {
    description: "Which way a message goes.",
    values: { inbound: "from the visitor", outbound: "to the visitor" },
  },
  AuthorType: {
    description: "Who wrote a message.",
    values: ["contact", "assistant", "member", "api", "system"],
  },
  DeliveryStatus: {
    description: "How far a message got. It is never downgraded.",
    values: {
      held: "does not leave yet, and can be cancelled",
      queued: "waits to be sent",
      sent: "has left",
      delivered: "has arrived",
      read: "was read",
      failed: "could not be sent",
      cancelled: "was cancelled before it left",
    },
  },
  CannedReplyVariable: {
    description: "What a canned reply can say about its conversation.",
    values: [
      "contact.name",
      "contact.firstName",
      "member.name",
      "member.firstName",
      "conversation.id",
      "conversation.subject",
      "workspace.name",
      "brand.name",
    ],
  },
  Theme: { description: "How the dashboard looks.", values: ["system", "light", "dark"] },
  SendKey: {
    description: "The key that sends a reply.",
    values: { modEnter: "Enter with Ctrl or Cmd", enter: "Enter alone" },
  },
  AfterResolve: {
    description: "Where you are after you resolved a conversation.",
    values: { next: "in the next conversation", stay: "where you were", list: "in the list" },
  },
  AuthenticationResult: {
    description: "Whether the sender of an email is proven.",
    values: ["pass", "fail", "none"],
  },
  AuthenticationChecker: {
    description: "Who checked the sender of an email.",
    values: ["parley", "receiving server"],
  },
  ViewingState: { description: "What a member does in a conversation.", values: ["viewing", "typing", "left"] },
  OverviewPart: {
    description: "A part of the overview of a conversation.",
    values: [
      "conversation",
      "messages",
      "identityEvents",
      "assurance",
      "viewers",
      "draft",
      "otherConversations",
      "cases",
      "contactCases",
      "bookings",
    ],
  },
  ViewerState: { description: "What a viewer does in a conversation.", values: ["viewing", "typing"] },
  AgentRunOutcome: {
    description: "How a run of the assistant ended.",
    values: {
      answered: "it answered",
      clarified: "it asked back",
      handed_off: "it handed over to people",
      superseded: "the contact wrote again before it began",
      discarded: "nothing was to be said any more",
      failed: "something went wrong, and people took over",
    },
  },
  AgentStepType: {
    description: "What a step of the assistant did.",
    values: {
      retrieve: "it looked for entries",
      model: "it asked a language model",
      policy: "it evaluated policies",
      tool: "it called a tool",
      send: "it wrote to the contact",
    },
  },
  AgentAction: {
    description: "What the assistant's language model wants to do.",
    values: {
      answer: "answer the contact",
      clarify: "ask the contact back",
      call: "call a tool",
      hand_off: "hand over to people",
      resolve: "resolve the conversation",
    },
  },
  AgentWaitsFor: {
    description: "What a run of the assistant waits for.",
    values: {
      approval: "a person's decision about an action",
      verification: "the contact's proof of who they are",
    },
  },
  AgentDecision: {
    description: "What the assistant makes of what it found.",
    values: {
      answer: "answer with an entry",
      clarify: "ask which of two entries is meant",
      hand_off: "hand over to people",
    },
  },
  SnippetField: { description: "Where the words were found.", values: ["subject", "contact", "message"] },
  AttentionType: {
    description: "Why a person is needed.",
    values: [
      "handoff_requested",
      "approval_required",
      "guardrail_block",
      "identity_locked",
      "verification_not_configured",
      "low_confidence",
      "csat_low",
      "channel_error",
      "circuit_breaker_tripped",
      "kb_gap",
    ],
  },
  AttentionStatus: { description: "Whether someone is still needed.", values: ["open", "resolved"] },
  PendingActionStatus: {
    description: "How far a pending action is.",
    values: {
      pending: "waits for a person",
      approved: "is carried out now",
      rejected: "a person decided against it",
      expired: "nobody approved it in time",
      executed: "the tool has done it",
      failed: "it was not done, or nobody knows: `result` says which",
    },
  },
  PendingActionFailure: {
    description: "Why a pending action failed.",
    values: {
      failed: "the tool refused it or has a fault",
      unknown: "the answer was lost, so nobody knows whether it was done. It is not repeated",
      denied: "it was not allowed any more when it was to be carried out",
      changed: "the tool, the arguments, the contact or the policies changed after the approval",
    },
  },
  CallVerdict: {
    description: "What was decided about a call of a tool.",
    values: {
      allow: "it is made",
      deny: "it is not made",
      escalate: "a person takes over",
      verify: "the contact has to prove who they are first",
      require_approval: "a person has to approve it",
    },
  },
  ToolEffect: { description: "Whether a tool changes something.", values: ["read", "write"] },
  AttentionSeverity: { description: "How urgent an attention item is.", values: ["low", "medium", "high", "urgent"] },
  IdentityEventType: {
    description: "A step of a contact's verification.",
    values: [
      "factor_added",
      "factor_failed",
      "kbv_question_asked",
      "kbv_question_passed",
      "kbv_question_failed",
      "identity_locked_per_call",
      "identity_locked_per_24h",
      "ani_blocked",
      "assurance_level_reached",
      "verification_not_configured",
      "verification_agent_context_used",
      "eid_approval_requested",
      "eid_link_issued",
      "eid_approval_granted",
      "eid_approval_denied",
      "eid_approval_expired",
    ],
  },
  FactorCategory: {
    description: "What a factor proves.",
    values: {
      knowledge: "the contact knows something",
      possession: "the contact has something",
      inherence: "the contact is someone",
    },
  },
  FactorType: {
    description: "A way to prove an identity.",
    values: {
      kba_static: "the answer to a question about stored data",
      kba_dynamic: "the answer to a question about recent data",
      otp_email: "a code sent by email",
      otp_sms: "a code sent by SMS",
      magic_link: "a link that the contact opened",
      ani_match: "the caller ID is the contact's number",
      eid_verified: "an electronic identity",
    },
  },
  VerificationSourceType: {
    description: "Where the answers to questions come from.",
    values: { contact_attributes: "the contact's attributes", http: "a system of yours that Parley asks" },
  },
  EidMatch: {
    description: "How an electronic identity is matched with a contact.",
    values: ["none", "name_and_birthdate", "identifier"],
  },
  VerificationResult: { description: "Whether an answer or code was right.", values: ["passed", "failed"] },
  ProofChannel: { description: "How a link or code is sent.", values: ["email", "sms"] },
  EidMode: {
    description: "How an electronic identity is asked for.",
    values: { push: "the scheme asks the person on their phone", link: "the person opens a link" },
  },
  EntryStatus: {
    description: "Where an entry is in its review.",
    values: {
      pending: "waits for a review",
      approved: "in use",
      rejected: "refused by a reviewer",
      archived: "no longer in use",
    },
  },
  NewEntryStatus: {
    description: "Whether a new entry is in use at once.",
    values: { approved: "in use at once", pending: "waits for a review" },
  },
  EntrySource: { description: "Where an entry comes from.", values: ["manual", "learning", "import"] },
  EntryFormat: { description: "The format of an import or export.", values: ["csv", "ndjson"] },
  SimilarityKind: {
    description: "How two entries are similar.",
    values: { duplicate: "they say the same", contradiction: "they contradict each other" },
  },
  PolicyEffect: {
    description: "What a policy does when it applies.",
    values: ["allow", "deny", "require_approval", "escalate"],
  },
  PolicyDecision: {
    description: "What the policies decide.",
    values: ["allow", "require_approval", "escalate", "deny"],
  },
  GuardrailEffect: {
    description: "What a guardrail does when it applies.",
    values: ["deny", "require_approval", "escalate"],
  },
  AgentKind: {
    description: "Who defines an agent.",
    values: { platform: "Parley; it is read-only", custom: "you" },
  },
  AgentStatus: { description: "Whether an agent answers.", values: ["active", "paused"] },
  UnsupportedSentences: {
    description: "What happens to a sentence of a language model that rests on nothing it was given.",
    values: { cut: "it is left out", hand_off: "nothing is sent, and people take over" },
  },
  WebchatPosition: { description: "The corner of the page that shows the chat.", values: ["end", "start"] },
  FieldVisibility: {
    description: "Whether a form asks for a field.",
    values: ["hidden", "optional", "required"],
  },
  CalendarConnectionStatus: {
    description: "Whether a calendar connection works.",
    values: ["connected", "expired", "error"],
  },
  BookingStatus: {
    description: "The state of a booking.",
    values: ["tentative", "confirmed", "cancelled", "completed", "no_show"],
  },
  NewBookingStatus: { description: "The state of a new booking.", values: ["tentative", "confirmed"] },
  BookingField: {
    description: "A field of a booking.",
    values: ["title", "description", "location", "time", "status"],
  },
  BookingSyncStatus: {
    description: "Whether a booking is in the connected calendar.",
    values: { pending: "not yet written", synced: "written", detached: "no longer connected" },
  },
  CsatScale: { description: "The highest score of a survey.", values: [2, 5, 10] },
  CsatGrouping: {
    description: "What ratings are grouped by.",
    values: ["workspace", "channel", "member", "agent", "day", "week", "month"],
  },
  QualityEntityType: {
    description: "What a score or circuit breaker is about.",
    values: ["agent", "kb_entry", "channel", "tool"],
  },
  QualityMetric: { description: "What is measured.", values: ["answer", "csat", "delivery", "handoff", "tool"] },
  QualityWindow: { description: "How many days a score covers.", values: [7, 30, 90] },
  CircuitBreakerState: { description: "Whether a circuit breaker is in effect.", values: ["tripped", "resolved"] },
  CircuitBreakerAction: {
    description: "What a circuit breaker does when it trips.",
    values: ["pause_assistant", "require_approval", "notify"],
  },
  CaseStatus: {
    description: "The state of a case.",
    values: ["submitted", "in_progress", "waiting_on_customer", "resolved"],
  },
  CaseEventType: {
    description: "What happened to a case.",
    values: [
      "created",
      "status",
      "priority",
      "assignee",
      "title",
      "fields",
      "due",
      "contact",
      "conversation_linked",
      "conversation_unlinked",
    ],
  },
  CaseFieldType: { description: "The type of a field.", values: ["text", "number", "boolean", "date", "select"] },
  ResourceType: {
    description: "A kind of resource in the change feed.",
    values: [
      "conversation",
      "message",
      "attention_item",
      "pending_action",
      "identity_event",
      "contact",
      "account",
      "case",
      "kb_entry",
      "policy_entry",
      "agent",
      "booking",
      "rating",
      "circuit_breaker",
      "workspace",
      "brand",
      "channel",
      "member",
      "api_key",
    ],
  },
  WebhookEventType: {
    description: "An event that a webhook endpoint can ask for.",
    values: [
      "conversation.created",
      "conversation.resolved",
      "conversation.status_changed",
      "message.received",
      "message.sent",
      "attention_item.created",
      "pending_action.created",
      "pending_action.status_changed",
      "kb_entry.proposed",
      "policy_entry.proposed",
    ],
  },
  WebhookDeliveryType: {
    description: "The event of a delivery; `webhook.test` is a test.",
    values: [
      "conversation.created",
      "conversation.resolved",
      "conversation.status_changed",
      "message.received",
      "message.sent",
      "attention_item.created",
      "pending_action.created",
      "pending_action.status_changed",
      "kb_entry.proposed",
      "policy_entry.proposed",
      "webhook.test",
    ],
  },
  WebhookEndpointStatus: { description: "Whether events are sent to an endpoint.", values: ["active", "disabled"] },
  WebhookDeliveryStatus: {
    description: "How far a delivery got.",
    values: {
      queued: "is sent, or sent again, later",
      succeeded: "the endpoint accepted it",
      failed: "no further attempt is made",
      captured: "kept and not sent, on the test side",
    },
  },
  OutboxStatus: {
    description: "How far an outgoing message got.",
    values: { queued: "is sent, or sent again, later", sent: "sent", dead: "no further attempt is made" },
  },
  ExportedMailStatus: { description: "How far a mail got.", values: ["queued", "sent", "dead", "captured"] },
};
