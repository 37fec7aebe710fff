import { setTimeout as sleep } from "node:timers/promises";
import { Injectable, NotFoundException, UnauthorizedException } from "@nestjs/common";
import { system } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import type { Answer, ChannelKind, OpenChannel, Webhook } from "./channel-kind.js";
import { FIND_TENANT_OF_CHANNEL } from "./channels.queries.js";
import { ChannelsService } from "./channels.service.js";

/** A refusal takes at least this long, so that its time does not tell whether there is such a channel. */
const REFUSAL_MS = 50;

/** Passes a provider's webhook to the kind of the channel that it is for. */
@Injectable()
export class ChannelWebhooksService {
  constructor(
    private readonly db: Database,
    private readonly channels: ChannelsService,
  ) {}

  /** @throws UnauthorizedException: it is not signed, or there is no channel for it; the caller cannot tell which */
  receive(channelId: string, webhook: Webhook): Promise<Answer> {
    return this.ofChannel(channelId, (channel, kind) => {
      if (!kind.receive) throw new UnauthorizedException();
      return kind.receive(channel, webhook);
    });
  }

  /** Does this for a channel that a request names. @throws UnauthorizedException: as `work` does, or there is no such channel */
  async ofChannel<T>(channelId: string, work: (channel: OpenChannel, kind: ChannelKind) => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      const { channel, kind } = await this.find(channelId);
      return await work(channel, kind);
    } catch (error) {
      if (error instanceof UnauthorizedException) await sleep(Math.max(0, began + REFUSAL_MS - performance.now()));
      throw error;
    }
  }

  private async find(channelId: string): Promise<{ channel: OpenChannel; kind: ChannelKind }> {
    const [found] = await this.db.lookUp(FIND_TENANT_OF_CHANNEL, { channelId }, ({ tenantId }) => tenantId);
    if (!found) throw new UnauthorizedException();
    try {
      return await this.db.transaction(system("channels", found.tenantId, found.environment), async (tx) => {
        tx.changesNothingVisible();
        return this.channels.open(tx, channelId);
      });
    } catch (error) {
      // The channel, or its workspace, was deleted.
      throw error instanceof NotFoundException ? new UnauthorizedException() : error;
    }
  }
}
