import { Module } from "@nestjs/common";
import { EntrySearchService, SEARCHED } from "../review/entry-search.service.js";
import { EvaluationService } from "./evaluation.service.js";
import { PolicyEntriesController } from "./policy-entries.controller.js";
import { POLICIES_SEARCHED } from "./policy-entries.queries.js";
import { PolicyEntriesService } from "./policy-entries.service.js";
import { PolicyIndexService } from "./policy-index.service.js";
import { PoliciesPersonalData } from "./policies.personal-data.js";

@Module({
  controllers: [PolicyEntriesController],
  providers: [
    PolicyEntriesService,
    PolicyIndexService,
    PoliciesPersonalData,
    EvaluationService,
    EntrySearchService,
    { provide: SEARCHED, useValue: POLICIES_SEARCHED },
  ],
  exports: [PolicyEntriesService, EvaluationService],
})
export class PoliciesModule {}
