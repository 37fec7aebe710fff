import { BadRequestException, Injectable } from "@nestjs/common";
import type { Caller } from "../../../platform/caller/caller.js";
import { Database } from "../../../platform/database/database.js";
import { one, polled, projection, REACHABLE } from "../../../platform/database/statement.js";
import type { Json } from "../../../platform/http/json.js";
import { type CsatConfigDto, PutCsatConfigDto } from "./csat-config.dto.js";

const DEFAULTS = new PutCsatConfigDto();
/** On any scale but that of two answers. */
const DEFAULT_THRESHOLD = 2;

const GET = polled(
  one<CsatConfigDto, { workspaceId: string }>(
    "csat-config.get",
    "workspace",
    `select ${projection<CsatConfigDto>({
      enabled: `coalesce(f.enabled, ${DEFAULTS.enabled})`,
      scale: `coalesce(f.scale, ${DEFAULTS.scale})`,
      delayMinutes: `coalesce(f.delay_minutes, ${DEFAULTS.delayMinutes})`,
      askOncePerDays: `coalesce(f.ask_once_per_days, ${DEFAULTS.askOncePerDays})`,
      lowScoreThreshold: `coalesce(f.low_score_threshold, ${DEFAULT_THRESHOLD})`,
      questions: `coalesce(f.questions, '{}')`,
    })} from workspace w left join csat_config f on f.tenant_id = w.tenant_id and f.workspace_id = w.id where w.id = :workspaceId and ${REACHABLE}`,
  ),
);

@Injectable()
export class CsatConfigService {
  constructor(private readonly db: Database) {}

  get(caller: Caller, workspaceId: string): Promise<Json<CsatConfigDto>> {
    return this.db.read(caller, GET, { workspaceId });
  }

  /** Replaces all of it. Whoever is to be asked is asked by what holds then. @throws BadRequestException (a threshold that no score is above) */
  put(caller: Caller, workspaceId: string, { scale = 5, ...body }: PutCsatConfigDto): Promise<Json<CsatConfigDto>> {
    const lowScoreThreshold = body.lowScoreThreshold ?? Math.min(DEFAULT_THRESHOLD, scale - 1);
    if (lowScoreThreshold >= scale)
      throw new BadRequestException(`lowScoreThreshold must be less than scale, ${scale}: every score would be low`);
    return this.db.transaction(caller, async (tx) => {
      tx.within(workspaceId);
      await tx.query(
        `insert into csat_config (tenant_id, workspace_id, enabled, scale, delay_minutes, ask_once_per_days, low_score_threshold, questions)
        select w.tenant_id, w.id, :enabled, :scale, :delayMinutes, :askOncePerDays, :lowScoreThreshold, :questions::jsonb from workspace w where w.id = :workspaceId and ${REACHABLE}
        on conflict (tenant_id, workspace_id) do update set enabled = excluded.enabled, scale = excluded.scale, delay_minutes = excluded.delay_minutes,
          ask_once_per_days = excluded.ask_once_per_days, low_score_threshold = excluded.low_score_threshold, questions = excluded.questions`,
        { ...body, scale, lowScoreThreshold, questions: JSON.stringify(body.questions), workspaceId },
      );
      return tx.read(GET, { workspaceId });
    });
  }
}
