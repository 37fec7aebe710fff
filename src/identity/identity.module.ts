import { Module } from "@nestjs/common";
import { ContactsModule } from "../contacts/contacts.module.js";
import { ConversationsModule } from "../conversations/conversations.module.js";
import { OutboundModule } from "../platform/outbound/outbound.module.js";
import { OutboxModule } from "../platform/outbox/outbox.module.js";
import { EidBindingsService } from "./eid/eid-bindings.service.js";
import { EidController } from "./eid/eid.controller.js";
import { EidJob } from "./eid/eid.job.js";
import { EidLinksService } from "./eid/eid-links.service.js";
import { EidPagesController } from "./eid/eid-pages.controller.js";
import { EidProvider } from "./eid/eid-provider.js";
import { EidRequests } from "./eid/eid-requests.js";
import { EidSchemesController } from "./eid/eid-schemes.controller.js";
import { EidSchemesService } from "./eid/eid-schemes.service.js";
import { EidService } from "./eid/eid.service.js";
import { IdentityEventsController } from "./events/identity-events.controller.js";
import { IdentityEventsService } from "./events/identity-events.service.js";
import { MagicLinksController } from "./magic-links/magic-links.controller.js";
import { MagicLinksService } from "./magic-links/magic-links.service.js";
import { VerificationPagesController } from "./magic-links/verification-pages.controller.js";
import { OneTimeCodesController } from "./one-time-codes/one-time-codes.controller.js";
import { OneTimeCodesService } from "./one-time-codes/one-time-codes.service.js";
import { ProofMessages } from "./possession/proof-messages.js";
import { IdentitySettingsController } from "./settings/identity-settings.controller.js";
import { IdentitySettingsService } from "./settings/identity-settings.service.js";
import { VerificationSourcesController } from "./settings/verification-sources.controller.js";
import { VerificationSourcesService } from "./settings/verification-sources.service.js";
import { AssuranceJob } from "./verification/assurance.job.js";
import { CallerIdMatch } from "./verification/caller-id-match.js";
import { ExpectedAnswers } from "./verification/expected-answers.js";
import { VerificationController } from "./verification/verification.controller.js";
import { VerificationService } from "./verification/verification.service.js";
import { IdentityPersonalData } from "./identity.personal-data.js";

@Module({
  imports: [OutboundModule, OutboxModule, ContactsModule, ConversationsModule],
  controllers: [
    IdentityEventsController,
    IdentitySettingsController,
    VerificationSourcesController,
    EidSchemesController,
    VerificationController,
    MagicLinksController,
    VerificationPagesController,
    OneTimeCodesController,
    EidController,
    EidPagesController,
  ],
  providers: [
    IdentityPersonalData,
    IdentityEventsService,
    IdentitySettingsService,
    VerificationSourcesService,
    VerificationService,
    ExpectedAnswers,
    AssuranceJob,
    ProofMessages,
    MagicLinksService,
    OneTimeCodesService,
    CallerIdMatch,
    EidSchemesService,
    EidProvider,
    EidRequests,
    EidService,
    EidBindingsService,
    EidLinksService,
    EidJob,
  ],
  exports: [IdentityEventsService, VerificationService],
})
export class IdentityModule {}
