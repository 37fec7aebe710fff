import { type DynamicModule, Module } from "@nestjs/common";
import { APP_FILTER, APP_GUARD, APP_PIPE } from "@nestjs/core";
import { ScheduleModule } from "@nestjs/schedule";
import { AgentsModule } from "./agents/agents.module.js";
import { AttachmentsModule } from "./attachments/attachments.module.js";
import { AttentionModule } from "./attention/attention.module.js";
import { AccessGuard } from "./auth/access/access.guard.js";
import { AuditModule } from "./audit/audit.module.js";
import { AuthModule } from "./auth/auth.module.js";
import { CalendarModule } from "./calendar/calendar.module.js";
import { CapturedMessagesModule } from "./captured-messages/captured-messages.module.js";
import { CasesModule } from "./cases/cases.module.js";
import { ChannelsModule } from "./channels/channels.module.js";
import type { Config } from "./config/config.js";
import { ConfigModule } from "./config/config.module.js";
import { ConsumptionModule } from "./consumption/consumption.module.js";
import { ContactsModule } from "./contacts/contacts.module.js";
import { ConversationsModule } from "./conversations/conversations.module.js";
import { CsatModule } from "./csat/csat.module.js";
import { DatabaseModule } from "./database/database.module.js";
import { appOptions } from "./database/options.js";
import { ENTITIES } from "./entities.js";
import { HealthModule } from "./health/health.module.js";
import { BodyReader } from "./http/body.js";
import { ErrorFilter } from "./http/errors.js";
import { OpenOriginsModule } from "./http/open-origins.js";
import { validationPipe } from "./http/validation.js";
import { IdentityModule } from "./identity/identity.module.js";
import { KnowledgeModule } from "./knowledge/knowledge.module.js";
import { MaintenanceModule } from "./maintenance/maintenance.module.js";
import { OutboundModule } from "./outbound/outbound.module.js";
import { OutboxModule } from "./outbox/outbox.module.js";
import { OutcomesModule } from "./outcomes/outcomes.module.js";
import { PeopleModule } from "./people/people.module.js";
import { PoliciesModule } from "./policies/policies.module.js";
import { PrivacyModule } from "./privacy/privacy.module.js";
import { ProvisioningModule } from "./provisioning/provisioning.module.js";
import { QualityModule } from "./quality/quality.module.js";
import { SearchModule } from "./search/search.module.js";
import { TelephonyModule } from "./telephony/telephony.module.js";
import { TenantsModule } from "./tenants/tenants.module.js";
import { WebchatModule } from "./webchat/webchat.module.js";
import { WidgetsModule } from "./widgets/widgets.module.js";
import { WorkspacesModule } from "./workspaces/workspaces.module.js";

@Module({})
export class AppModule {
  /** @param jobs whether this process takes part in the scheduled work */
  static forRoot(config: Config, databaseUrl: string, jobs: boolean): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        DatabaseModule.forRoot(appOptions(config.DATABASE_APP_URL ?? databaseUrl, ENTITIES, config.DATABASE_POOL_SIZE)),
        ...(jobs ? [ScheduleModule.forRoot()] : []),
        OpenOriginsModule,
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
        PoliciesModule,
        AgentsModule,
        ChannelsModule,
        WebchatModule,
        TelephonyModule,
        WidgetsModule,
        CalendarModule,
        CsatModule,
        QualityModule,
        CasesModule,
        ConsumptionModule,
        CapturedMessagesModule,
        ProvisioningModule,
        PrivacyModule,
        PeopleModule,
        MaintenanceModule,
      ],
      providers: [
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_GUARD, useClass: BodyReader },
        { provide: APP_PIPE, useFactory: () => validationPipe() },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
