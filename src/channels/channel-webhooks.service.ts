import { Injectable } from "@nestjs/common";
import { system } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import { notFound } from "../platform/http/errors.js";
import type { Answer, Webhook } from "./channel-kind.js";
import { FIND_TENANT_OF_CHANNEL } from "./channels.queries.js";
import { ChannelsService } from "./channels.service.js";

/** Passes a provider's webhook to the kind of the channel that it is for. */
@Injectable()
export class ChannelWebhooks {
  constructor(
    private readonly db: Database,
    private readonly channels: ChannelsService,
  ) {}

  /** @throws NotFoundException, UnauthorizedException */
  async receive(channelId: string, webhook: Webhook): Promise<Answer> {
    const [found] = await this.db.global(FIND_TENANT_OF_CHANNEL, { channelId });
    if (!found) throw notFound();
    const { channel, kind } = await this.db.transaction(
      system("channels", found.tenantId, found.environment),
      async (tx) => {
        tx.changesNothingVisible();
        return this.channels.open(tx, channelId);
      },
    );
    return kind.receive!(channel, webhook);
  }
}
