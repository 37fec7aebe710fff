import { Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Json, Page } from "../../platform/http/json.js";
import type { ListScoresDto, QualityScoreDto } from "./scores.dto.js";
import { listScores } from "./scores.queries.js";

@Injectable()
export class ScoresService {
  constructor(private readonly db: Database) {}

  /** By type, entity and metric. */
  list(
    caller: Caller,
    { limit = 25, cursor, window = 30, ...filters }: ListScoresDto,
  ): Promise<Json<Page<QualityScoreDto>>> {
    const statement = listScores(filters, cursor !== undefined, caller.reach.level !== "tenant");
    return this.db.page(caller, statement, { ...filters, window }, { limit, cursor });
  }
}
