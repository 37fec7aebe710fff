import { Module } from '@nestjs/common';
import { DailyService } from './daily.service.js';
import { PurgeService } from './purge.service.js';

@Module({ providers: [DailyService, PurgeService], exports: [DailyService, PurgeService] })
export class MaintenanceModule {}
