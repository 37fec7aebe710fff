import { Module } from "@nestjs/common";
import { EntrySearch, SEARCHED } from "../review/entry-search.service.js";
import { EvaluationService } from "./evaluation.service.js";
import { PolicyEntriesController } from "./policy-entries.controller.js";
import { POLICIES_SEARCHED } from "./policy-entries.queries.js";
import { PolicyEntriesService } from "./policy-entries.service.js";
import { PolicyIndex } from "./policy-index.service.js";
import { PoliciesPersonalData } from "./policies.personal-data.js";

@Module({
  controllers: [PolicyEntriesController],
  providers: [
    PolicyEntriesService,
    PolicyIndex,
    PoliciesPersonalData,
    EvaluationService,
    EntrySearch,
    { provide: SEARCHED, useValue: POLICIES_SEARCHED },
  ],
  exports: [PolicyEntriesService, EvaluationService],
})
export class PoliciesModule {}
