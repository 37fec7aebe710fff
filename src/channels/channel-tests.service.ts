import { Injectable, Logger } from "@nestjs/common";
import type { Caller } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import { time } from "../platform/database/statement.js";
import { Json } from "../platform/http/json.js";
import { ChannelError, type ChannelKind, type OpenChannel } from "./channel-kind.js";
import type { ChannelTestedDto } from "./channels.dto.js";
import { ChannelsService } from "./channels.service.js";
import { withTimeout } from "./with-timeout.js";

const TEST_MS = 10_000;

@Injectable()
export class ChannelTests {
  private readonly log = new Logger("channels");

  constructor(
    private readonly db: Database,
    private readonly channels: ChannelsService,
  ) {}

  /** The other end is called between two transactions: waiting for it would hold a connection. */
  async test(caller: Caller, id: string): Promise<Json<ChannelTestedDto>> {
    const { channel, kind } = await this.db.separateTransaction(caller, async (tx) => {
      tx.unseen();
      return this.channels.open(tx, id);
    });
    const found = await this.find(kind, channel);
    return this.db.transaction(caller, async (tx) => {
      await this.channels.open(tx, id);
      tx.within(channel.workspaceId);
      // What was tried may be another by now: then it is told, and not kept.
      const [{ lastTest }] = (await tx.query<ChannelTestedDto>(
        `with found as (
          select json_build_object('at', ${time("clock_timestamp()")}, 'ok', :ok::boolean, 'message', :message::text) as test
        ), kept as (
          update channel c set last_test = f.test from found f where c.tenant_id = :tenant and c.id = :id and c.revision = :revision
        ) select test as "lastTest" from found`,
        { id, ...found, revision: channel.revision },
      )) as [ChannelTestedDto];
      return Json.of<ChannelTestedDto>({ ok: true, lastTest });
    });
  }

  private async find(kind: ChannelKind, channel: OpenChannel): Promise<{ ok: boolean; message: string }> {
    try {
      if (kind.credentials && !kind.credentialsOptional && !channel.credentials)
        return { ok: false, message: "The channel has no credentials yet" };
      if (channel.environment === "test" && kind.provision)
        return { ok: true, message: "On the test side nothing outside is called; the settings are complete" };
      return {
        ok: true,
        message: await withTimeout(
          kind.test(channel),
          TEST_MS,
          () => new ChannelError("The server did not answer within 10 seconds"),
        ),
      };
    } catch (error) {
      if (error instanceof ChannelError) return { ok: false, message: error.message };
      this.log.error(`the test of channel ${channel.id} failed: ${(error as Error).stack}`);
      return { ok: false, message: "The channel could not be tested" };
    }
  }
}
