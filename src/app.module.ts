import { type DynamicModule, Module, type OnModuleDestroy } from "@nestjs/common";
import { APP_FILTER, APP_GUARD, APP_PIPE } from "@nestjs/core";
import { ScheduleModule } from "@nestjs/schedule";
import { AgentsModule } from "./knowledge/agents/agents.module.js";
import { AttachmentsModule } from "./conversations/attachments/attachments.module.js";
import { AttentionModule } from "./conversations/attention/attention.module.js";
import { AccessGuard } from "./auth/access/access.guard.js";
import { AssistantModule } from "./assistant/assistant.module.js";
import { AuditModule } from "./audit/audit.module.js";
import { AuthModule } from "./auth/auth.module.js";
import { CalendarModule } from "./calendar/calendar.module.js";
import { OutboxApiModule } from "./channels/outbox/outbox-api.module.js";
import { CasesModule } from "./conversations/cases/cases.module.js";
import { ApiModule } from "./channels/api/api.module.js";
import { ChannelsModule } from "./channels/channels.module.js";
import { EmailModule } from "./channels/email/email.module.js";
import type { Config } from "./platform/config/config.js";
import { ConfigModule } from "./platform/config/config.module.js";
import { ConsumptionModule } from "./conversations/consumption/consumption.module.js";
import { ContactsModule } from "./contacts/contacts.module.js";
import { ConversationsModule } from "./conversations/conversations.module.js";
import { CsatModule } from "./quality/csat/csat.module.js";
import { DeskModule } from "./desk/desk.module.js";
import { DerivedModule } from "./platform/derived/derived.module.js";
import { DatabaseModule } from "./platform/database/database.module.js";
import { connectionsOf, furtherConnectionsOf } from "./platform/database/connections.js";
import { appOptions } from "./platform/database/options.js";
import { ENTITIES } from "./entities.js";
import { EventsModule } from "./platform/events/events.module.js";
import { FeedModule } from "./feed/feed.module.js";
import { HealthModule } from "./maintenance/health/health.module.js";
import { BodyReader } from "./platform/http/body-reader.js";
import { ErrorFilter } from "./platform/http/errors.js";
import { PublicCorsModule } from "./platform/http/public-cors.js";
import { Validation } from "./platform/http/validation.js";
import { IdentityModule } from "./identity/identity.module.js";
import { KnowledgeModule } from "./knowledge/kb-entries/knowledge.module.js";
import { LearningModule } from "./learning/learning.module.js";
import { MaintenanceModule } from "./maintenance/maintenance.module.js";
import { JobRunner } from "./platform/jobs/job-runner.js";
import { JobsModule } from "./platform/jobs/jobs.module.js";
import { MetricsModule } from "./platform/metrics/metrics.module.js";
import { OutboundModule } from "./platform/outbound/outbound.module.js";
import { TracingModule } from "./platform/tracing/tracing.module.js";
import { OutboxModule } from "./platform/outbox/outbox.module.js";
import { OutcomesModule } from "./platform/outcomes/outcomes.module.js";
import { ExportModule } from "./privacy/export/export.module.js";
import { SourcesModule } from "./knowledge/sources/sources.module.js";
import { PoliciesModule } from "./knowledge/policies/policies.module.js";
import { ErasureModule } from "./privacy/erasure/erasure.module.js";
import { ProvisioningModule } from "./workspaces/provisioning/provisioning.module.js";
import { QualityModule } from "./quality/quality.module.js";
import { SearchModule } from "./conversations/search/search.module.js";
import { TelephonyModule } from "./channels/telephony/telephony.module.js";
import { TenantsModule } from "./workspaces/tenants/tenants.module.js";
import { WebchatModule } from "./channels/webchat/webchat.module.js";
import { WebhooksModule } from "./webhooks/webhooks.module.js";
import { NoticesModule } from "./notices/notices.module.js";
import { WidgetsModule } from "./channels/widgets/widgets.module.js";
import { WorkspacesModule } from "./workspaces/workspaces.module.js";

@Module({})
export class AppModule implements OnModuleDestroy {
  constructor(private readonly jobs: JobRunner) {}

  /** Nest destroys this module first, so jobs end while everything they use is still open. */
  onModuleDestroy(): Promise<void> {
    return this.jobs.stop();
  }

  /** @param jobs whether this process runs scheduled jobs */
  static forRoot(config: Config, databaseUrl: string, jobs: boolean): DynamicModule {
    const connections = connectionsOf(config, databaseUrl);
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        MetricsModule,
        TracingModule,
        DatabaseModule.forRoot(appOptions(connections, ENTITIES, config), connections, furtherConnectionsOf(config)),
        EventsModule,
        ...(jobs ? [ScheduleModule.forRoot()] : []),
        JobsModule,
        DerivedModule,
        PublicCorsModule,
        HealthModule,
        OutboxModule,
        OutboundModule,
        AuthModule,
        AuditModule,
        TenantsModule,
        WorkspacesModule,
        OutcomesModule,
        ContactsModule,
        AttachmentsModule,
        ConversationsModule,
        SearchModule,
        AttentionModule,
        IdentityModule,
        KnowledgeModule,
        SourcesModule,
        PoliciesModule,
        AgentsModule,
        ChannelsModule,
        ApiModule,
        EmailModule,
        WebchatModule,
        TelephonyModule,
        WidgetsModule,
        CalendarModule,
        CsatModule,
        QualityModule,
        AssistantModule,
        LearningModule,
        CasesModule,
        ConsumptionModule,
        FeedModule,
        DeskModule,
        WebhooksModule,
        NoticesModule,
        OutboxApiModule,
        ProvisioningModule,
        ErasureModule,
        ExportModule,
        MaintenanceModule,
      ],
      providers: [
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_GUARD, useClass: BodyReader },
        { provide: APP_PIPE, useClass: Validation },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
