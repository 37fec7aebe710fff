import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { notFound } from "../../platform/http/errors.js";
import type { Json } from "../../platform/http/json.js";
import { CaseTypeEntity, type FieldDefinition } from "./case.entity.js";
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
      const made = await tx.insertOrIgnore(CaseTypeEntity, { id, key, name, fields: fields.map(stored) });
      if (!made) throw new ConflictException("A case type with this key exists already");
      return (await tx.read(GET_TYPE, { id })).created();
    });
  }

  update(caller: Caller, id: string, { name, fields }: UpdateCaseTypeDto): Promise<Json<CaseTypeDto>> {
    if (fields) assertOptions(fields);
    return this.db.transaction(caller, async (tx) => {
      const found = await tx.update(
        CaseTypeEntity,
        { id },
        {
          ...(name !== undefined && { name }),
          ...(fields && { fields: fields.map(stored) }),
          updatedAt: () => "now()",
        },
      );
      if (!found) throw notFound();
      return tx.read(GET_TYPE, { id });
    });
  }
}

const stored = ({ key, label, type, options, required }: FieldDefinitionDto): FieldDefinition => ({
  key,
  label,
  type,
  options,
  required,
});

/** @throws BadRequestException: a select has no options, or another field has some */
function assertOptions(fields: FieldDefinitionDto[]): void {
  for (const { key, type, options } of fields) {
    if (type === "select" && !options.length) throw new BadRequestException(`${key}: a select needs options`);
    if (type !== "select" && options.length) throw new BadRequestException(`${key}: only a select has options`);
  }
}
