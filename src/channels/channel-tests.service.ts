import { Injectable, Logger } from "@nestjs/common";
import type { Caller } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import { Json } from "../platform/http/json.js";
import { ChannelError, type ChannelKind, type OpenChannel, type Tested } from "./channel-kind.js";
import type { ChannelTestedDto } from "./channels.dto.js";
import { STORE_TEST } from "./channels.queries.js";
import { ChannelsService } from "./channels.service.js";
import { missingOf } from "./missing.js";
import { withTimeout } from "../platform/outbound/with-timeout.js";

const TEST_MS = 10_000;

@Injectable()
export class ChannelTestsService {
  private readonly log = new Logger("channels");

  constructor(
    private readonly db: Database,
    private readonly channels: ChannelsService,
  ) {}

  /** Calls the other server between two transactions, so that no connection to the database waits for it. */
  async test(caller: Caller, id: string): Promise<Json<ChannelTestedDto>> {
    const { channel, kind } = await this.db.separateTransaction(caller, async (tx) => {
      tx.changesNothingVisible();
      return this.channels.open(tx, id);
    });
    const result = await this.run(kind, channel);
    return this.db.transaction(caller, async (tx) => {
      await this.channels.open(tx, id);
      tx.changesWorkspace(channel.workspaceId);
      const [stored] = await tx.query(STORE_TEST, {
        id,
        ...result,
        mailDomain: result.mailDomain && JSON.stringify(result.mailDomain),
        revision: channel.revision,
      });
      if (result.ok) await this.channels.checkAgain(tx, channel);
      return Json.of<ChannelTestedDto>({ ok: true, lastTest: stored!.lastTest });
    });
  }

  /** Tests without storing the result. It never throws. */
  async run(kind: ChannelKind, channel: OpenChannel): Promise<Tested> {
    try {
      const ready = { ...channel, hasCredentials: channel.credentials !== null };
      const missing = missingOf(kind, ready, channel.environment);
      if (missing !== undefined) return tested(false, missing);
      if (channel.environment === "test" && kind.provision)
        return tested(true, "On the test side nothing outside is called; the settings are complete");
      const result = await withTimeout(
        kind.test(channel),
        TEST_MS,
        () => new ChannelError("The server did not answer within 10 seconds"),
      );
      return typeof result === "string" ? tested(true, result) : result;
    } catch (error) {
      if (error instanceof ChannelError) return tested(false, error.message);
      this.log.error(`the test of channel ${channel.id} failed: ${(error as Error).stack}`);
      return tested(false, "The channel could not be tested");
    }
  }
}

const tested = (ok: boolean, message: string): Tested => ({ ok, message, mailDomain: null });
