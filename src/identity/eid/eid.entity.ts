import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { isOneOf, namedEnum } from "../../platform/enums/named-enum.js";
import type { BindingRule } from "./first-binding.js";
import { Id, Int, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";

/** An eID that a workspace accepts: a client registration at an OpenID provider. */
@Entity("eid_scheme")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
export class EidSchemeEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) workspaceId: string;
  /** Identity events name it in `evidenceRef` as `eid:<name>`. */
  @PrimaryColumn({ type: "text" }) name: string;
  @Int() position: number;
  @Text() issuer: string;
  @Text() clientId: string;
  /** The client secret, encrypted. */
  @Column({ type: "bytea", nullable: true }) sealed: Buffer | null;
  @Text({ array: true }) acrValues: string[];
  @Text() personIdentifierClaim: string;
  /** How a first approval proves that the person is the contact. */
  @Column({ type: "jsonb" }) binding: BindingRule;
}

export const EID_MODES = namedEnum("EidMode", "How an electronic identity is asked for.", {
  push: "the scheme asks the person on their phone",
  link: "the person opens a link",
});
export type EidMode = (typeof EID_MODES)[number];
export type EidStatus = "pending" | "granted" | "denied" | "expired" | "failed";

/** One approval that a contact was asked for. It is pending until one statement ends it. */
@Entity("eid_request")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("contact", ["tenantId", "contactId"], ["tenantId", "id"])
@Index("eid_request_of_conversation", ["tenantId", "conversationId"])
@Index("eid_request_of_contact", ["tenantId", "contactId"])
@Index("eid_request_finished", ["tenantId", "finishedAt"])
@Index("eid_request_one_prompt", ["tenantId", "contactId"], {
  unique: true,
  where: `status = 'pending' and mode = 'push'`,
})
@Check("eid_request_mode", isOneOf("mode", EID_MODES))
@Check("eid_request_status", `status in ('pending', 'granted', 'denied', 'expired', 'failed')`)
@Check(
  "eid_request_approval",
  `(person is null) = (confirmable_until is null) and (person is null or status = 'granted')`,
)
@Check("eid_request_over", `(status = 'pending') = (finished_at is null) and (status = 'pending' or sealed is null)`)
export class EidRequestEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() conversationId: string;
  @Uuid() contactId: string;
  /** The scheme's name, and its issuer at that time. If the scheme's issuer changes, nothing can confirm the request. */
  @Text() scheme: string;
  @Text() issuer: string;
  @Text() mode: EidMode;
  @Text({ default: "pending" }) status: EidStatus;
  /** While it is pending, encrypted: the id to poll with, or the PKCE verifier and nonce. */
  @Column({ type: "bytea", nullable: true }) sealed: Buffer | null;
  /** Of a link, SHA-256: of its token, of the state last sent to the provider, and of the cookie of the browser that went there. */
  @Text({ nullable: true }) linkHash: string | null;
  @Text({ nullable: true }) stateHash: string | null;
  @Text({ nullable: true }) browserHash: string | null;
  /** When the state came back. It is accepted once. */
  @Time({ nullable: true }) returnedAt: Date | null;
  @Time({ default: () => "clock_timestamp()" }) createdAt: Date;
  @Time() expiresAt: Date;
  @Time({ nullable: true }) finishedAt: Date | null;
  /** Who approved, as in `EidBindingEntity`, while a member may confirm that they are the contact. */
  @Column({ type: "bytea", nullable: true }) person: Buffer | null;
  @Time({ nullable: true }) confirmableUntil: Date | null;
}

/** When a pending request is polled next or expires, for all tenants. Holds only ids and times, which the job claims. */
@Entity("eid_due")
@ForeignKey("eid_request", ["tenantId", "requestId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("eid_due_next", ["dueAt"])
@Index("eid_due_turn", ["tenantId", "dueAt"])
export class EidDueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) requestId: string;
  @Time() dueAt: Date;
  /** Seconds between two polls. Null if there is nothing to poll. */
  @Int({ nullable: true }) intervalSeconds: number | null;
  @Time() endsAt: Date;
}

/** Which person at an issuer a contact is, once that is proven. */
@Entity("eid_binding")
@ForeignKey("contact", ["tenantId", "contactId"], ["tenantId", "id"])
@Index("eid_binding_of_person", ["tenantId", "issuer", "person"], { unique: true })
export class EidBindingEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) contactId: string;
  @PrimaryColumn({ type: "text" }) issuer: string;
  /** Keyed hash of the tenant, the issuer and the person's identifier. */
  @Column({ type: "bytea" }) person: Buffer;
  @Time({ default: () => "clock_timestamp()" }) boundAt: Date;
}
