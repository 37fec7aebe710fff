import { BadRequestException, Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { notFound } from "../../platform/http/errors.js";
import type { Json } from "../../platform/http/json.js";
import { OutcomesService } from "../../platform/outcomes/outcomes.service.js";
import type { BreakerSettingsDto, PutBreakerSettingsDto } from "./breakers.dto.js";
import { PUT_SETTINGS, SETTINGS } from "./breakers.queries.js";
import { acts, WATCHES } from "./breaker-rules.js";

const PLURALS = { agent: "agents", kb_entry: "KB entries", channel: "channels", tool: "tools" } as const;

@Injectable()
export class BreakerSettingsService {
  constructor(
    private readonly db: Database,
    private readonly outcomes: OutcomesService,
  ) {}

  get(caller: Caller, workspaceId: string): Promise<Json<BreakerSettingsDto>> {
    return this.db.read(caller, SETTINGS, { workspaceId });
  }

  /** Replaces all of them. What is counted from then on is judged by them. @throws BadRequestException (an action that would do nothing), NotFoundException */
  put(caller: Caller, workspaceId: string, { settings }: PutBreakerSettingsDto): Promise<Json<BreakerSettingsDto>> {
    for (const { metric, action } of settings) {
      if (!acts(metric, action))
        throw new BadRequestException(
          `settings: ${action} would do nothing for ${metric}, which watches ${WATCHES[metric].map((type) => PLURALS[type]).join(", ")}`,
        );
    }
    return this.db.transaction(caller, async (tx) => {
      // Who is counting goes by the old ones to the end, and is waited for.
      await this.outcomes.takeTurn(tx);
      const [workspace] = await tx.query(PUT_SETTINGS, { workspaceId, settings: JSON.stringify(settings) });
      if (!workspace) throw notFound();
      tx.within(workspaceId);
      return tx.read(SETTINGS, { workspaceId });
    });
  }
}
