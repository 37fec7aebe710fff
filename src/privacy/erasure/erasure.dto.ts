import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import type { Erased } from "../../contacts/erased.js";
import type { Certificate } from "./certificate.js";

@ApiSchema({ description: "How much of each kind was erased." })
export class ErasedCountsDto implements Erased {
  /** The contact and the contacts that were merged into it. */
  contacts: number;
  /** Emails and phone numbers. */
  contactPoints: number;
  /** Kept as anonymous statistics. Subject, summary, labels, metadata and your own id are removed. */
  conversations: number;
  /** Kept without their text. */
  messages: number;
  /** Files that were attached to the messages. */
  attachments: number;
  /** Deleted. */
  identityEvents: number;
  /** Identity checks: questions, counted answers, magic links and factors. */
  verifications: number;
  /** Deleted. */
  attentionItems: number;
  /** Comments that the person wrote with a rating. The score is kept. */
  csatComments: number;
  /** Kept without contact, title and fields. */
  cases: number;
  /** Kept as time spent, without contact and text. Their events are removed from the calendars. */
  bookings: number;
  /** Entries that were learned from the person's messages and never approved. */
  kbEntries: number;
  /** Approved entries that no longer name the person's messages as evidence. */
  kbEvidence: number;
  /** Policies that were learned from the person's messages and never approved. */
  policyEntries: number;
  /** Approved policies that no longer name the person's messages as evidence. */
  policyEvidence: number;
  /** Mails to the person, sent or waiting. */
  mails: number;
  /** Answers that were stored for retries. Repeating one of these requests is 409. */
  storedAnswers: number;
}

@ApiSchema({ description: "A signed proof of an erasure. `parley erasure verify` checks it." })
export class ErasureCertificateDto implements Certificate {
  /** The version of the certificate's format. */
  @ApiProperty({ enum: [1] })
  version: 1;
  @ApiProperty({ format: "uuid" })
  erasureId: string;
  @ApiProperty({ format: "uuid" })
  tenantId: string;
  /** Every contact of the person. The survivor of the merges comes first. */
  @ApiProperty({ type: [String] })
  contactIds: string[];
  /** How much of each kind was erased. */
  erased: ErasedCountsDto;
  /** When nothing of the person could be read any more. */
  @ApiProperty({ format: "date-time" })
  completedAt: string;
  /** The SHA-256 of the canonical JSON of the certificate without `digest` and `signature`, in hexadecimal. */
  digest: string;
  /**
   * An Ed25519 signature of the digest's 32 bytes, in base64, made with the tenant's key. The public key is
   * `erasureKey` of `GET /api/tenant`.
   */
  signature: string;
}

@ApiSchema({ description: "A completed erasure with its certificate." })
export class ErasureDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** The erased contact. If it had been merged, the contact that it was merged into. */
  @ApiProperty({ format: "uuid" })
  contactId: string;
  /** Always `completed`: the request answers when the erasure is done. */
  @ApiProperty({ enum: ["completed"] })
  status: "completed";
  /** How much of each kind was erased. */
  erased: ErasedCountsDto;
  /** When nothing of the person could be read any more. */
  @ApiProperty({ format: "date-time" })
  completedAt: string;
  /** A signed proof of the erasure. */
  certificate: ErasureCertificateDto;
}
