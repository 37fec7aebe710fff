import { Module } from "@nestjs/common";
import { OutboundModule } from "../../platform/outbound/outbound.module.js";
import { EmbeddingServer } from "../review/embedding-server.js";
import { SentenceVectors } from "../review/sentence-vectors.js";
import { EntrySearchService, SEARCHED } from "../review/entry-search.service.js";
import { EmbeddingsService } from "./embeddings.service.js";
import { KbIndexService } from "./kb-index.service.js";
import { KbEntriesController } from "./kb-entries.controller.js";
import { KB_SEARCHED } from "./kb-entries.queries.js";
import { KbEntriesService } from "./kb-entries.service.js";
import { KbEntriesPersonalData } from "./kb-entries.personal-data.js";

@Module({
  imports: [OutboundModule],
  controllers: [KbEntriesController],
  providers: [
    KbEntriesPersonalData,
    KbEntriesService,
    KbIndexService,
    EntrySearchService,
    { provide: SEARCHED, useValue: KB_SEARCHED },
    EmbeddingServer,
    SentenceVectors,
    EmbeddingsService,
  ],
  exports: [KbEntriesService, EntrySearchService],
})
export class KnowledgeModule {}
