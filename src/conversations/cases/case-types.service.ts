import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { notFound } from "../../platform/http/errors.js";
import type { Json } from "../../platform/http/json.js";
import type { CaseTypeDto, CreateCaseTypeDto, FieldDefinitionDto, UpdateCaseTypeDto } from "./case-types.dto.js";
import { GET_TYPE, LIST_TYPES } from "./cases.queries.js";

@Injectable()
export class CaseTypesService {
  constructor(private readonly db: Database) {}

  list(caller: Caller): Promise<Json<CaseTypeDto[]>> {
    return this.db.read(caller, LIST_TYPES, {});
  }

  /** @throws ConflictException: the key is taken */
  create(caller: Caller, { key, name, fields = [] }: CreateCaseTypeDto): Promise<Json<CaseTypeDto>> {
    assertOptions(fields);
    return this.db.transaction(caller, async (tx) => {
      const id = uuid();
      const made = await tx.query(
        "insert into case_type (tenant_id, id, key, name, fields) values (:tenant, :id, :key, :name, :fields::jsonb) on conflict (tenant_id, key) do nothing returning 1",
        { id, key, name, fields: stored(fields) },
      );
      if (!made.length) throw new ConflictException("A case type with this key exists already");
      return (await tx.read(GET_TYPE, { id })).created();
    });
  }

  update(caller: Caller, id: string, { name, fields }: UpdateCaseTypeDto): Promise<Json<CaseTypeDto>> {
    if (fields) assertOptions(fields);
    return this.db.transaction(caller, async (tx) => {
      const found = await tx.query(
        "update case_type set name = coalesce(:name, name), fields = coalesce(:fields::jsonb, fields), updated_at = now() where tenant_id = :tenant and id = :id returning 1",
        { id, name, fields: fields && stored(fields) },
      );
      if (!found.length) throw notFound();
      return tx.read(GET_TYPE, { id });
    });
  }
}

const stored = (fields: FieldDefinitionDto[]): string =>
  JSON.stringify(fields.map(({ key, label, type, options, required }) => ({ key, label, type, options, required })));

/** @throws BadRequestException where a select has nothing to select from, or another field has */
function assertOptions(fields: FieldDefinitionDto[]): void {
  for (const { key, type, options } of fields) {
    if (type === "select" && !options.length) throw new BadRequestException(`${key}: a select needs options`);
    if (type !== "select" && options.length) throw new BadRequestException(`${key}: only a select has options`);
  }
}
