import { Module } from '@nestjs/common';
import { ConsumptionModule } from '../consumption/consumption.module.js';
import { PrivacyModule } from '../privacy/privacy.module.js';
import { DailyService } from './daily.service.js';
import { PurgeService } from './purge.service.js';

@Module({ imports: [ConsumptionModule, PrivacyModule], providers: [DailyService, PurgeService], exports: [DailyService, PurgeService] })
export class MaintenanceModule {}
