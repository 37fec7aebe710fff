import { ApiProperty } from "@nestjs/swagger";
import type { Erased } from "../../contacts/erased.js";
import type { Certificate } from "./certificate.js";

export class ErasedDto implements Erased {
  /** The contact and those that were merged into it. */
  contacts: number;
  /** Emails and phone numbers. */
  contactPoints: number;
  /** Kept as anonymous statistics: without subject, summary, labels, metadata and your own id. */
  conversations: number;
  /** Kept without their text. */
  messages: number;
  /** Files that were attached to them. */
  attachments: number;
  identityEvents: number;
  /** Questions, answers that were counted, magic links and factors of proving who was calling. */
  verifications: number;
  attentionItems: number;
  /** What they wrote with a rating; the score is kept. */
  csatComments: number;
  /** Kept without contact, title and fields. */
  cases: number;
  /** Kept as time that was spent, without contact and words; their events are removed from the calendars. */
  bookings: number;
  /** Entries that nobody had approved and that were learned from the person's messages. */
  kbEntries: number;
  /** Approved entries that no longer name the person's messages as evidence. */
  kbEvidence: number;
  /** Policies that were learned from the person and approved by nobody. */
  policyEntries: number;
  /** Approved policies that lost their evidence. */
  policyEvidence: number;
  /** Mails to the person, sent or waiting. */
  mails: number;
  /** Answers kept for retries; repeating such a request is 409. */
  storedAnswers: number;
}

export class CertificateDto implements Certificate {
  @ApiProperty({ enum: [1] })
  version: 1;
  @ApiProperty({ format: "uuid" })
  erasureId: string;
  @ApiProperty({ format: "uuid" })
  tenantId: string;
  /** Every contact that was the person, the survivor of the merges first. */
  @ApiProperty({ type: [String] })
  contactIds: string[];
  erased: ErasedDto;
  @ApiProperty({ format: "date-time" })
  completedAt: string;
  /** SHA-256, in hexadecimal, of the canonical JSON of the certificate without `digest` and `signature`. */
  digest: string;
  /** Ed25519 signature, in base64, of the digest's 32 bytes, made with the tenant's key; its public part is `erasureKey` at `GET /api/tenant`. */
  signature: string;
}

export class ErasureDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** The contact that was erased; where it had been merged, the one that it was merged into. */
  @ApiProperty({ format: "uuid" })
  contactId: string;
  @ApiProperty({ enum: ["completed"] })
  status: "completed";
  erased: ErasedDto;
  @ApiProperty({ format: "date-time" })
  completedAt: string;
  certificate: CertificateDto;
}
