import { Check, Entity, ForeignKey, Index, Unique } from "typeorm";
import { Id, Now, TenantId, Text, Uuid } from "../../platform/database/columns.js";
import { isOneOf, namedEnum } from "../../platform/enums/named-enum.js";

export const PARTICIPANT_ROLES = namedEnum("ParticipantRole", "Where a mail named a participant.", ["to", "cc"]);
export type ParticipantRole = (typeof PARTICIPANT_ROLES)[number];
/**
 * `listed`: gets replies to all. `removed`: until somebody of ours names them again. `named`: a message named them, such as in bcc
 * or in a mail that nothing proves. They get nothing; the row is for an erasure, which finds the message by it.
 */
const PARTICIPANT_STATES = ["listed", "removed", "named"] as const;
export type ParticipantState = (typeof PARTICIPANT_STATES)[number];

/** Somebody besides the contact whom a mail of a conversation names. */
@Entity("conversation_participant")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Unique("conversation_participant_address", ["tenantId", "conversationId", "address"])
@Index("conversation_participant_by_address", ["tenantId", "address"])
@Index("conversation_participant_of_contact", ["tenantId", "contactId"], { where: "contact_id is not null" })
@Check("conversation_participant_role", isOneOf("role", PARTICIPANT_ROLES))
@Check("conversation_participant_state", isOneOf("state", PARTICIPANT_STATES))
export class ParticipantEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() conversationId: string;
  /** Null until a contact of the workspace has the address. */
  @Uuid({ nullable: true }) contactId: string | null;
  @Text() address: string;
  @Text({ nullable: true }) name: string | null;
  @Text() role: ParticipantRole;
  @Text() state: ParticipantState;
  /** The key or member. Null if a mail named them. */
  @Uuid({ nullable: true }) addedBy: string | null;
  @Now() addedAt: Date;
}
