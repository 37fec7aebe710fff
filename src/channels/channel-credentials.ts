import { Injectable } from "@nestjs/common";
import { Config } from "../platform/config/config.js";
import { Sealer } from "../platform/database/seal.js";
import { ChannelError } from "./channel-kind.js";

const FINGERPRINT_BYTES = 8;

/** Seals and opens the credentials of channels, each for its tenant, channel and column. */
@Injectable()
export class ChannelCredentials {
  private readonly sealer: Sealer;

  constructor(config: Config) {
    this.sealer = new Sealer(config.secretKeys, "channels");
  }

  seal(tenantId: string, channelId: string, credentials: object): { credentials: Buffer; fingerprint: string } {
    return {
      credentials: this.sealer.seal(credentials, credentialsPlace(tenantId, channelId)),
      fingerprint: fingerprint(this.sealer, tenantId, credentials),
    };
  }

  /** @throws ChannelError where they belong to another channel, or the key is none of ours */
  open(tenantId: string, channelId: string, credentials: Buffer): object {
    try {
      return this.sealer.open<object>(credentials, credentialsPlace(tenantId, channelId));
    } catch {
      throw new ChannelError("The stored credentials cannot be opened: store them again", true);
    }
  }
}

/** What they are bound to. */
export const credentialsPlace = (tenantId: string, channelId: string): string =>
  `${tenantId} channel ${channelId} credentials`;

/** Tells whether two sets of a tenant's are the same, and nothing else about them. */
export const fingerprint = (sealer: Sealer, tenantId: string, credentials: object): string =>
  sealer.hash(JSON.stringify([tenantId, Object.entries(credentials).sort()])).toString("hex", 0, FINGERPRINT_BYTES);
