import { Module } from '@nestjs/common';
import { AttachmentsModule } from '../attachments/attachments.module.js';
import { PrivacyModule } from '../privacy/privacy.module.js';
import { DailyService } from './daily.service.js';
import { PurgeService } from './purge.service.js';

@Module({ imports: [AttachmentsModule, PrivacyModule], providers: [DailyService, PurgeService], exports: [DailyService, PurgeService] })
export class MaintenanceModule {}
