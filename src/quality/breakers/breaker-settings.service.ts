import { BadRequestException, Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { notFound } from "../../platform/http/errors.js";
import type { Json } from "../../platform/http/json.js";
import { OutcomesService } from "../../platform/outcomes/outcomes.service.js";
import type { BreakerSettingsDto, PutBreakerSettingsDto } from "./breakers.dto.js";
import { GET_SETTINGS, PUT_SETTINGS } from "./breakers.queries.js";
import { acts, WATCHES } from "./breaker-rules.js";

const PLURALS = { agent: "agents", kb_entry: "KB entries", channel: "channels", tool: "tools" } as const;

@Injectable()
export class BreakerSettingsService {
  constructor(
    private readonly db: Database,
    private readonly outcomes: OutcomesService,
  ) {}

  get(caller: Caller, workspaceId: string): Promise<Json<BreakerSettingsDto>> {
    return this.db.read(caller, GET_SETTINGS, { workspaceId });
  }

  /**
   * Replaces all settings. They apply to outcomes counted from now on.
   * @throws BadRequestException (an action that would do nothing), NotFoundException
   */
  put(caller: Caller, workspaceId: string, { settings }: PutBreakerSettingsDto): Promise<Json<BreakerSettingsDto>> {
    for (const { metric, action } of settings) {
      if (!acts(metric, action))
        throw new BadRequestException(
          `settings: ${action} would do nothing for ${metric}, which watches ${WATCHES[metric].map((type) => PLURALS[type]).join(", ")}`,
        );
    }
    return this.db.transaction(caller, async (tx) => {
      // A count that is running finishes with the old settings first.
      await this.outcomes.takeTurn(tx);
      const [workspace] = await tx.query(PUT_SETTINGS, { workspaceId, settings: JSON.stringify(settings) });
      if (!workspace) throw notFound();
      tx.changesWorkspace(workspaceId);
      return tx.read(GET_SETTINGS, { workspaceId });
    });
  }
}
