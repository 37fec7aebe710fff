import { BadRequestException, Injectable } from "@nestjs/common";
import type { Caller } from "../../../platform/caller/caller.js";
import { Database } from "../../../platform/database/database.js";
import { type Sql, sql, TENANT } from "../../../platform/database/sql.js";
import { one, polled, projection, query, REACHABLE } from "../../../platform/database/statements.js";
import type { Json } from "../../../platform/http/json.js";
import { type CsatConfigDto, PutCsatConfigDto } from "./csat-config.dto.js";

const DEFAULTS = new PutCsatConfigDto();
/** On all scales except that of two answers. */
const DEFAULT_THRESHOLD = 2;

const constant = (value: number | boolean): Sql => sql([String(value)]);

const GET_CONFIG = polled(
  one<CsatConfigDto, { workspaceId: string }>(
    "csatConfig.get",
    "restricted",
    ({ workspaceId }) => sql`
      select ${projection<CsatConfigDto>({
        enabled: sql`coalesce(f.enabled, ${constant(DEFAULTS.enabled!)})`,
        scale: sql`coalesce(f.scale, ${constant(DEFAULTS.scale!)})`,
        delayMinutes: sql`coalesce(f.delay_minutes, ${constant(DEFAULTS.delayMinutes!)})`,
        askOncePerDays: sql`coalesce(f.ask_once_per_days, ${constant(DEFAULTS.askOncePerDays!)})`,
        lowScoreThreshold: sql`coalesce(f.low_score_threshold, ${constant(DEFAULT_THRESHOLD)})`,
        questions: sql`coalesce(f.questions, '{}')`,
      })}
      from workspace w
      left join csat_config f on f.tenant_id = ${TENANT} and f.workspace_id = w.id
      where w.id = ${workspaceId} and ${REACHABLE}`,
  ),
);

interface PutConfigArgs extends Omit<CsatConfigDto, "questions"> {
  workspaceId: string;
  /** JSON */
  questions: string;
}
const PUT_CONFIG = query<PutConfigArgs>()(
  "csatConfig.put",
  "restricted",
  ({ workspaceId, enabled, scale, delayMinutes, askOncePerDays, lowScoreThreshold, questions }) => sql`
    insert into csat_config (
      tenant_id, workspace_id, enabled, scale, delay_minutes, ask_once_per_days, low_score_threshold, questions
    )
    select ${TENANT}, w.id, ${enabled}, ${scale}, ${delayMinutes}, ${askOncePerDays}, ${lowScoreThreshold},
      ${questions}::jsonb
    from workspace w where w.id = ${workspaceId} and ${REACHABLE}
    on conflict (tenant_id, workspace_id) do update set
      enabled = excluded.enabled, scale = excluded.scale, delay_minutes = excluded.delay_minutes,
      ask_once_per_days = excluded.ask_once_per_days, low_score_threshold = excluded.low_score_threshold,
      questions = excluded.questions`,
);

@Injectable()
export class CsatConfigService {
  constructor(private readonly db: Database) {}

  get(caller: Caller, workspaceId: string): Promise<Json<CsatConfigDto>> {
    return this.db.read(caller, GET_CONFIG, { workspaceId });
  }

  /**
   * Replaces the whole configuration. Surveys that are due later use the configuration of that time.
   * @throws BadRequestException: no score would be above the threshold
   */
  put(caller: Caller, workspaceId: string, { scale = 5, ...body }: PutCsatConfigDto): Promise<Json<CsatConfigDto>> {
    const lowScoreThreshold = body.lowScoreThreshold ?? Math.min(DEFAULT_THRESHOLD, scale - 1);
    if (lowScoreThreshold >= scale)
      throw new BadRequestException(`lowScoreThreshold must be less than scale, ${scale}: every score would be low`);
    return this.db.transaction(caller, async (tx) => {
      tx.changesWorkspace(workspaceId);
      await tx.query(PUT_CONFIG, {
        workspaceId,
        enabled: body.enabled ?? DEFAULTS.enabled!,
        scale,
        delayMinutes: body.delayMinutes ?? DEFAULTS.delayMinutes!,
        askOncePerDays: body.askOncePerDays ?? DEFAULTS.askOncePerDays!,
        lowScoreThreshold,
        questions: JSON.stringify(body.questions ?? {}),
      });
      return tx.read(GET_CONFIG, { workspaceId });
    });
  }
}
