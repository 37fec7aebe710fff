import { ConflictException, Injectable } from "@nestjs/common";
import type { Tx } from "../../platform/database/transaction.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import type { Mail } from "../../platform/outbox/outbox-kind.js";
import { OutboxService } from "../../platform/outbox/outbox.service.js";
import type { ProofChannel } from "../verification/proof-channel.js";

/**
 * A text message has to leave through the workspace's SMS channel. It is no message of the conversation, because
 * everybody who reads the conversation could read the secret in it.
 */
export class TextMessageDue {
  /** Set by the handler that puts it into the outbox. */
  taken = false;

  constructor(
    readonly workspaceId: string,
    /** E.164. */
    readonly to: string,
    readonly body: string,
  ) {}
}

/** Brings a secret to the contact. */
@Injectable()
export class ProofMessages {
  constructor(
    private readonly outbox: OutboxService,
    private readonly events: DomainEvents,
  ) {}

  /** @throws ConflictException: the workspace has no SMS channel that works */
  async send(
    tx: Tx,
    { workspaceId, channel, to }: { workspaceId: string; channel: ProofChannel; to: string },
    { subject, body, text }: Omit<Mail, "to"> & { text: string },
  ): Promise<void> {
    if (channel === "email") return this.outbox.mail(tx, { to, subject, body });
    const message = new TextMessageDue(workspaceId, to, text);
    await this.events.publish(tx, message);
    if (!message.taken) throw new ConflictException("The workspace has no active SMS channel: use email instead");
  }
}
