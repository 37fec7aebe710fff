import { AgentEntity, AgentInstructionsEntity, AgentWorkspaceEntity } from "./knowledge/agents/agent.entity.js";
import {
  AttachmentEntity,
  AttachmentRemovalEntity,
  AttachmentUsageEntity,
} from "./conversations/attachments/attachment.entity.js";
import {
  AssistantDueEntity,
  AssistantRunEntity,
  AssistantSettingsEntity,
  AssistantStepEntity,
} from "./assistant/assistant.entity.js";
import { SuggestionEntity } from "./assistant/suggestions/suggestion.entity.js";
import {
  PendingActionDueEntity,
  PendingActionEntity,
  ToolCallEntity,
  ToolEntity,
} from "./assistant/tools/tool.entity.js";
import {
  ProcedureEntity,
  ProcedureRunEntity,
  ProcedureVersionEntity,
} from "./assistant/procedures/procedure.entity.js";
import { LearningDueEntity, LearningEvidenceEntity, LearningOriginEntity } from "./learning/learning.entity.js";
import { AttentionItemEntity } from "./conversations/attention/attention-item.entity.js";
import { AuditEntryEntity } from "./audit/audit-entry.entity.js";
import { ApiKeyEntity, ApiKeyLookupEntity } from "./auth/api-keys/api-key.entity.js";
import {
  LoginAttemptEntity,
  MemberEmailEntity,
  MemberEntity,
  MemberIdentityEntity,
  MemberLinkEntity,
  MemberSessionEntity,
  MemberWorkspaceEntity,
  ReleaseQueueEntity,
} from "./auth/members/member.entity.js";
import { MemberPreferencesEntity } from "./auth/preferences/preferences.entity.js";
import {
  PendingSignInEntity,
  RecoveryCodeEntity,
  SecondFactorEntity,
} from "./auth/second-factors/second-factor.entity.js";
import { SecurityEventEntity } from "./auth/security-log/security-event.entity.js";
import { BookingEntity, CalendarWriteEntity } from "./calendar/booking.entity.js";
import {
  CalendarBusyEntity,
  CalendarConnectionEntity,
  CalendarDueEntity,
  CalendarEntity,
  CalendarEventEntity,
} from "./calendar/calendar.entity.js";
import {
  CaseConversationEntity,
  CaseCounterEntity,
  CaseEntity,
  CaseEventEntity,
  CaseTypeEntity,
} from "./conversations/cases/case.entity.js";
import { ChannelLookupEntity } from "./channels/channel-lookup.entity.js";
import { MailboxEntity, MailboxLeaseEntity } from "./channels/email/mailbox.entity.js";
import { MailDeliveryEntity, MailTokenEntity } from "./channels/email/webhooks/mail-delivery.entity.js";
import { ReceivedMessageEntity } from "./channels/received-message.entity.js";
import {
  BulkActionDueEntity,
  BulkActionEntity,
  BulkActionItemEntity,
} from "./conversations/bulk/bulk-action.entity.js";
import { LabelEntity } from "./conversations/labels/label.entity.js";
import { ConsumptionEntity } from "./conversations/consumption/consumption.entity.js";
import { AccountEntity } from "./contacts/account.entity.js";
import {
  ContactEntity,
  ContactLabelEntity,
  ContactWorkspaceEntity,
  ContactPointEntity,
  DirectoryEntryEntity,
} from "./contacts/contact.entity.js";
import { ErasedContactEntity } from "./contacts/erased-contact.entity.js";
import { SnoozeDueEntity } from "./conversations/actions/snooze-due.entity.js";
import { ConversationAgentEntity } from "./conversations/conversation-agent.entity.js";
import { ConversationLabelEntity } from "./conversations/conversation-label.entity.js";
import { ConversationViewerEntity } from "./conversations/viewing/conversation-viewer.entity.js";
import { CannedReplyEntity } from "./conversations/canned-replies/canned-reply.entity.js";
import { SavedViewEntity } from "./conversations/views/view.entity.js";
import { DraftEntity } from "./conversations/drafts/draft.entity.js";
import { ParticipantEntity } from "./conversations/participants/participant.entity.js";
import { ConversationEntity, MessageEntity } from "./conversations/conversation.entity.js";
import { ReportDayChangeEntity, ReportDayEntity, ReportDayUntilEntity } from "./quality/reports/report-days.entity.js";
import {
  AssistantTimeEntity,
  HandOverEntity,
  OpenTimeEntity,
  ReplyTimeEntity,
} from "./quality/reports/report-times.entity.js";
import { CsatConfigEntity, CsatDueEntity, CsatSurveyEntity } from "./quality/csat/csat.entity.js";
import { IdempotencyKeyEntity } from "./platform/database/idempotency-key.entity.js";
import { ResourceChangeEntity, ResourceChangeFloorEntity } from "./feed/resource-change.entity.js";
import { HomeEntity, ReservationEntity } from "./platform/database/home.entity.js";
import { RateWindowEntity } from "./platform/database/rate-window.entity.js";
import { EidBindingEntity, EidDueEntity, EidRequestEntity, EidSchemeEntity } from "./identity/eid/eid.entity.js";
import { IdentityEventEntity } from "./identity/events/identity-event.entity.js";
import { MagicLinkEntity } from "./identity/magic-links/magic-link.entity.js";
import { OneTimeCodeEntity } from "./identity/one-time-codes/one-time-code.entity.js";
import { IdentitySettingsEntity } from "./identity/settings/identity-settings.entity.js";
import { VerificationSourceEntity } from "./identity/settings/verification-source.entity.js";
import {
  AssuranceDueEntity,
  VerificationAttemptEntity,
  VerificationFactorEntity,
  VerificationQuestionEntity,
} from "./identity/verification/verification.entity.js";
import { KbEntryEntity, KbEntryVersionEntity } from "./knowledge/kb-entries/kb-entry.entity.js";
import {
  SiteReadingEntity,
  SourceDueEntity,
  SourceEntity,
  SourcePageEntity,
  SourceSectionEntity,
} from "./knowledge/sources/source.entity.js";
import { KbPostingEntity, KbQuestionEntity } from "./knowledge/kb-entries/kb-question.entity.js";
import {
  AssistantTestChangeEntity,
  AssistantTestDueEntity,
  AssistantTestEntity,
  AssistantTestRunEntity,
} from "./learning/rehearsal/rehearsal.entity.js";
import { DerivedRepairEntity } from "./platform/derived/derived-repair.entity.js";
import { JobRunEntity } from "./maintenance/job-run.entity.js";
import { OutboxMessageEntity, OutboxQueueEntity } from "./platform/outbox/outbox.entity.js";
import { CircuitBreakerEntity } from "./platform/outcomes/circuit-breaker.entity.js";
import { OutcomeCountEntity, OutcomeEntity, RatingMonthEntity } from "./platform/outcomes/outcome.entity.js";
import {
  PolicyEntryEntity,
  PolicyEntryVersionEntity,
  PolicyPostingEntity,
  PolicyTextEntity,
  PolicyToolEntity,
} from "./knowledge/policies/policy-entry.entity.js";
import { ErasureRequestEntity } from "./privacy/erasure/erasure.entity.js";
import { BreakerSettingEntity } from "./quality/breakers/breaker-setting.entity.js";
import { CaseEntryEntity } from "./conversations/cases/case-search.entity.js";
import { SearchEntryEntity, SearchWordEntity } from "./conversations/search/search.entity.js";
import { SigningKeyEntity } from "./workspaces/tenants/signing-key.entity.js";
import { TenantEntity } from "./workspaces/tenants/tenant.entity.js";
import { ChannelDueEntity, ChannelEntity } from "./workspaces/channel.entity.js";
import { WebchatSessionEntity, WebchatThreadEntity } from "./channels/webchat/webchat-session.entity.js";
import { WidgetEntity, WidgetLookupEntity } from "./channels/widgets/widget.entity.js";
import { WebhookDeliveryEntity, WebhookDueEntity, WebhookEndpointEntity } from "./webhooks/webhook.entity.js";
import { NoticeDueEntity, PushSubscriptionEntity, UnreadMentionEntity } from "./notices/notices.entity.js";
import { BrandEntity, PurgeQueueEntity, WorkspaceEntity, WorkspaceLogoEntity } from "./workspaces/workspace.entity.js";

/** Every table. */
export const ENTITIES = [
  TenantEntity,
  SigningKeyEntity,
  BrandEntity,
  WorkspaceEntity,
  ChannelEntity,
  PurgeQueueEntity,
  WorkspaceLogoEntity,
  MemberEntity,
  MemberEmailEntity,
  MemberIdentityEntity,
  MemberLinkEntity,
  MemberWorkspaceEntity,
  MemberSessionEntity,
  MemberPreferencesEntity,
  PushSubscriptionEntity,
  UnreadMentionEntity,
  NoticeDueEntity,
  ReleaseQueueEntity,
  ResourceChangeEntity,
  ResourceChangeFloorEntity,
  SecondFactorEntity,
  RecoveryCodeEntity,
  PendingSignInEntity,
  LoginAttemptEntity,
  SecurityEventEntity,
  ApiKeyEntity,
  ApiKeyLookupEntity,
  AccountEntity,
  ContactEntity,
  ContactPointEntity,
  ContactLabelEntity,
  ContactWorkspaceEntity,
  DirectoryEntryEntity,
  ConversationEntity,
  MessageEntity,
  ParticipantEntity,
  AttentionItemEntity,
  IdentityEventEntity,
  IdentitySettingsEntity,
  VerificationSourceEntity,
  KbEntryEntity,
  VerificationQuestionEntity,
  VerificationAttemptEntity,
  VerificationFactorEntity,
  AssuranceDueEntity,
  MagicLinkEntity,
  OneTimeCodeEntity,
  EidSchemeEntity,
  EidRequestEntity,
  EidDueEntity,
  EidBindingEntity,
  ErasureRequestEntity,
  ErasedContactEntity,
  ConversationLabelEntity,
  ConversationViewerEntity,
  DraftEntity,
  CannedReplyEntity,
  SavedViewEntity,
  SnoozeDueEntity,
  IdempotencyKeyEntity,
  OutboxMessageEntity,
  OutboxQueueEntity,
  RateWindowEntity,
  HomeEntity,
  ReservationEntity,
  JobRunEntity,
  DerivedRepairEntity,
  SearchEntryEntity,
  SearchWordEntity,
  AttachmentEntity,
  AttachmentRemovalEntity,
  AttachmentUsageEntity,
  BulkActionEntity,
  BulkActionItemEntity,
  BulkActionDueEntity,
  LabelEntity,
  CaseTypeEntity,
  CaseEntity,
  CaseCounterEntity,
  CaseConversationEntity,
  CaseEventEntity,
  CaseEntryEntity,
  ConsumptionEntity,
  AuditEntryEntity,
  KbEntryVersionEntity,
  KbQuestionEntity,
  SourceDueEntity,
  SiteReadingEntity,
  AssistantTestChangeEntity,
  AssistantTestDueEntity,
  AssistantTestEntity,
  AssistantTestRunEntity,
  SourceEntity,
  SourcePageEntity,
  SourceSectionEntity,
  KbPostingEntity,
  ChannelDueEntity,
  PolicyEntryEntity,
  PolicyEntryVersionEntity,
  PolicyTextEntity,
  PolicyPostingEntity,
  PolicyToolEntity,
  AgentEntity,
  AgentWorkspaceEntity,
  AgentInstructionsEntity,
  ReceivedMessageEntity,
  MailboxEntity,
  MailDeliveryEntity,
  MailTokenEntity,
  MailboxLeaseEntity,
  ChannelLookupEntity,
  WebchatSessionEntity,
  WebchatThreadEntity,
  WidgetEntity,
  WidgetLookupEntity,
  CalendarConnectionEntity,
  CalendarEntity,
  CalendarEventEntity,
  CalendarBusyEntity,
  CalendarDueEntity,
  BookingEntity,
  CalendarWriteEntity,
  OutcomeEntity,
  OutcomeCountEntity,
  RatingMonthEntity,
  CsatConfigEntity,
  CsatDueEntity,
  CsatSurveyEntity,
  OpenTimeEntity,
  ReplyTimeEntity,
  AssistantTimeEntity,
  HandOverEntity,
  ReportDayEntity,
  ReportDayUntilEntity,
  ReportDayChangeEntity,
  CircuitBreakerEntity,
  BreakerSettingEntity,
  ConversationAgentEntity,
  LearningEvidenceEntity,
  LearningDueEntity,
  LearningOriginEntity,
  AssistantRunEntity,
  AssistantStepEntity,
  AssistantDueEntity,
  AssistantSettingsEntity,
  SuggestionEntity,
  ToolEntity,
  ToolCallEntity,
  PendingActionEntity,
  PendingActionDueEntity,
  ProcedureEntity,
  ProcedureVersionEntity,
  ProcedureRunEntity,
  WebhookEndpointEntity,
  WebhookDeliveryEntity,
  WebhookDueEntity,
];
