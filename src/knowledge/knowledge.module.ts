import { Module } from '@nestjs/common';
import { KbEntriesController } from './kb-entries.controller.js';
import { KbEntriesService } from './kb-entries.service.js';

@Module({ controllers: [KbEntriesController], providers: [KbEntriesService], exports: [KbEntriesService] })
export class KnowledgeModule {}
