import { Injectable } from "@nestjs/common";
import { type Environment, system } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import { notFound } from "../platform/http/errors.js";
import type { Answer, Webhook } from "./channel-kind.js";
import { ChannelsService } from "./channels.service.js";

/** Hands what comes in for a channel to its kind. */
@Injectable()
export class ChannelWebhooks {
  constructor(
    private readonly db: Database,
    private readonly channels: ChannelsService,
  ) {}

  /** @throws NotFoundException, UnauthorizedException */
  async receive(id: string, webhook: Webhook): Promise<Answer> {
    const [side] = await this.db.global<{ tenantId: string; environment: Environment }>(
      'select t.id as "tenantId", t.environment from channel_lookup l join tenant t on t.id = l.tenant_id where l.channel_id = $1',
      [id],
    );
    if (!side) throw notFound();
    const { channel, kind } = await this.db.transaction(
      system("channels", side.tenantId, side.environment),
      async (tx) => {
        tx.unseen();
        return this.channels.open(tx, id);
      },
    );
    return kind.receive!(channel, webhook);
  }
}
