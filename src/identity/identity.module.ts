import { Module } from '@nestjs/common';
import { OutboundModule } from '../outbound/outbound.module.js';
import { IdentityEventsController } from './identity-events.controller.js';
import { IdentityEventsService } from './identity-events.service.js';
import { IdentitySettingsService } from './settings/identity-settings.service.js';
import { SettingsController } from './settings/settings.controller.js';
import { VerificationSourcesService } from './settings/verification-sources.service.js';
import { AssuranceJob } from './verification/assurance.job.js';
import { Expected } from './verification/expected.js';
import { VerificationController } from './verification/verification.controller.js';
import { VerificationService } from './verification/verification.service.js';

@Module({
  imports: [OutboundModule],
  controllers: [IdentityEventsController, SettingsController, VerificationController],
  providers: [IdentityEventsService, IdentitySettingsService, VerificationSourcesService, VerificationService, Expected, AssuranceJob],
  exports: [IdentityEventsService],
})
export class IdentityModule {}
