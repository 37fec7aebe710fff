import { isIPv4 } from "node:net";
import { Injectable } from "@nestjs/common";
import { type Environment, system } from "../../platform/caller/caller.js";
import type { Tx } from "../../platform/database/transaction.js";
import { clientOf } from "../../platform/http/rate-limit.js";
import { OutboxService } from "../../platform/outbox/outbox.service.js";
import { LOCK_ADDRESS } from "../members/member-emails.queries.js";
import { SecurityLogService } from "../security-log/security-log.service.js";
import { KNOWS_DEVICE } from "./sessions.queries.js";

interface NewSession {
  organisationId: string;
  tenantId: string;
  memberId: string;
  environment: Environment;
  sessionId: string;
  device: string;
  address: string;
  network: string;
}

/** Tells members when somebody signs in as them with a browser, or from a network, that they did not use before. */
@Injectable()
export class NewDevices {
  constructor(
    private readonly security: SecurityLogService,
    private readonly outbox: OutboxService,
  ) {}

  /**
   * Comes before the session is stored. The lock of the member's row is held to the end of the transaction, so of
   * simultaneous sign-ins each sees the sessions of those before it.
   */
  async check(tx: Tx, session: NewSession): Promise<void> {
    const { organisationId, tenantId, memberId, environment, sessionId, device, address, network } = session;
    const [member] = await tx.query(LOCK_ADDRESS, { memberId });
    const [known] = await tx.query(KNOWS_DEVICE, { memberId, device, network });
    if (!member || known) return;
    await this.security.record(tx, { type: "new_device", memberId, actorId: memberId, detail: { sessionId } });
    if (!member.proven) return;
    // On the test side the mail would be captured, and the device would be known at the next sign-in on the live side.
    const onLive = await tx.actingFor(system("new device", organisationId, "live"));
    await this.outbox.mail(onLive, {
      to: member.email,
      subject: "A new sign-in to Parley",
      body: `Hello ${member.name},\n\nsomebody signed in to Parley as you, from a device or network that you did not use in the last 90 days:\n\nWhen: ${new Date().toUTCString()}\nDevice: ${device}\nAddress: ${address}\n\nIf it was you, there is nothing to do.\n\nIf it was not you, change your password now. This ends all your other sessions. Then tell an admin.\n`,
    });
    await onLive.actingFor(system("login", tenantId, environment));
  }
}

/** The network of an address: the /24 of an IPv4 address, the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  const client = clientOf(address);
  return isIPv4(client) ? `${client.slice(0, client.lastIndexOf("."))}.0/24` : client;
}
