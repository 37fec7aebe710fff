import { Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { Json } from "../../platform/http/json.js";
import { EntryImport } from "../review/entry-import.js";
import { type Alike, EntrySearchService } from "../review/entry-search.service.js";
import { assertEvidence } from "../review/evidence.js";
import { ReviewWorkflow } from "../review/review-workflow.js";
import { WorkspaceEntity } from "../../workspaces/workspace.entity.js";
import {
  CreatePolicyEntryDto,
  type LikelySamePolicyEntryDto,
  type PolicyEntryCreatedDto,
  type PolicyEntryDto,
  type PolicyEntryVersionDto,
} from "./policy-entries.dto.js";
import { POLICIES_SEARCHED, POLICY_STATEMENTS, type PolicySaid } from "./policy-entries.queries.js";
import { PolicyEntryEntity } from "./policy-entry.entity.js";

const hint = ({
  entry: { id, title },
  likeness,
  kind,
}: Alike<PolicySaid & { id: string }>): LikelySamePolicyEntryDto => ({
  policyEntryId: id,
  title,
  likeness,
  kind,
});

@Injectable()
export class PolicyEntriesService {
  readonly workflow: ReviewWorkflow<PolicyEntryDto, PolicyEntryVersionDto>;
  readonly lines: EntryImport<PolicyEntryDto, CreatePolicyEntryDto, PolicySaid, LikelySamePolicyEntryDto>;

  constructor(
    private readonly db: Database,
    private readonly finder: EntrySearchService<PolicyEntryDto, PolicySaid>,
  ) {
    this.workflow = new ReviewWorkflow(db, POLICY_STATEMENTS);
    this.lines = new EntryImport(db, this.workflow, finder, {
      type: CreatePolicyEntryDto,
      question: POLICIES_SEARCHED.question,
      hint,
    });
  }

  create(
    caller: Caller,
    workspaceId: string,
    { validUntil, ...body }: CreatePolicyEntryDto,
  ): Promise<Json<PolicyEntryCreatedDto>> {
    return this.db.transaction(caller, async (tx) => {
      await tx.findOrThrow(WorkspaceEntity, { id: workspaceId });
      tx.changesWorkspace(workspaceId);
      await assertEvidence(tx, workspaceId, body.evidence ?? []);
      const id = uuid();
      const similar = (await this.finder.alike(tx, workspaceId, [body])).flat().map(hint);
      await tx.insert(PolicyEntryEntity, {
        status: "approved",
        ...body,
        id,
        workspaceId,
        validUntil: validUntil ? new Date(validUntil) : null,
        duplicateOfId: similar[0]?.policyEntryId ?? null,
        changedBy: callerId(caller),
      });
      return Json.of({ ...(await tx.read(this.workflow.reads.get, { id })).parse(), similar }).created();
    });
  }
}
