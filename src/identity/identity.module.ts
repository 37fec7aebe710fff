import { Module } from '@nestjs/common';
import { OutboundModule } from '../outbound/outbound.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { IdentityEventsController } from './identity-events.controller.js';
import { IdentityEventsService } from './identity-events.service.js';
import { MagicLinksController } from './magic-links/magic-links.controller.js';
import { MagicLinksService } from './magic-links/magic-links.service.js';
import { VerificationPagesController } from './magic-links/verification-pages.controller.js';
import { IdentitySettingsService } from './settings/identity-settings.service.js';
import { SettingsController } from './settings/settings.controller.js';
import { VerificationSourcesService } from './settings/verification-sources.service.js';
import { AssuranceJob } from './verification/assurance.job.js';
import { Expected } from './verification/expected.js';
import { VerificationController } from './verification/verification.controller.js';
import { VerificationService } from './verification/verification.service.js';

@Module({
  imports: [OutboundModule, OutboxModule],
  controllers: [IdentityEventsController, SettingsController, VerificationController, MagicLinksController, VerificationPagesController],
  providers: [IdentityEventsService, IdentitySettingsService, VerificationSourcesService, VerificationService, Expected, AssuranceJob, MagicLinksService],
  exports: [IdentityEventsService],
})
export class IdentityModule {}
