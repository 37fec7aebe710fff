import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsIn, IsInt, IsString, IsUUID, Length, Max, Min } from "class-validator";
import { ASSURANCE_LEVELS, type AssuranceLevel, DEMANDED_LEVELS } from "../../conversations/assurance-level.js";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { FACTOR_CATEGORIES, FACTOR_TYPES, type FactorCategory, type FactorType } from "../events/identity-event.js";
import { PROOF_CHANNELS, type ProofChannel } from "./proof-channel.js";

export const VERIFICATION_RESULTS = namedEnum("VerificationResult", "Whether an answer or code was right.", [
  "passed",
  "failed",
]);
export type VerificationResult = (typeof VERIFICATION_RESULTS)[number];

export class AskQuestionsDto {
  /** How many questions to ask, 1 to 5. */
  @Optional()
  @IsInt()
  @Min(1)
  @Max(5)
  count?: number = 1;
}

@ApiSchema({ description: "A question to put to the caller." })
export class AskedQuestionDto {
  /** Give it together with the answer. */
  @ApiProperty({ format: "uuid" })
  questionId: string;
  /** The question, to be put to the caller as it is. */
  @ApiProperty({ example: "What is your postcode?" })
  prompt: string;
}

@ApiSchema({ description: "The questions to put to the caller." })
export class AskedQuestionsDto {
  /** Put them to the caller one by one. */
  questions: AskedQuestionDto[];
}

export class SubmitAnswerDto {
  @ApiProperty({ format: "uuid" })
  @IsUUID()
  questionId: string;

  /** The answer in the caller's own words, 1 to 500 characters. It is compared and not stored. */
  @ApiProperty({ example: "it is EC1A 1BB" })
  @IsString()
  @Length(1, 500)
  answer: string;
}

@ApiSchema({ description: "Whether an answer was right." })
export class AnswerResultDto {
  @ApiProperty({ enum: VERIFICATION_RESULTS })
  result: VerificationResult;
  /** Wrong answers left until verification is locked. */
  remainingAttempts: number;
  /** How well the contact is proven now. */
  @ApiProperty({ enum: ASSURANCE_LEVELS })
  assuranceLevel: AssuranceLevel;
}

export class RequireVerificationDto {
  /** The level that the conversation needs. */
  @ApiProperty({ enum: DEMANDED_LEVELS })
  @IsIn(DEMANDED_LEVELS)
  level: Exclude<AssuranceLevel, "none">;

  /** What the level is needed for, 1 to 200 characters. It is shown in the attention item if verification is not configured. */
  @ApiProperty({ example: "change the payout account" })
  @Trimmed()
  @IsString()
  @Length(1, 200)
  purpose: string;
}

@ApiSchema({ description: "A factor that was proven and has not expired." })
export class VerifiedFactorDto {
  @ApiProperty({ enum: FACTOR_TYPES })
  factorType: FactorType;
  @ApiProperty({ enum: FACTOR_CATEGORIES })
  factorCategory: FactorCategory;
  /** When it was proven. */
  @ApiProperty({ format: "date-time" })
  addedAt: string;
  /** The factor counts until then. */
  @ApiProperty({ format: "date-time" })
  expiresAt: string;
}

@ApiSchema({ description: "Verification is locked after too many wrong answers." })
export class VerificationLockDto {
  /** When the next attempt is possible. Null if only an owner or admin can unlock. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  until: string | null;
}

@ApiSchema({ description: "The locks that apply to a conversation." })
export class VerificationLocksDto {
  /** Set after too many wrong answers in this conversation. Otherwise null. */
  @ApiProperty({ type: VerificationLockDto, nullable: true })
  conversation: VerificationLockDto | null;
  /** Set after too many wrong answers for this person in 24 hours. Otherwise null. */
  @ApiProperty({ type: VerificationLockDto, nullable: true })
  identity: VerificationLockDto | null;
  /** Set after too many wrong answers from this caller ID in 24 hours. Otherwise null. */
  @ApiProperty({ type: VerificationLockDto, nullable: true })
  callerId: VerificationLockDto | null;
}

@ApiSchema({ description: "An approval that waits for a member to confirm it." })
export class EidApprovalDto {
  @ApiProperty({ format: "uuid" })
  requestId: string;
  /** The name of the scheme. */
  scheme: string;
  /** When the person approved. */
  @ApiProperty({ format: "date-time" })
  approvedAt: string;
  /** A member can confirm it until then. */
  @ApiProperty({ format: "date-time" })
  expiresAt: string;
}

@ApiSchema({ description: "A magic link that was sent and not yet used." })
export class PendingLinkDto {
  @ApiProperty({ format: "uuid" })
  linkId: string;
  @ApiProperty({ enum: PROOF_CHANNELS })
  channel: ProofChannel;
  /** Two digits that the page behind the link shows or asks for. Tell them to the person in the conversation. */
  @ApiProperty({ example: "42" })
  code: string;
  /** The link works until then. */
  @ApiProperty({ format: "date-time" })
  expiresAt: string;
}

@ApiSchema({ description: "What is known of the contact's eID." })
export class EidStateDto {
  /** Whether an eID is bound to the contact. */
  bound: boolean;
  /** Approvals by a person who is not bound to the contact, newest first. They raise no level until a member confirms them. */
  approvals: EidApprovalDto[];
}

@ApiSchema({ description: "How well the contact of a conversation is proven, and by what." })
export class AssuranceDto {
  /** How well the contact is proven now. */
  @ApiProperty({ enum: ASSURANCE_LEVELS })
  level: AssuranceLevel;
  /** The factors that have not expired, newest first. */
  factors: VerifiedFactorDto[];
  /** What too many wrong answers have locked. */
  locks: VerificationLocksDto;
  /** What is known of the contact's eID. */
  eid: EidStateDto;
  /** The magic link that can be used now. Null if there is none. */
  @ApiProperty({ type: PendingLinkDto, nullable: true })
  pendingLink: PendingLinkDto | null;
}
