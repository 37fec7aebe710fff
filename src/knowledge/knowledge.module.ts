import { Module } from '@nestjs/common';
import { KbEntriesController } from './kb-entries.controller.js';
import { KbEntriesService } from './kb-entries.service.js';
import { KbImportService } from './kb-import.service.js';
import { KbSearchService } from './kb-search.service.js';

@Module({ controllers: [KbEntriesController], providers: [KbEntriesService, KbSearchService, KbImportService], exports: [KbEntriesService] })
export class KnowledgeModule {}
