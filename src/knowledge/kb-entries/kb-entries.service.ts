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
  CreateKbEntryDto,
  type KbEntryCreatedDto,
  type KbEntryDto,
  type KbEntryVersionDto,
  type LikelySameKbEntryDto,
} from "./kb-entries.dto.js";
import { KB_STATEMENTS, KB_SEARCHED, type KbSaid } from "./kb-entries.queries.js";
import { KbEntryEntity } from "./kb-entry.entity.js";

const hint = ({ entry: { id, question }, likeness, kind }: Alike<KbSaid & { id: string }>): LikelySameKbEntryDto => ({
  kbEntryId: id,
  question,
  likeness,
  kind,
});

@Injectable()
export class KbEntriesService {
  readonly workflow: ReviewWorkflow<KbEntryDto, KbEntryVersionDto>;
  readonly lines: EntryImport<KbEntryDto, CreateKbEntryDto, KbSaid, LikelySameKbEntryDto>;

  constructor(
    private readonly db: Database,
    private readonly finder: EntrySearchService<KbEntryDto, KbSaid>,
  ) {
    this.workflow = new ReviewWorkflow(db, KB_STATEMENTS);
    this.lines = new EntryImport(db, this.workflow, finder, {
      type: CreateKbEntryDto,
      question: KB_SEARCHED.question,
      hint,
      from: ({ primaryLanguage }) => ({ language: primaryLanguage }),
    });
  }

  create(
    caller: Caller,
    workspaceId: string,
    { confidence, validUntil, ...body }: CreateKbEntryDto,
  ): Promise<Json<KbEntryCreatedDto>> {
    return this.db.transaction(caller, async (tx) => {
      const workspace = await tx.findOrThrow(WorkspaceEntity, { id: workspaceId });
      tx.changesWorkspace(workspaceId);
      await assertEvidence(tx, workspaceId, body.evidence ?? []);
      const id = uuid();
      const similar = (await this.finder.alike(tx, workspaceId, [body])).flat().map(hint);
      await tx.insert(KbEntryEntity, {
        status: "approved",
        ...body,
        id,
        workspaceId,
        language: body.language ?? workspace.primaryLanguage,
        confidence: confidence ?? null,
        validUntil: validUntil ? new Date(validUntil) : null,
        duplicateOfId: similar[0]?.kbEntryId ?? null,
        changedBy: callerId(caller),
      });
      return Json.of({ ...(await tx.read(this.workflow.reads.get, { id })).parse(), similar }).created();
    });
  }
}
