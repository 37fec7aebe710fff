import { Check, Column, Entity, ForeignKey, Index, Unique } from "typeorm";
import { Id, Int, Now, TenantId, Text, Time, Uuid } from "../platform/database/columns.js";
import { isOneOf, namedEnum } from "../platform/enums/named-enum.js";
import { ASSURANCE_LEVELS, type AssuranceLevel } from "./assurance-level.js";
import {
  CONVERSATION_STATUSES,
  type ConversationStatus,
  HANDLING_MODES,
  type HandlingMode,
  type Resolution,
  RESOLUTIONS,
} from "./lifecycle/lifecycle.js";
import type { Recipients } from "./participants/recipients.js";
import { SENDER_PROOFS, type SenderProof } from "./sender-proof.js";

export const BODY_FORMATS = namedEnum("BodyFormat", "How a body is written.", ["text", "markdown"]);
export type BodyFormat = (typeof BODY_FORMATS)[number];
export const MESSAGE_DIRECTIONS = namedEnum("MessageDirection", "Which way a message goes.", {
  inbound: "from the contact",
  outbound: "to the contact",
  internal: "a note that the contact never sees",
});
export type MessageDirection = (typeof MESSAGE_DIRECTIONS)[number];
export const AUTHOR_TYPES = namedEnum("AuthorType", "Who wrote a message.", [
  "contact",
  "assistant",
  "member",
  "api",
  "system",
]);
export type AuthorType = (typeof AUTHOR_TYPES)[number];
export const DELIVERY_STATUSES = namedEnum("DeliveryStatus", "How far a message got. It is never downgraded.", {
  held: "does not leave yet, and can be cancelled",
  queued: "waits to be sent",
  sent: "has left",
  delivered: "has arrived",
  read: "was read",
  failed: "could not be sent",
  cancelled: "was cancelled before it left",
});
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
export const AUTHENTICATION_RESULTS = namedEnum("AuthenticationResult", "Whether the sender of an email is proven.", [
  "pass",
  "fail",
  "none",
]);
export const AUTHENTICATION_CHECKERS = namedEnum("AuthenticationChecker", "Who checked the sender of an email.", [
  "parley",
  "receiving server",
]);
export const PRIORITIES = namedEnum("Priority", "How urgent something is.", [
  "none",
  "low",
  "medium",
  "high",
  "urgent",
]);
export type Priority = (typeof PRIORITIES)[number];

// Each list reads one of these indexes backwards by (last_activity_at, id), so every page costs the same.
@Entity("conversation")
@ForeignKey("workspace", ["tenantId", "workspaceId", "brandId"], ["tenantId", "id", "brandId"])
@ForeignKey("channel", ["tenantId", "channelId"], ["tenantId", "id"])
@ForeignKey("contact", ["tenantId", "contactId"], ["tenantId", "id"])
@ForeignKey("conversation", ["tenantId", "previousConversationId"], ["tenantId", "id"])
@Index("conversation_recent", ["tenantId", "lastActivityAt", "id"])
@Index("conversation_recent_in_brand", ["tenantId", "brandId", "lastActivityAt", "id"])
@Index("conversation_recent_in_workspace", ["tenantId", "workspaceId", "lastActivityAt", "id"])
@Index("conversation_recent_by_status", ["tenantId", "workspaceId", "status", "lastActivityAt", "id"])
@Index("conversation_recent_by_status_anywhere", ["tenantId", "status", "lastActivityAt", "id"])
@Index("conversation_recent_of_contact", ["tenantId", "workspaceId", "contactId", "lastActivityAt", "id"])
@Index("conversation_recent_of_contact_anywhere", ["tenantId", "contactId", "lastActivityAt", "id"])
// Conversations without an assignee are in the index as well: desks list them.
@Index("conversation_recent_of_assignee", ["tenantId", "workspaceId", "assigneeId", "status", "lastActivityAt", "id"])
@Index("conversation_recent_of_assignee_anywhere", ["tenantId", "assigneeId", "status", "lastActivityAt", "id"])
@Index("conversation_unread", ["tenantId", "workspaceId", "lastActivityAt", "id"], { where: "unread_count > 0" })
@Index("conversation_unread_anywhere", ["tenantId", "lastActivityAt", "id"], { where: "unread_count > 0" })
@Index("conversation_waiting", ["tenantId", "workspaceId", "waitingSince", "id"], {
  where: "waiting_since is not null",
})
@Index("conversation_waiting_anywhere", ["tenantId", "waitingSince", "id"], { where: "waiting_since is not null" })
@Index("conversation_successor", ["tenantId", "previousConversationId"], {
  unique: true,
  where: "previous_conversation_id is not null",
})
@Index("conversation_of_channel", ["tenantId", "channelId"])
@Unique("conversation_external_id", ["tenantId", "workspaceId", "externalId"])
@Check("conversation_status", isOneOf("status", CONVERSATION_STATUSES))
@Check("conversation_handling_mode", isOneOf("handling_mode", HANDLING_MODES))
@Check("conversation_priority", isOneOf("priority", PRIORITIES))
@Check("conversation_resolution", isOneOf("resolution", RESOLUTIONS))
@Check("conversation_assurance_level", isOneOf("assurance_level", ASSURANCE_LEVELS))
@Check("conversation_sender_proof", isOneOf("sender_proof", SENDER_PROOFS))
@Check(
  "conversation_erased",
  `redacted_at is null or (external_id is null and subject is null and caller_id is null and summary is null and last_message_preview is null and labels = '{}' and metadata = '{}')`,
)
export class ConversationEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Uuid() brandId: string;
  @Uuid() channelId: string;
  @Uuid() contactId: string;
  @Text({ nullable: true }) externalId: string | null;
  @Text({ nullable: true }) subject: string | null;
  /** For a call: the caller's number in E.164. Null if it is withheld. */
  @Text({ nullable: true }) callerId: string | null;
  @Text({ default: "open" }) status: ConversationStatus;
  @Text({ default: "assistant" }) handlingMode: HandlingMode;
  @Uuid({ nullable: true }) assigneeId: string | null;
  @Text({ default: "none" }) priority: Priority;
  @Text({ array: true, default: () => `'{}'` }) labels: string[];
  @Text({ nullable: true }) language: string | null;
  @Text({ nullable: true }) summary: string | null;
  /** Nobody wrote the summary: it was made from the messages, and is made anew when that is of use. */
  @Column({ type: "boolean", default: false }) summaryDerived: boolean;
  /** Sequence number of the newest message, notes included. */
  @Int({ default: 0 }) lastSequence: number;
  /** Sequence number of the newest inbound message or reply. Notes and messages of the system do not count. */
  @Int({ default: 0 }) lastTurn: number;
  /** Sequence number of the newest message when the conversation was last resolved. What it is about now begins after that. */
  @Int({ default: 0 }) contextFrom: number;
  /** Inbound and outbound messages, not notes. */
  @Int({ default: 0 }) messageCount: number;
  @Int({ default: 0 }) unreadCount: number;
  @Text({ nullable: true }) lastMessagePreview: string | null;
  @Now() lastActivityAt: Date;
  /** Since when the contact has been waiting for an answer. */
  @Time({ nullable: true }) waitingSince: Date | null;
  @Time({ nullable: true }) firstReplyAt: Date | null;
  @Time({ nullable: true }) snoozedUntil: Date | null;
  @Time({ nullable: true }) resolvedAt: Date | null;
  @Uuid({ nullable: true }) resolvedBy: string | null;
  @Text({ nullable: true }) resolution: Resolution | null;
  /** Copied from the channel: outbound messages are delivered, instead of waiting to be fetched. */
  @Column({ type: "boolean", default: false }) delivers: boolean;
  /** An agent has answered in this conversation. Only then does its outcome for the agent have to be checked. */
  @Column({ type: "boolean", default: false }) assisted: boolean;
  /** Copies, which triggers keep; see `copied-columns.sql`. */
  @Text({ nullable: true }) channelType: string | null;
  @Uuid({ nullable: true }) accountId: string | null;
  @Text({ default: "none" }) assuranceLevel: AssuranceLevel;
  /** The weakest of its inbound messages. Null until there is one. */
  @Text({ nullable: true }) senderProof: SenderProof | null;
  @Column({ type: "real", nullable: true }) csatScore: number | null;
  @Int({ default: 0 }) pendingActionCount: number;
  @Int({ default: 0 }) openAttentionCount: number;
  @Uuid({ nullable: true }) previousConversationId: string | null;
  @Column({ type: "jsonb", default: () => `'{}'` }) metadata: object;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
  /**
   * Since this time the conversation is an anonymous statistic, because its contact was erased. It accepts no new
   * content.
   */
  @Time({ nullable: true }) redactedAt: Date | null;
}

/** Whether a mail comes from the domain of its sender. */
export interface MessageAuthentication {
  /**
   * `pass`: the domain signed it, or the receiving server says so. `fail`: the domain asks receivers to refuse what it did not
   * sign. `none`: nobody can tell.
   */
  result: (typeof AUTHENTICATION_RESULTS)[number];
  spf: string | null;
  dkim: string | null;
  dmarc: string | null;
  checkedBy: (typeof AUTHENTICATION_CHECKERS)[number];
  /** The address that the mail gives as its sender. */
  from: string;
}

@Entity("message")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"])
@Unique("message_sequence", ["tenantId", "conversationId", "sequence"])
@Index("message_mails", ["tenantId", "conversationId", "createdAt"], {
  where: `direction = 'inbound' and authentication is not null`,
})
@Index("message_external_id", ["tenantId", "conversationId", "externalId"], {
  unique: true,
  where: "external_id is not null",
})
@Index("message_client_message_id", ["tenantId", "conversationId", "clientMessageId"], {
  unique: true,
  where: "client_message_id is not null",
})
@Check("message_direction", isOneOf("direction", MESSAGE_DIRECTIONS))
@Check("message_author_type", isOneOf("author_type", AUTHOR_TYPES))
@Check("message_body_format", isOneOf("body_format", BODY_FORMATS))
@Check("message_sender_proof", isOneOf("sender_proof", SENDER_PROOFS))
@Check("message_delivery_status", isOneOf("delivery_status", DELIVERY_STATUSES))
export class MessageEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() conversationId: string;
  /** 1, 2, 3 … in the order of arrival, without gaps, notes included. */
  @Int() sequence: number;
  @Text() direction: MessageDirection;
  @Text() authorType: AuthorType;
  @Uuid({ nullable: true }) authorId: string | null;
  /** The key or member that brought in what the contact says; null if the contact wrote it through a channel. */
  @Uuid({ nullable: true }) broughtBy: string | null;
  @Text() body: string;
  @Text({ default: "text" }) bodyFormat: BodyFormat;
  @Text({ nullable: true }) externalId: string | null;
  @Text({ nullable: true }) clientMessageId: string | null;
  @Text() deliveryStatus: DeliveryStatus;
  @Column({ type: "jsonb", default: () => `'[]'` }) citations: object;
  @Column({ type: "real", nullable: true }) confidence: number | null;
  /** Only of mails. */
  @Column({ type: "jsonb", nullable: true }) authentication: MessageAuthentication | null;
  /** Only of inbound messages. */
  @Text({ nullable: true }) senderProof: SenderProof | null;
  @Time({ nullable: true }) redactedAt: Date | null;
  /** When the message was sent, as given by the sender. */
  @Time() occurredAt: Date;
  @Now() createdAt: Date;
  /** The members whom a note names. */
  @Column({ type: "uuid", array: true, nullable: true }) mentions: string[] | null;
  /** Until then the reply can be cancelled. It may take longer until the first attempt to send it begins. */
  @Time({ nullable: true }) heldUntil: Date | null;
  /** Of a reply: since when the contact had waited for it. Null if nobody waited. */
  @Time({ nullable: true }) waitedSince: Date | null;
  /** The conversation's `unreadCount` before a reply that is held. It gets both back if the reply is cancelled. */
  @Int({ nullable: true }) unreadBefore: number | null;
  /** The status that a held reply gave the conversation, and with `resolved` what the resolution replaced. It is needed for a cancellation only. */
  @Column({ type: "jsonb", nullable: true }) undo: object | null;
  /** Of mails that go to more than the contact, or came in with others in copy. */
  @Column({ type: "jsonb", nullable: true }) recipients: Recipients | null;
  /** An inbound message that not the contact wrote but somebody in copy, who is its author. */
  @Column({ type: "boolean", default: false }) byParticipant: boolean;
  /** Answers to a question of the assistant, each as the contact would write it. The web chat offers them. */
  @Column({ type: "text", array: true, nullable: true }) choices: string[] | null;
}
