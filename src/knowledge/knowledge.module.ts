import { Module } from '@nestjs/common';
import { KbEntriesController } from './kb-entries.controller.js';
import { KB_SEARCHED } from './kb-entries.queries.js';
import { KbEntriesService } from './kb-entries.service.js';
import { EntrySearch, SEARCHED } from './kb-search.service.js';

@Module({ controllers: [KbEntriesController], providers: [KbEntriesService, EntrySearch, { provide: SEARCHED, useValue: KB_SEARCHED }], exports: [KbEntriesService] })
export class KnowledgeModule {}
