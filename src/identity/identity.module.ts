import { Module } from "@nestjs/common";
import { ContactsModule } from "../contacts/contacts.module.js";
import { ConversationsModule } from "../conversations/conversations.module.js";
import { OutboundModule } from "../platform/outbound/outbound.module.js";
import { OutboxModule } from "../platform/outbox/outbox.module.js";
import { EidController } from "./eid/eid.controller.js";
import { EidJob } from "./eid/eid.job.js";
import { EidLinksService } from "./eid/eid-links.service.js";
import { EidPagesController } from "./eid/eid-pages.controller.js";
import { EidProvider } from "./eid/eid-provider.js";
import { EidRequests } from "./eid/eid-requests.js";
import { EidSchemesService } from "./eid/eid-schemes.service.js";
import { EidService } from "./eid/eid.service.js";
import { IdentityEventsController } from "./identity-events.controller.js";
import { IdentityEventsService } from "./identity-events.service.js";
import { MagicLinksController } from "./magic-links/magic-links.controller.js";
import { MagicLinksService } from "./magic-links/magic-links.service.js";
import { VerificationPagesController } from "./magic-links/verification-pages.controller.js";
import { IdentitySettingsService } from "./settings/identity-settings.service.js";
import { SettingsController } from "./settings.controller.js";
import { VerificationSourcesService } from "./settings/verification-sources.service.js";
import { AssuranceJob } from "./verification/assurance.job.js";
import { CallerIds } from "./verification/caller-id-match.js";
import { Expected } from "./verification/expected-answers.js";
import { VerificationController } from "./verification/verification.controller.js";
import { VerificationService } from "./verification/verification.service.js";
import { IdentityPersonalData } from "./identity.personal-data.js";

@Module({
  imports: [OutboundModule, OutboxModule, ContactsModule, ConversationsModule],
  controllers: [
    IdentityEventsController,
    SettingsController,
    VerificationController,
    MagicLinksController,
    VerificationPagesController,
    EidController,
    EidPagesController,
  ],
  providers: [
    IdentityPersonalData,
    IdentityEventsService,
    IdentitySettingsService,
    VerificationSourcesService,
    VerificationService,
    Expected,
    AssuranceJob,
    MagicLinksService,
    CallerIds,
    EidSchemesService,
    EidProvider,
    EidRequests,
    EidService,
    EidLinksService,
    EidJob,
  ],
  exports: [IdentityEventsService],
})
export class IdentityModule {}
