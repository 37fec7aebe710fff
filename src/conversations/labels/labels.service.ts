import { ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { notFound } from "../../platform/http/errors.js";
import { type Json, type Ok, ok, type Page } from "../../platform/http/json.js";
import type { PagingDto } from "../../platform/http/paging.dto.js";
import { LabelEntity } from "./label.entity.js";
import type { CreateLabelDto, LabelDto, UpdateLabelDto } from "./labels.dto.js";
import { GET_LABEL, LIST_LABELS } from "./labels.queries.js";

@Injectable()
export class LabelsService {
  constructor(private readonly db: Database) {}

  list(caller: Caller, { limit = 25, cursor }: PagingDto): Promise<Json<Page<LabelDto>>> {
    return this.db.page(caller, LIST_LABELS, {}, { limit, cursor });
  }

  /** @throws ConflictException: the name is taken */
  create(caller: Caller, { name, colour }: CreateLabelDto): Promise<Json<LabelDto>> {
    return this.db.transaction(caller, async (tx) => {
      const id = uuid();
      if (!(await tx.insertOrIgnore(LabelEntity, { id, name, colour })))
        throw new ConflictException("A label with this name exists already");
      return (await tx.read(GET_LABEL, { id })).created();
    });
  }

  update(caller: Caller, id: string, { colour }: UpdateLabelDto): Promise<Json<LabelDto>> {
    return this.db.transaction(caller, async (tx) => {
      if (colour !== undefined) await tx.update(LabelEntity, { id }, { colour, updatedAt: () => "now()" });
      return tx.read(GET_LABEL, { id });
    });
  }

  /** Conversations keep the name. */
  delete(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      if (!(await tx.delete(LabelEntity, { id }))) throw notFound();
      return ok();
    });
  }
}
