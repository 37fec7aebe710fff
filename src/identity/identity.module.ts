import { Module } from '@nestjs/common';
import { IdentityEventsController } from './identity-events.controller.js';
import { IdentityEventsService } from './identity-events.service.js';
import { IdentitySettingsService } from './settings/identity-settings.service.js';
import { SettingsController } from './settings/settings.controller.js';
import { VerificationSourcesService } from './settings/verification-sources.service.js';

@Module({ controllers: [IdentityEventsController, SettingsController], providers: [IdentityEventsService, IdentitySettingsService, VerificationSourcesService] })
export class IdentityModule {}
