import { Injectable } from "@nestjs/common";
import { fingerprint } from "../../channels/channel-credentials.js";
import { type Sealer, Sealers } from "../../platform/database/seal.js";
import { type AccountLogin, CalendarError } from "./calendar-provider.js";

/** Credentials are sealed for this context, so they do not open for another server, whatever is written into the row. */
export const connectionSealContext = (tenantId: string, connectionId: string, serverUrl: string): string =>
  `${tenantId} calendar ${connectionId} ${new URL(serverUrl).origin}`;

/** Seals and opens the credentials of calendar connections. */
@Injectable()
export class CalendarCredentials {
  private readonly sealer: Sealer;

  constructor(sealers: Sealers) {
    this.sealer = sealers.for("calendars");
  }

  seal(
    tenantId: string,
    connectionId: string,
    serverUrl: string,
    credentials: AccountLogin,
  ): { credentials: Buffer; fingerprint: string } {
    return {
      credentials: this.sealer.seal(credentials, connectionSealContext(tenantId, connectionId, serverUrl)),
      fingerprint: fingerprint(this.sealer, tenantId, credentials),
    };
  }

  /** @throws CalendarError: they belong to another connection or server, or were sealed under an unknown key */
  open(tenantId: string, connectionId: string, serverUrl: string, credentials: Buffer): AccountLogin {
    try {
      return this.sealer.open<AccountLogin>(credentials, connectionSealContext(tenantId, connectionId, serverUrl));
    } catch {
      throw new CalendarError("The stored credentials cannot be opened: store them again", "expired");
    }
  }
}
