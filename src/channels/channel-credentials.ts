import { Injectable } from "@nestjs/common";
import { type Sealer, Sealers } from "../platform/database/seal.js";
import { ChannelError } from "./channel-kind.js";

const FINGERPRINT_BYTES = 8;

/** Encrypts and decrypts the credentials of channels. Each set is bound to its tenant and channel. */
@Injectable()
export class ChannelCredentials {
  private readonly sealer: Sealer;

  constructor(sealers: Sealers) {
    this.sealer = sealers.for("channels");
  }

  seal(tenantId: string, channelId: string, credentials: object): { credentials: Buffer; fingerprint: string } {
    return {
      credentials: this.sealer.seal(credentials, channelSealContext(tenantId, channelId)),
      fingerprint: fingerprint(this.sealer, tenantId, credentials),
    };
  }

  /** @throws ChannelError: they belong to another channel, or were sealed with a key that we do not have */
  open(tenantId: string, channelId: string, credentials: Buffer): object {
    try {
      return this.sealer.open<object>(credentials, channelSealContext(tenantId, channelId));
    } catch {
      throw new ChannelError("The stored credentials cannot be opened: store them again", true);
    }
  }
}

/** The tenant and channel that sealed credentials are bound to. */
export const channelSealContext = (tenantId: string, channelId: string): string =>
  `${tenantId} channel ${channelId} credentials`;

/** The purpose of the `Sealer` of what a sign-in brought, and the tenant and channel that it is bound to. */
export const TOKEN_SEAL = "channel tokens";
export const tokenSealContext = (tenantId: string, channelId: string): string =>
  `${tenantId} channel ${channelId} tokens`;

/** Equal for equal credentials of one tenant. It reveals nothing else about them. */
export const fingerprint = (sealer: Sealer, tenantId: string, credentials: object): string =>
  sealer.hash(JSON.stringify([tenantId, Object.entries(credentials).sort()])).toString("hex", 0, FINGERPRINT_BYTES);
