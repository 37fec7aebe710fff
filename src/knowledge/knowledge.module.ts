import { Module } from '@nestjs/common';
import { OutboundModule } from '../outbound/outbound.module.js';
import { EmbeddingServer } from './embedding-server.js';
import { EmbeddingsService } from './embeddings.service.js';
import { KbEntriesController } from './kb-entries.controller.js';
import { KbEntriesService } from './kb-entries.service.js';
import { KbImportService } from './kb-import.service.js';
import { KbSearchService } from './kb-search.service.js';

@Module({
  imports: [OutboundModule], controllers: [KbEntriesController],
  providers: [KbEntriesService, KbSearchService, KbImportService, EmbeddingServer, EmbeddingsService], exports: [KbEntriesService],
})
export class KnowledgeModule {}
