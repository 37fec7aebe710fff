// Generated from openapi.json by `npm run openapi`.

/**
 * What is done with each account.
 */
export const AccountChangeType = ["set", "delete"] as const;
export type AccountChangeType = (typeof AccountChangeType)[number];

/**
 * The order of a list of accounts.
 */
export const AccountSort = ["recent", "name"] as const;
export type AccountSort = (typeof AccountSort)[number];

/**
 * Where you are after you resolved a conversation.
 *
 * - `next`: in the next conversation
 * - `stay`: where you were
 * - `list`: in the list
 */
export const AfterResolve = ["next", "stay", "list"] as const;
export type AfterResolve = (typeof AfterResolve)[number];

/**
 * What the assistant's language model wants to do.
 *
 * - `answer`: answer the contact
 * - `clarify`: ask the contact back
 * - `call`: call a tool
 * - `hand_off`: hand over to people
 * - `resolve`: resolve the conversation
 */
export const AgentAction = ["answer", "clarify", "call", "hand_off", "resolve"] as const;
export type AgentAction = (typeof AgentAction)[number];

/**
 * What the assistant makes of what it found.
 *
 * - `answer`: answer with an entry
 * - `clarify`: ask which of two entries is meant
 * - `hand_off`: hand over to people
 */
export const AgentDecision = ["answer", "clarify", "hand_off"] as const;
export type AgentDecision = (typeof AgentDecision)[number];

/**
 * Who defines an agent.
 *
 * - `platform`: Parley; it is read-only
 * - `custom`: you
 */
export const AgentKind = ["platform", "custom"] as const;
export type AgentKind = (typeof AgentKind)[number];

/**
 * How a run of the assistant ended.
 *
 * - `answered`: it answered
 * - `clarified`: it asked back
 * - `small_talk`: it greeted, said what it is, or said that the contact is welcome
 * - `handed_off`: it handed over to people
 * - `superseded`: the contact wrote again before it began
 * - `discarded`: nothing was to be said any more
 * - `failed`: something went wrong, and people took over
 */
export const AgentRunOutcome = [
  "answered",
  "clarified",
  "small_talk",
  "handed_off",
  "superseded",
  "discarded",
  "failed",
] as const;
export type AgentRunOutcome = (typeof AgentRunOutcome)[number];

/**
 * Whether an agent answers.
 */
export const AgentStatus = ["active", "paused"] as const;
export type AgentStatus = (typeof AgentStatus)[number];

/**
 * What a step of the assistant did.
 *
 * - `retrieve`: it looked for entries
 * - `model`: it asked a language model
 * - `policy`: it evaluated policies
 * - `tool`: it called a tool
 * - `procedure`: it took a step of a procedure
 * - `send`: it wrote to the contact
 */
export const AgentStepType = ["retrieve", "model", "policy", "tool", "procedure", "send"] as const;
export type AgentStepType = (typeof AgentStepType)[number];

/**
 * What a run of the assistant waits for.
 *
 * - `approval`: a person's decision about an action
 * - `verification`: the contact's proof of who they are
 */
export const AgentWaitsFor = ["approval", "verification"] as const;
export type AgentWaitsFor = (typeof AgentWaitsFor)[number];

/**
 * Whether an API key works.
 */
export const ApiKeyStatus = ["active", "expired", "revoked"] as const;
export type ApiKeyStatus = (typeof ApiKeyStatus)[number];

/**
 * What is wrong with a turn of a test.
 *
 * - `outcome`: the assistant does something else
 * - `entry`: it names other entries
 * - `tool`: it does not call the tool
 * - `words`: it does not say the words
 * - `not_reached`: it has handed over before, or waits for something that the test does not have
 */
export const AssistantTestFault = ["outcome", "entry", "tool", "words", "not_reached"] as const;
export type AssistantTestFault = (typeof AssistantTestFault)[number];

/**
 * Why a run was begun.
 *
 * - `asked`: somebody asked for it
 * - `change`: an entry, the agent, the settings or a procedure were changed
 */
export const AssistantTestRunCause = ["asked", "change"] as const;
export type AssistantTestRunCause = (typeof AssistantTestRunCause)[number];

/**
 * What a run plays.
 *
 * - `tests`: tests
 * - `rehearsal`: tests, and the conversations of the last 30 days
 */
export const AssistantTestRunKind = ["tests", "rehearsal"] as const;
export type AssistantTestRunKind = (typeof AssistantTestRunKind)[number];

/**
 * How far a run is.
 *
 * - `waiting`: it is played as soon as there is room
 * - `playing`: it is being played
 * - `done`: it was played
 * - `failed`: it could not be played; `error` says why
 */
export const AssistantTestRunStatus = ["waiting", "playing", "done", "failed"] as const;
export type AssistantTestRunStatus = (typeof AssistantTestRunStatus)[number];

/**
 * How well a contact's identity is proven.
 */
export const AssuranceLevel = ["none", "identified", "high-assurance"] as const;
export type AssuranceLevel = (typeof AssuranceLevel)[number];

/**
 * How urgent an attention item is.
 */
export const AttentionSeverity = ["low", "medium", "high", "urgent"] as const;
export type AttentionSeverity = (typeof AttentionSeverity)[number];

/**
 * Whether someone is still needed.
 */
export const AttentionStatus = ["open", "resolved"] as const;
export type AttentionStatus = (typeof AttentionStatus)[number];

/**
 * Why a person is needed.
 */
export const AttentionType = [
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
  "assistant_test_failed",
] as const;
export type AttentionType = (typeof AttentionType)[number];

/**
 * Who made a change.
 */
export const AuditActorKind = ["member", "apiKey", "system", "visitor", "provider"] as const;
export type AuditActorKind = (typeof AuditActorKind)[number];

/**
 * What happened to a resource.
 */
export const AuditChange = ["created", "updated", "deleted"] as const;
export type AuditChange = (typeof AuditChange)[number];

/**
 * Who checked the sender of an email.
 */
export const AuthenticationChecker = ["parley", "receiving server"] as const;
export type AuthenticationChecker = (typeof AuthenticationChecker)[number];

/**
 * Whether the sender of an email is proven.
 */
export const AuthenticationResult = ["pass", "fail", "none"] as const;
export type AuthenticationResult = (typeof AuthenticationResult)[number];

/**
 * Who wrote a message.
 */
export const AuthorType = ["contact", "assistant", "member", "api", "system"] as const;
export type AuthorType = (typeof AuthorType)[number];

/**
 * How a body is written.
 */
export const BodyFormat = ["text", "markdown"] as const;
export type BodyFormat = (typeof BodyFormat)[number];

/**
 * A field of a booking.
 */
export const BookingField = ["title", "description", "location", "time", "status"] as const;
export type BookingField = (typeof BookingField)[number];

/**
 * The state of a booking.
 */
export const BookingStatus = ["tentative", "confirmed", "cancelled", "completed", "no_show"] as const;
export type BookingStatus = (typeof BookingStatus)[number];

/**
 * Whether a booking is in the connected calendar.
 *
 * - `pending`: not yet written
 * - `synced`: written
 * - `detached`: no longer connected
 */
export const BookingSyncStatus = ["pending", "synced", "detached"] as const;
export type BookingSyncStatus = (typeof BookingSyncStatus)[number];

/**
 * Whether a bulk action is still at work.
 */
export const BulkActionStatus = ["running", "done"] as const;
export type BulkActionStatus = (typeof BulkActionStatus)[number];

/**
 * What a bulk action does with each conversation.
 */
export const BulkChangeType = [
  "resolve",
  "reopen",
  "wait",
  "snooze",
  "assign",
  "unassign",
  "read",
  "unread",
  "label",
] as const;
export type BulkChangeType = (typeof BulkChangeType)[number];

/**
 * Whether a calendar connection works.
 */
export const CalendarConnectionStatus = ["connected", "expired", "error"] as const;
export type CalendarConnectionStatus = (typeof CalendarConnectionStatus)[number];

/**
 * What was decided about a call of a tool.
 *
 * - `allow`: it is made
 * - `deny`: it is not made
 * - `escalate`: a person takes over
 * - `verify`: the contact has to prove who they are first
 * - `require_approval`: a person has to approve it
 */
export const CallVerdict = ["allow", "deny", "escalate", "verify", "require_approval"] as const;
export type CallVerdict = (typeof CallVerdict)[number];

/**
 * Who calls.
 */
export const CallerKind = ["apiKey", "member"] as const;
export type CallerKind = (typeof CallerKind)[number];

/**
 * What a canned reply can say about its conversation.
 */
export const CannedReplyVariable = [
  "contact.name",
  "contact.firstName",
  "member.name",
  "member.firstName",
  "conversation.id",
  "conversation.subject",
  "workspace.name",
  "brand.name",
] as const;
export type CannedReplyVariable = (typeof CannedReplyVariable)[number];

/**
 * What happened to a case.
 */
export const CaseEventType = [
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
] as const;
export type CaseEventType = (typeof CaseEventType)[number];

/**
 * The type of a field.
 */
export const CaseFieldType = ["text", "number", "boolean", "date", "select"] as const;
export type CaseFieldType = (typeof CaseFieldType)[number];

/**
 * The state of a case.
 */
export const CaseStatus = ["submitted", "in_progress", "waiting_on_customer", "resolved"] as const;
export type CaseStatus = (typeof CaseStatus)[number];

/**
 * Whether a channel works.
 */
export const ChannelStatus = ["provisioning", "active", "error", "disabled"] as const;
export type ChannelStatus = (typeof ChannelStatus)[number];

/**
 * The medium of a channel.
 */
export const ChannelType = ["webchat", "email", "sms", "voice", "contact_form", "api"] as const;
export type ChannelType = (typeof ChannelType)[number];

/**
 * What a circuit breaker does when it trips.
 */
export const CircuitBreakerAction = ["pause_assistant", "require_approval", "notify"] as const;
export type CircuitBreakerAction = (typeof CircuitBreakerAction)[number];

/**
 * Whether a circuit breaker is in effect.
 */
export const CircuitBreakerState = ["tripped", "resolved"] as const;
export type CircuitBreakerState = (typeof CircuitBreakerState)[number];

/**
 * What is done with each contact.
 */
export const ContactChangeType = ["label", "link", "unlink", "block", "unblock"] as const;
export type ContactChangeType = (typeof ContactChangeType)[number];

/**
 * The order of a list of contacts.
 */
export const ContactSort = ["recent", "lastSeen", "name"] as const;
export type ContactSort = (typeof ContactSort)[number];

/**
 * The order of a list of conversations.
 *
 * - `recent`: newest activity first
 * - `waiting`: who has waited longest first
 */
export const ConversationSort = ["recent", "waiting"] as const;
export type ConversationSort = (typeof ConversationSort)[number];

/**
 * The state of a conversation.
 *
 * - `open`: waits for your side
 * - `pending`: waits for the contact
 * - `snoozed`: opens by itself at `snoozedUntil`
 * - `resolved`: done; a message within 7 days opens it again
 */
export const ConversationStatus = ["open", "pending", "snoozed", "resolved"] as const;
export type ConversationStatus = (typeof ConversationStatus)[number];

/**
 * What ratings are grouped by.
 */
export const CsatGrouping = ["workspace", "channel", "member", "agent", "day", "week", "month"] as const;
export type CsatGrouping = (typeof CsatGrouping)[number];

/**
 * The highest score of a survey.
 */
export const CsatScale = [2, 5, 10] as const;
export type CsatScale = (typeof CsatScale)[number];

/**
 * What an API key is restricted to.
 */
export const DataScopeLevel = ["organisation", "brand", "workspace"] as const;
export type DataScopeLevel = (typeof DataScopeLevel)[number];

/**
 * How far a message got. It is never downgraded.
 *
 * - `held`: does not leave yet, and can be cancelled
 * - `queued`: waits to be sent
 * - `sent`: has left
 * - `delivered`: has arrived
 * - `read`: was read
 * - `failed`: could not be sent
 * - `cancelled`: was cancelled before it left
 */
export const DeliveryStatus = ["held", "queued", "sent", "delivered", "read", "failed", "cancelled"] as const;
export type DeliveryStatus = (typeof DeliveryStatus)[number];

/**
 * How an electronic identity is matched with a contact.
 */
export const EidMatch = ["none", "name_and_birthdate", "identifier"] as const;
export type EidMatch = (typeof EidMatch)[number];

/**
 * How an electronic identity is asked for.
 *
 * - `push`: the scheme asks the person on their phone
 * - `link`: the person opens a link
 */
export const EidMode = ["push", "link"] as const;
export type EidMode = (typeof EidMode)[number];

/**
 * The format of an import or export.
 */
export const EntryFormat = ["csv", "ndjson"] as const;
export type EntryFormat = (typeof EntryFormat)[number];

/**
 * Where an entry comes from.
 */
export const EntrySource = ["manual", "learning", "import", "source"] as const;
export type EntrySource = (typeof EntrySource)[number];

/**
 * Where an entry is in its review.
 *
 * - `pending`: waits for a review
 * - `approved`: in use
 * - `rejected`: refused by a reviewer
 * - `archived`: no longer in use
 */
export const EntryStatus = ["pending", "approved", "rejected", "archived"] as const;
export type EntryStatus = (typeof EntryStatus)[number];

/**
 * A side of the tenant.
 *
 * - `live`: real customers
 * - `test`: for trying things out: nothing is delivered outside
 */
export const Environment = ["live", "test"] as const;
export type Environment = (typeof Environment)[number];

/**
 * What an event of a stream carries besides ids and states.
 *
 * - `resource`: what the event is about, as the API shows it now
 * - `contact`: the contact of a conversation
 */
export const EventInclude = ["resource", "contact"] as const;
export type EventInclude = (typeof EventInclude)[number];

/**
 * How far a mail got.
 */
export const ExportedMailStatus = ["queued", "sent", "dead", "captured"] as const;
export type ExportedMailStatus = (typeof ExportedMailStatus)[number];

/**
 * What a factor proves.
 *
 * - `knowledge`: the contact knows something
 * - `possession`: the contact has something
 * - `inherence`: the contact is someone
 */
export const FactorCategory = ["knowledge", "possession", "inherence"] as const;
export type FactorCategory = (typeof FactorCategory)[number];

/**
 * A way to prove an identity.
 *
 * - `kba_static`: the answer to a question about stored data
 * - `kba_dynamic`: the answer to a question about recent data
 * - `otp_email`: a code sent by email
 * - `otp_sms`: a code sent by SMS
 * - `magic_link`: a link that the contact opened
 * - `ani_match`: the caller ID is the contact's number
 * - `eid_verified`: an electronic identity
 */
export const FactorType = [
  "kba_static",
  "kba_dynamic",
  "otp_email",
  "otp_sms",
  "magic_link",
  "ani_match",
  "eid_verified",
] as const;
export type FactorType = (typeof FactorType)[number];

/**
 * Whether a form asks for a field.
 */
export const FieldVisibility = ["hidden", "optional", "required"] as const;
export type FieldVisibility = (typeof FieldVisibility)[number];

/**
 * Where the answer to a forwarded message goes.
 *
 * - `note`: beside the conversation, as an internal note
 * - `conversation`: into the conversation, as an inbound message
 */
export const ForwardAnswers = ["note", "conversation"] as const;
export type ForwardAnswers = (typeof ForwardAnswers)[number];

/**
 * What a guardrail does when it applies.
 */
export const GuardrailEffect = ["deny", "require_approval", "escalate"] as const;
export type GuardrailEffect = (typeof GuardrailEffect)[number];

/**
 * Why the assistant handed a conversation over to people.
 *
 * - `nothing_found`: no approved entry answers
 * - `unsure`: it was not sure enough of an entry
 * - `unfounded`: what it wrote rests on no entry
 * - `opposite`: the contact means something else than the closest entry
 * - `not_helped`: the contact says that the answer did not help
 * - `repeated`: the contact got this answer before and still asks
 * - `wants_person`: the contact asks for a person
 * - `angry`: the contact is angry
 * - `complaint`: the contact complains, or asks about what has happened
 * - `details`: the contact gave details that a person has to act on
 * - `passed_on`: its rules, a procedure or the language model passed the conversation on
 * - `used_up`: its tokens are used up
 * - `failed`: something went wrong
 */
export const HandOverReason = [
  "nothing_found",
  "unsure",
  "unfounded",
  "opposite",
  "not_helped",
  "repeated",
  "wants_person",
  "angry",
  "complaint",
  "details",
  "passed_on",
  "used_up",
  "failed",
] as const;
export type HandOverReason = (typeof HandOverReason)[number];

/**
 * Who answers a conversation.
 */
export const HandlingMode = ["assistant", "human"] as const;
export type HandlingMode = (typeof HandlingMode)[number];

/**
 * A step of a contact's verification.
 */
export const IdentityEventType = [
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
] as const;
export type IdentityEventType = (typeof IdentityEventType)[number];

/**
 * The answer to an invitation.
 */
export const InvitationAnswer = ["accepted", "declined", "tentative"] as const;
export type InvitationAnswer = (typeof InvitationAnswer)[number];

/**
 * What a calendar file in a mail asks.
 *
 * - `request`: It invites, or says that the event has changed.
 * - `cancel`: The event does not take place.
 * - `reply`: A guest answers.
 * - `publish`: It shows an event and asks nothing.
 */
export const InvitationMethod = ["request", "cancel", "reply", "publish"] as const;
export type InvitationMethod = (typeof InvitationMethod)[number];

/**
 * A day of the week.
 */
export const InvitationWeekday = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const;
export type InvitationWeekday = (typeof InvitationWeekday)[number];

/**
 * The colour of a label. The dashboard shows a shade that can be read on light and on dark.
 */
export const LabelColour = ["gray", "red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"] as const;
export type LabelColour = (typeof LabelColour)[number];

/**
 * What receivers find of one check of a mailbox's mails.
 *
 * - `pass`: They accept mails of the channel.
 * - `fail`: They do not, or what they ask for is missing.
 * - `unknown`: It could not be found out.
 */
export const MailCheckResult = ["pass", "fail", "unknown"] as const;
export type MailCheckResult = (typeof MailCheckResult)[number];

/**
 * Lets a member sign in, or stops them.
 */
export const MemberActivation = ["active", "deactivated"] as const;
export type MemberActivation = (typeof MemberActivation)[number];

/**
 * Whether a member can sign in.
 */
export const MemberStatus = ["invited", "active", "deactivated"] as const;
export type MemberStatus = (typeof MemberStatus)[number];

/**
 * Which way a message goes.
 *
 * - `inbound`: from the contact
 * - `outbound`: to the contact
 * - `internal`: a note that the contact never sees
 */
export const MessageDirection = ["inbound", "outbound", "internal"] as const;
export type MessageDirection = (typeof MessageDirection)[number];

/**
 * Why there is no text of the language model.
 *
 * - `no_model`: no language model is set up
 * - `no_tokens`: the workspace's tokens for today are used up
 * - `no_answer`: the model did not answer, or with something that cannot be used: try again
 * - `same_language`: the message is in this language
 * - `withheld`: the message asks for proof of identity, or answers: no model reads it
 * - `too_long`: the message is longer than a model is given
 */
export const ModelSilence = ["no_model", "no_tokens", "no_answer", "same_language", "withheld", "too_long"] as const;
export type ModelSilence = (typeof ModelSilence)[number];

/**
 * The state of a new booking.
 */
export const NewBookingStatus = ["tentative", "confirmed"] as const;
export type NewBookingStatus = (typeof NewBookingStatus)[number];

/**
 * Whether a new entry is in use at once.
 *
 * - `approved`: in use at once
 * - `pending`: waits for a review
 */
export const NewEntryStatus = ["approved", "pending"] as const;
export type NewEntryStatus = (typeof NewEntryStatus)[number];

/**
 * How far an outgoing message got.
 *
 * - `queued`: is sent, or sent again, later
 * - `sent`: sent
 * - `dead`: no further attempt is made
 */
export const OutboxStatus = ["queued", "sent", "dead"] as const;
export type OutboxStatus = (typeof OutboxStatus)[number];

/**
 * A part of the overview of a conversation.
 */
export const OverviewPart = [
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
] as const;
export type OverviewPart = (typeof OverviewPart)[number];

/**
 * Where a mail named a participant.
 */
export const ParticipantRole = ["to", "cc"] as const;
export type ParticipantRole = (typeof ParticipantRole)[number];

/**
 * Why a pending action failed.
 *
 * - `failed`: the tool refused it or has a fault
 * - `unknown`: the answer was lost, so nobody knows whether it was done. It is not repeated
 * - `denied`: it was not allowed any more when it was to be carried out
 * - `changed`: the tool, the arguments, the contact or the policies changed after the approval
 */
export const PendingActionFailure = ["failed", "unknown", "denied", "changed"] as const;
export type PendingActionFailure = (typeof PendingActionFailure)[number];

/**
 * How far a pending action is.
 *
 * - `pending`: waits for a person
 * - `approved`: is carried out now
 * - `rejected`: a person decided against it
 * - `expired`: nobody approved it in time
 * - `executed`: the tool has done it
 * - `failed`: it was not done, or nobody knows: `result` says which
 */
export const PendingActionStatus = ["pending", "approved", "rejected", "expired", "executed", "failed"] as const;
export type PendingActionStatus = (typeof PendingActionStatus)[number];

/**
 * What the assistant does about a turn of a contact.
 *
 * - `answered`: it answers
 * - `clarified`: it asks back
 * - `small_talk`: it greets, says what it is, or says that the contact is welcome
 * - `handed_off`: it hands over to people
 * - `asked_for_proof`: it has the contact prove who they are
 * - `asked_for_approval`: it has people approve a call of a tool
 * - `called_tool`: it calls a tool, and the test does not say what that answers
 * - `discarded`: it says nothing
 */
export const PlayedOutcome = [
  "answered",
  "clarified",
  "small_talk",
  "handed_off",
  "asked_for_proof",
  "asked_for_approval",
  "called_tool",
  "discarded",
] as const;
export type PlayedOutcome = (typeof PlayedOutcome)[number];

/**
 * What the policies decide.
 */
export const PolicyDecision = ["allow", "require_approval", "escalate", "deny"] as const;
export type PolicyDecision = (typeof PolicyDecision)[number];

/**
 * What a policy does when it applies.
 */
export const PolicyEffect = ["allow", "deny", "require_approval", "escalate"] as const;
export type PolicyEffect = (typeof PolicyEffect)[number];

/**
 * Whether a member is at their desk.
 */
export const Presence = ["online", "away", "offline"] as const;
export type Presence = (typeof Presence)[number];

/**
 * How urgent something is.
 */
export const Priority = ["none", "low", "medium", "high", "urgent"] as const;
export type Priority = (typeof Priority)[number];

/**
 * What happened at a step of a procedure.
 *
 * - `asked`: the contact was asked
 * - `filled`: they gave the value
 * - `corrected`: they gave another value than before
 * - `understood`: the language model read a value, and they were asked whether they mean it
 * - `explained`: they were told what it is needed for
 * - `digressed`: they asked something else, and an entry answered
 * - `unclear`: they wrote what is no answer
 * - `said`: they were told something
 * - `checked`: they have proven who they are
 * - `called`: the tool was called
 * - `failed`: the tool was not used, or failed
 * - `confirmed`: they said yes
 * - `refused`: they said no
 * - `branched`: it went on by what is known
 * - `cancelled`: they wanted to stop
 * - `handed_over`: people took over
 * - `ended`: the procedure came to its end
 */
export const ProcedureDeed = [
  "asked",
  "filled",
  "corrected",
  "understood",
  "explained",
  "digressed",
  "unclear",
  "said",
  "checked",
  "called",
  "failed",
  "confirmed",
  "refused",
  "branched",
  "cancelled",
  "handed_over",
  "ended",
] as const;
export type ProcedureDeed = (typeof ProcedureDeed)[number];

/**
 * How the run of a procedure ended.
 *
 * - `completed`: it came to its end
 * - `cancelled`: the contact did not want it any more
 * - `left`: the contact began another procedure
 * - `handed_over`: people took over, or the conversation was resolved
 */
export const ProcedureEnding = ["completed", "cancelled", "left", "handed_over"] as const;
export type ProcedureEnding = (typeof ProcedureEnding)[number];

/**
 * How two values are compared.
 *
 * - `equals`: they are the same
 * - `one_of`: the first is among the second
 * - `greater`: the first number is greater
 * - `less`: the first number is less
 * - `exists`: there is a first value
 */
export const ProcedureOperator = ["equals", "one_of", "greater", "less", "exists"] as const;
export type ProcedureOperator = (typeof ProcedureOperator)[number];

/**
 * What the contact is asked for.
 *
 * - `text`: words
 * - `number`: a number
 * - `email`: an email address
 * - `date`: a day
 * - `choice`: one of several, or some of them
 * - `yes_no`: yes or no
 * - `pattern`: signs such as #W0000000: 0 is a digit, A a letter, all else itself
 */
export const ProcedureSlotKind = ["text", "number", "email", "date", "choice", "yes_no", "pattern"] as const;
export type ProcedureSlotKind = (typeof ProcedureSlotKind)[number];

/**
 * Whether a procedure begins.
 *
 * - `draft`: it is written still
 * - `active`: it begins
 * - `paused`: it does not begin; what has begun goes on
 */
export const ProcedureStatus = ["draft", "active", "paused"] as const;
export type ProcedureStatus = (typeof ProcedureStatus)[number];

/**
 * What a step of a procedure does.
 *
 * - `ask`: it asks the contact for a value
 * - `say`: it says a text, or an approved entry
 * - `require_level`: it has the contact prove who they are
 * - `call`: it calls a tool
 * - `confirm`: it asks the contact to say yes
 * - `branch`: it goes on by what is known
 * - `hand_over`: it hands over to people
 * - `end`: it ends the procedure
 */
export const ProcedureStepType = [
  "ask",
  "say",
  "require_level",
  "call",
  "confirm",
  "branch",
  "hand_over",
  "end",
] as const;
export type ProcedureStepType = (typeof ProcedureStepType)[number];

/**
 * How a link or code is sent.
 */
export const ProofChannel = ["email", "sms"] as const;
export type ProofChannel = (typeof ProofChannel)[number];

/**
 * What a score or circuit breaker is about.
 */
export const QualityEntityType = ["agent", "kb_entry", "channel", "tool"] as const;
export type QualityEntityType = (typeof QualityEntityType)[number];

/**
 * What is measured.
 */
export const QualityMetric = ["answer", "csat", "delivery", "handoff", "tool"] as const;
export type QualityMetric = (typeof QualityMetric)[number];

/**
 * How many days a score covers.
 */
export const QualityWindow = [7, 30, 90] as const;
export type QualityWindow = (typeof QualityWindow)[number];

/**
 * What a mail repeats below its text.
 *
 * - `none`: nothing
 * - `last`: the contact's last message
 * - `all`: the conversation so far, newest first
 */
export const Quote = ["none", "last", "all"] as const;
export type Quote = (typeof Quote)[number];

/**
 * How far a caller reaches.
 */
export const ReachLevel = ["tenant", "brand", "workspaces"] as const;
export type ReachLevel = (typeof ReachLevel)[number];

/**
 * How often an event recurs.
 */
export const RecurrenceFrequency = ["daily", "weekly", "monthly", "yearly"] as const;
export type RecurrenceFrequency = (typeof RecurrenceFrequency)[number];

/**
 * What becomes of a conversation with a reply.
 *
 * - `pending`: it waits for the contact
 * - `snooze`: it is snoozed until `snoozeUntil`
 * - `resolve`: it is resolved
 */
export const ReplyThen = ["pending", "snooze", "resolve"] as const;
export type ReplyThen = (typeof ReplyThen)[number];

/**
 * What a report is grouped by.
 */
export const ReportGrouping = [
  "workspace",
  "channel",
  "member",
  "label",
  "brand",
  "resolution",
  "handledBy",
  "reason",
] as const;
export type ReportGrouping = (typeof ReportGrouping)[number];

/**
 * Who handled a conversation, for reports.
 */
export const ReportHandler = ["assistant", "people"] as const;
export type ReportHandler = (typeof ReportHandler)[number];

/**
 * How a period is divided.
 */
export const ReportInterval = ["hour", "day", "week", "month"] as const;
export type ReportInterval = (typeof ReportInterval)[number];

/**
 * What a report counts.
 *
 * - `volume`: conversations, when they began
 * - `first-reply`: first replies, and how long contacts waited for them
 * - `reply`: replies to contacts who waited, and how long they did
 * - `resolution`: conversations that are resolved, and how long that took
 * - `backlog`: conversations that were not resolved at the end of a time
 * - `assistant`: resolved conversations in which an assistant answered, and the share without people
 * - `automation`: conversations that the assistant was on for, and the share that it answered without people
 * - `containment`: conversations that the assistant answered, and the share without a person within seven days
 * - `hand-over`: hand-overs of the assistant to people
 * - `csat`: answers to surveys, and the share of satisfied contacts
 * - `busiest-hours`: conversations by the hour of the week in which they began
 */
export const ReportName = [
  "volume",
  "first-reply",
  "reply",
  "resolution",
  "backlog",
  "assistant",
  "automation",
  "containment",
  "hand-over",
  "csat",
  "busiest-hours",
] as const;
export type ReportName = (typeof ReportName)[number];

/**
 * How well a contact's identity must be proven.
 */
export const RequiredAssuranceLevel = ["identified", "high-assurance"] as const;
export type RequiredAssuranceLevel = (typeof RequiredAssuranceLevel)[number];

/**
 * How a conversation ended.
 */
export const Resolution = ["answered", "escalated", "abandoned", "duplicate", "spam"] as const;
export type Resolution = (typeof Resolution)[number];

/**
 * A kind of resource in the change feed.
 */
export const ResourceType = [
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
  "source",
  "procedure",
  "agent",
  "booking",
  "rating",
  "circuit_breaker",
  "workspace",
  "brand",
  "channel",
  "member",
  "api_key",
] as const;
export type ResourceType = (typeof ResourceType)[number];

/**
 * How a text is rewritten.
 *
 * - `shorter`: the same in fewer words
 * - `friendlier`: the same in a warmer tone
 * - `translation`: the same in `language`
 */
export const Rewriting = ["shorter", "friendlier", "translation"] as const;
export type Rewriting = (typeof Rewriting)[number];

/**
 * What a member may do.
 *
 * - `owner`: everything
 * - `admin`: everything, except what concerns owners
 * - `agent`: reads and writes in their workspaces
 * - `observer`: reads in their workspaces
 * - `billing`: reads consumption totals and their own profile
 */
export const Role = ["owner", "admin", "agent", "observer", "billing"] as const;
export type Role = (typeof Role)[number];

/**
 * What an API key may do.
 *
 * - `conversations:read`: read conversations, messages, attachments, attention items, assurance and consumption
 * - `conversations:write`: start, answer and change conversations, upload attachments and verify contacts
 * - `kb:read`: read the knowledge base and its widgets
 * - `kb:write`: write and review knowledge base entries and change their widgets
 * - `policy:read`: read and evaluate policies
 * - `policy:write`: write and review policies
 * - `contacts:read`: read contacts, contact forms and erasure requests
 * - `contacts:write`: create, change, merge, delete and erase contacts, and change contact forms
 * - `accounts:read`: read accounts and their contacts
 * - `accounts:write`: create and change accounts
 * - `agents:read`: read agents and their instructions
 * - `agents:write`: create, change and instruct agents
 * - `channels:read`: read channels
 * - `channels:write`: change and test channels, and set their credentials
 * - `calendar:read`: read calendars, bookings and free times
 * - `calendar:write`: change calendar connections, and make and change bookings
 * - `quality:read`: read reports, ratings, quality scores, circuit breakers and their settings
 * - `quality:write`: change survey and breaker settings, and resolve circuit breakers
 * - `workspaces:read`: read workspaces, brands and the channels of a workspace
 * - `workspaces:write`: create, change and delete workspaces
 * - `cases:read`: read cases, their events and their types
 */
export const Scope = [
  "conversations:read",
  "conversations:write",
  "kb:read",
  "kb:write",
  "policy:read",
  "policy:write",
  "contacts:read",
  "contacts:write",
  "accounts:read",
  "accounts:write",
  "agents:read",
  "agents:write",
  "channels:read",
  "channels:write",
  "calendar:read",
  "calendar:write",
  "quality:read",
  "quality:write",
  "workspaces:read",
  "workspaces:write",
  "cases:read",
] as const;
export type Scope = (typeof Scope)[number];

/**
 * A way to complete a sign-in.
 */
export const SecondFactorMethod = ["totp", "passkey", "recovery_code"] as const;
export type SecondFactorMethod = (typeof SecondFactorMethod)[number];

/**
 * A kind of second factor.
 */
export const SecondFactorType = ["totp", "passkey"] as const;
export type SecondFactorType = (typeof SecondFactorType)[number];

/**
 * Who caused a security event.
 */
export const SecurityActorKind = ["member", "apiKey", "system"] as const;
export type SecurityActorKind = (typeof SecurityActorKind)[number];

/**
 * What happened to an account or a credential.
 */
export const SecurityEventType = [
  "signed_in",
  "sign_in_failed",
  "locked",
  "many_failures",
  "new_device",
  "session_ended",
  "refresh_token_reused",
  "reauthenticated",
  "invitation_accepted",
  "email_proven",
  "external_identity_bound",
  "password_changed",
  "password_reset_requested",
  "password_reset",
  "second_factor_added",
  "second_factor_removed",
  "recovery_codes_made",
  "recovery_code_used",
  "member_added",
  "member_changed",
  "member_removed",
  "key_created",
  "key_changed",
  "key_revoked",
  "data_exported",
  "data_erased",
] as const;
export type SecurityEventType = (typeof SecurityEventType)[number];

/**
 * The key that sends a reply.
 *
 * - `modEnter`: Enter with Ctrl or Cmd
 * - `enter`: Enter alone
 */
export const SendKey = ["modEnter", "enter"] as const;
export type SendKey = (typeof SendKey)[number];

/**
 * What proves that a message is from the contact.
 *
 * - `none`: nothing: anybody could have written it, for example with a contact form
 * - `channel`: a mail that its domain signed, a provider's signed request, or an API key
 * - `signed`: your website signed who its visitor is
 */
export const SenderProof = ["none", "channel", "signed"] as const;
export type SenderProof = (typeof SenderProof)[number];

/**
 * How two entries are similar.
 *
 * - `duplicate`: they say the same
 * - `contradiction`: they contradict each other
 */
export const SimilarityKind = ["duplicate", "contradiction"] as const;
export type SimilarityKind = (typeof SimilarityKind)[number];

/**
 * Where the words were found.
 */
export const SnippetField = ["subject", "contact", "message"] as const;
export type SnippetField = (typeof SnippetField)[number];

/**
 * The order of a list.
 *
 * - `asc`: oldest first
 * - `desc`: newest first
 */
export const SortOrder = ["asc", "desc"] as const;
export type SortOrder = (typeof SortOrder)[number];

/**
 * Why a source was not read, or only in part.
 *
 * - `unreachable`: nothing answers at the address, or it may not be called
 * - `robots_forbid`: the site's robots.txt does not let Parley read the address
 * - `robots_failed`: the site's robots.txt answered with the status in `errorValue`
 * - `sitemap_empty`: the sitemap names no pages
 * - `no_page`: no page could be read
 * - `too_many_pages`: one reading reads only as many pages as `errorValue` says
 * - `too_many_bytes`: one reading reads only as many megabytes as `errorValue` says
 * - `too_many_addresses`: the site names more addresses than can be looked through
 * - `too_slow`: the site took too long
 * - `stopped_answering`: the site stopped answering
 * - `too_much_text`: a source cannot hold all of the text
 * - `file_gone`: the file is not kept any more
 * - `file_too_slow`: the file takes too long to read
 * - `file_too_large`: the file takes too much memory to read
 * - `file_damaged`: the file is damaged, protected, or not what its name says
 * - `file_empty`: the file has no text that answers a question
 * - `help_centre_failed`: the help centre answered with the status in `errorValue`
 * - `help_centre_not_json`: the address does not answer with articles in JSON
 * - `help_centre_empty`: there are no articles with a title and a body
 * - `failed`: Parley failed to read it
 */
export const SourceErrorCode = [
  "unreachable",
  "robots_forbid",
  "robots_failed",
  "sitemap_empty",
  "no_page",
  "too_many_pages",
  "too_many_bytes",
  "too_many_addresses",
  "too_slow",
  "stopped_answering",
  "too_much_text",
  "file_gone",
  "file_too_slow",
  "file_too_large",
  "file_damaged",
  "file_empty",
  "help_centre_failed",
  "help_centre_not_json",
  "help_centre_empty",
  "failed",
] as const;
export type SourceErrorCode = (typeof SourceErrorCode)[number];

/**
 * What a source is.
 *
 * - `website`: the pages below an address
 * - `file`: a PDF, a Word document, a page, or a text in Markdown
 * - `help_centre`: the articles of a help centre, from its API or as an export
 */
export const SourceKind = ["website", "file", "help_centre"] as const;
export type SourceKind = (typeof SourceKind)[number];

/**
 * How often a source is read again by itself.
 */
export const SourceSchedule = ["never", "daily", "weekly"] as const;
export type SourceSchedule = (typeof SourceSchedule)[number];

/**
 * How far the reading of a source is.
 *
 * - `waiting`: is read as soon as there is room
 * - `reading`: is being read
 * - `ready`: was read
 * - `failed`: could not be read; `error` says why
 */
export const SourceStatus = ["waiting", "reading", "ready", "failed"] as const;
export type SourceStatus = (typeof SourceStatus)[number];

/**
 * What a person made of a suggestion.
 *
 * - `used`: the reply has its answer as it stands
 * - `edited`: the reply is based on it, in other words
 * - `ignored`: it does not fit
 */
export const SuggestionOutcome = ["used", "edited", "ignored"] as const;
export type SuggestionOutcome = (typeof SuggestionOutcome)[number];

/**
 * Why an entry may not answer what was written.
 *
 * - `opposite`: the contact may mean the opposite
 * - `complaint`: the contact complains about it
 */
export const SuggestionWarning = ["opposite", "complaint"] as const;
export type SuggestionWarning = (typeof SuggestionWarning)[number];

/**
 * How the dashboard looks.
 */
export const Theme = ["system", "light", "dark"] as const;
export type Theme = (typeof Theme)[number];

/**
 * Whether a tool changes something.
 */
export const ToolEffect = ["read", "write"] as const;
export type ToolEffect = (typeof ToolEffect)[number];

/**
 * What happens to a sentence of a language model that rests on nothing it was given.
 *
 * - `cut`: it is left out
 * - `hand_off`: nothing is sent, and people take over
 */
export const UnsupportedSentences = ["cut", "hand_off"] as const;
export type UnsupportedSentences = (typeof UnsupportedSentences)[number];

/**
 * Whether an answer or code was right.
 */
export const VerificationResult = ["passed", "failed"] as const;
export type VerificationResult = (typeof VerificationResult)[number];

/**
 * Where the answers to questions come from.
 *
 * - `contact_attributes`: the contact's attributes
 * - `http`: a system of yours that Parley asks
 */
export const VerificationSourceType = ["contact_attributes", "http"] as const;
export type VerificationSourceType = (typeof VerificationSourceType)[number];

/**
 * What a viewer does in a conversation.
 */
export const ViewerState = ["viewing", "typing"] as const;
export type ViewerState = (typeof ViewerState)[number];

/**
 * What a member does in a conversation.
 */
export const ViewingState = ["viewing", "typing", "left"] as const;
export type ViewingState = (typeof ViewingState)[number];

/**
 * Which way a message goes.
 *
 * - `inbound`: from the visitor
 * - `outbound`: to the visitor
 */
export const WebchatMessageDirection = ["inbound", "outbound"] as const;
export type WebchatMessageDirection = (typeof WebchatMessageDirection)[number];

/**
 * The corner of the page that shows the chat.
 */
export const WebchatPosition = ["end", "start"] as const;
export type WebchatPosition = (typeof WebchatPosition)[number];

/**
 * How far a delivery got.
 *
 * - `queued`: is sent, or sent again, later
 * - `succeeded`: the endpoint accepted it
 * - `failed`: no further attempt is made
 * - `captured`: kept and not sent, on the test side
 */
export const WebhookDeliveryStatus = ["queued", "succeeded", "failed", "captured"] as const;
export type WebhookDeliveryStatus = (typeof WebhookDeliveryStatus)[number];

/**
 * The event of a delivery; `webhook.test` is a test.
 */
export const WebhookDeliveryType = [
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
] as const;
export type WebhookDeliveryType = (typeof WebhookDeliveryType)[number];

/**
 * Whether events are sent to an endpoint.
 */
export const WebhookEndpointStatus = ["active", "disabled"] as const;
export type WebhookEndpointStatus = (typeof WebhookEndpointStatus)[number];

/**
 * An event that a webhook endpoint can ask for.
 */
export const WebhookEventType = [
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
] as const;
export type WebhookEventType = (typeof WebhookEventType)[number];

/**
 * Whose words a language model answers in.
 *
 * - `quotes`: sentences of entries and public fields of tools, letter for letter, and nothing else
 * - `own`: its own, compared with the sources word by word: some false sentences pass
 */
export const Wording = ["quotes", "own"] as const;
export type Wording = (typeof Wording)[number];

/**
 * The state of a workspace.
 *
 * - `active`: in use
 * - `inactive`: the assistant is off, and all else works
 * - `archived`: readable; new conversations and replies are refused
 */
export const WorkspaceStatus = ["active", "inactive", "archived"] as const;
export type WorkspaceStatus = (typeof WorkspaceStatus)[number];
