import { Controller, Get, ServiceUnavailableException } from "@nestjs/common";
import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { Public } from "../../auth/access/access.js";
import { AttachmentStore, type Room } from "../../conversations/attachments/attachment-store.js";
import { Database } from "../../platform/database/database.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { withTimeout } from "../../platform/outbound/with-timeout.js";
import { sql } from "../../platform/database/sql.js";
import { globalQuery, type NoArgs } from "../../platform/database/statements.js";
import { MIGRATIONS } from "../../platform/database/migrations/index.js";
import { Json, type Ok, ok } from "../../platform/http/json.js";
import { Answers, AnswersOk } from "../../platform/http/openapi.js";

const COUNT_MIGRATIONS = globalQuery<NoArgs>()(
  "health.countMigrations",
  "control",
  () => sql`select count(*)::int as done from migrations`,
);

/** How long a probe waits for the disk. */
const DISK_MS = 1_000;

@ApiSchema({ description: "The server can serve requests." })
class ReadyDto implements Ok {
  @ApiProperty({ enum: [true], example: true })
  ok: true;
  @ApiProperty({
    required: false,
    description: "What will soon keep the server from some of its work, or does already. Missing if there is nothing.",
    example: ["The disk for attachments is nearly full: soon uploads will be refused"],
  })
  warnings?: string[];
}

const ROOM_WARNINGS: Record<Room | "unknown", string | undefined> = {
  enough: undefined,
  low: "The disk for attachments is nearly full: soon uploads will be refused",
  none: "The disk for attachments is full: uploads are refused",
  unknown: "The attachments cannot be reached: their disk or bucket does not answer, or cannot be used",
};

@Tag("Operations", ["health"], { order: 310, description: "Whether the server runs, for load balancers and monitors." })
@Controller()
export class HealthController {
  constructor(
    private readonly db: Database,
    private readonly store: AttachmentStore,
  ) {}

  /** Check that the process runs. Nothing else is asked, the database neither: see `/readyz`. */
  @Get("healthz")
  @Public("a probe of the platform")
  @AnswersOk("Alive")
  checkLiveness(): Json<Ok> {
    return ok();
  }

  /**
   * Check that the process can serve requests. It reaches the database, and the schema is up to date. Otherwise the
   * answer is 503 with the reason. `warnings` say whether the disk for attachments is nearly full.
   */
  @Get("readyz")
  @Public("a probe of the platform")
  @Answers(ReadyDto, { description: "Ready" })
  async checkReadiness(): Promise<Json<ReadyDto>> {
    let done: number;
    try {
      const [row] = await this.db.global(COUNT_MIGRATIONS);
      done = row!.done;
    } catch {
      throw new ServiceUnavailableException("The database cannot be reached");
    }
    if (done < MIGRATIONS.length)
      throw new ServiceUnavailableException(`${MIGRATIONS.length - done} migrations have not been run`);
    const warning = ROOM_WARNINGS[await this.room()];
    return warning ? Json.of({ ok: true, warnings: [warning] }) : ok();
  }

  /** A process without room for files still serves everything else, so it is ready. */
  private room(): Promise<Room | "unknown"> {
    return withTimeout(this.store.room(), DISK_MS, () => new Error("late")).catch(() => "unknown");
  }
}
