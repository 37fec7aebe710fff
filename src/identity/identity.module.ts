import { Module } from '@nestjs/common';
import { IdentityEventsController } from './identity-events.controller.js';
import { IdentityEventsService } from './identity-events.service.js';

@Module({ controllers: [IdentityEventsController], providers: [IdentityEventsService], exports: [IdentityEventsService] })
export class IdentityModule {}
