import { Controller, Get, ServiceUnavailableException } from "@nestjs/common";
import { ApiTags } from "@nestjs/swagger";
import { Public } from "../../auth/access/access.js";
import { Database } from "../../platform/database/database.js";
import { sql } from "../../platform/database/sql.js";
import { globalQuery, type NoArgs } from "../../platform/database/statements.js";
import { MIGRATIONS } from "../../platform/database/migrations/index.js";
import { type Json, type Ok, ok } from "../../platform/http/json.js";
import { AnswersOk } from "../../platform/http/openapi.js";

const COUNT_MIGRATIONS = globalQuery<NoArgs, { done: number }>(
  "health.countMigrations",
  () => sql`select count(*)::int as done from migrations`,
);

@ApiTags("Operations")
@Controller()
export class HealthController {
  constructor(private readonly db: Database) {}

  /** Whether the process is alive. */
  @Get("healthz")
  @Public("a probe of the platform")
  @AnswersOk("Alive")
  alive(): Json<Ok> {
    return ok();
  }

  /** Whether the process can serve requests: it reaches the database, and the schema is up to date. Otherwise 503 with the reason. */
  @Get("readyz")
  @Public("a probe of the platform")
  @AnswersOk("Ready")
  async ready(): Promise<Json<Ok>> {
    let done: number;
    try {
      const [row] = await this.db.global(COUNT_MIGRATIONS);
      done = row!.done;
    } catch {
      throw new ServiceUnavailableException("The database cannot be reached");
    }
    if (done < MIGRATIONS.length)
      throw new ServiceUnavailableException(`${MIGRATIONS.length - done} migrations have not been run`);
    return ok();
  }
}
