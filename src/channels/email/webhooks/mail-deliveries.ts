import { UnauthorizedException } from "@nestjs/common";
import { settleAbout, raiseAbout } from "../../../conversations/attention/raise.js";
import { sql, TENANT } from "../../../platform/database/sql.js";
import { query } from "../../../platform/database/statements.js";
import type { Tx } from "../../../platform/database/transaction.js";
import { ChannelEntity } from "../../../workspaces/channel.entity.js";
import { IsNull } from "typeorm";
import type { OpenChannel } from "../../channel-kind.js";
import type { MailPlace } from "../fetched-mail.js";
import { MailboxEntity } from "../mailbox.entity.js";
import { MailDeliveryEntity } from "./mail-delivery.entity.js";

const WEBHOOK = { unrestricted: "only the webhook of the channel runs it, once it is proven to be the provider's" };

/** A second one with the same token waits for the first, and learns whether it brought the same mail. */
const CLAIM_TOKEN = query<{ channelId: string; token: string; content: string }>()(
  "mailWebhooks.claimToken",
  WEBHOOK,
  ({ channelId, token, content }) => sql`
    insert into mail_token as t (tenant_id, channel_id, token, content)
    values (${TENANT}, ${channelId}, ${token}, ${content})
    on conflict (tenant_id, channel_id, token) do update set content = t.content
    returning t.content = ${content} as "isMine"`,
);

const BEGIN = query<{ channelId: string; content: string }>()(
  "mailWebhooks.begin",
  WEBHOOK,
  ({ channelId, content }) => sql`
    insert into mail_delivery as d (tenant_id, channel_id, content)
    values (${TENANT}, ${channelId}, ${content})
    on conflict (tenant_id, channel_id, content) do update set attempts = d.attempts + 1
    where not d.stored
    returning d.attempts as attempt`,
);

/** Until the transaction ends, no other mail of the channel is stored: as in a mailbox, they come in one after the other. */
const ARRIVED = query<{ channelId: string }>()(
  "mailWebhooks.arrived",
  WEBHOOK,
  ({ channelId }) => sql`
    insert into mailbox as b (tenant_id, channel_id, webhook_at)
    values (${TENANT}, ${channelId}, clock_timestamp())
    on conflict (tenant_id, channel_id) do update set webhook_at = excluded.webhook_at
    returning b.webhook_error is not null as "wasUnusable"`,
);

const NOTE_UNUSABLE = query<{ channelId: string; error: string }>()(
  "mailWebhooks.noteUnusable",
  WEBHOOK,
  ({ channelId, error }) => sql`
    insert into mailbox as b (tenant_id, channel_id, webhook_at, webhook_error)
    values (${TENANT}, ${channelId}, clock_timestamp(), ${error})
    on conflict (tenant_id, channel_id) do update set webhook_at = excluded.webhook_at, webhook_error = excluded.webhook_error
    returning 1`,
);

/** @param content the hash of the mail. @param token what the provider signed in its place, if it did */
export const placeOfWebhook = (
  channel: OpenChannel,
  { content, token }: { content: string; token?: string | undefined },
): MailPlace => {
  const { id: channelId } = channel;
  return {
    begin: async (tx) => {
      if (token !== undefined) {
        const [claimed] = await tx.query(CLAIM_TOKEN, { channelId, token, content });
        if (!claimed?.isMine) throw new UnauthorizedException();
      }
      return (await tx.query(BEGIN, { channelId, content }))[0]?.attempt;
    },
    take: async (tx) => {
      const [arrived] = await tx.query(ARRIVED, { channelId });
      const mine = await tx.update(MailDeliveryEntity, { channelId, content, stored: false }, { stored: true });
      if (mine && arrived?.wasUnusable) await settle(tx, channel);
      return mine > 0;
    },
    forget: async (tx) => {
      await tx.update(MailDeliveryEntity, { channelId, content, stored: false }, { attempts: 0 });
    },
  };
};

/** Mails come in again. */
async function settle(tx: Tx, { id: channelId, workspaceId }: OpenChannel): Promise<void> {
  await tx.update(MailboxEntity, { channelId }, { webhookError: null });
  const works = await tx.update(
    ChannelEntity,
    { id: channelId, status: "active", failingSince: IsNull() },
    { lastError: null },
  );
  if (!works) return;
  await settleAbout(tx, { channelId }, "channel_error");
  tx.changesWorkspace(workspaceId);
}

/** The provider sent what is no mail, or one that we cannot get. Sending goes on, so the channel stays as it is. */
export async function noteUnusable(
  tx: Tx,
  { id: channelId, workspaceId, name }: OpenChannel,
  error: string,
): Promise<void> {
  tx.changesWorkspace(workspaceId);
  await tx.query(NOTE_UNUSABLE, { channelId, error });
  await tx.update(ChannelEntity, { id: channelId, status: "active" }, { lastError: error });
  await raiseAbout(tx, { channelId }, { type: "channel_error", severity: "high", reason: `${name}: ${error}` });
}
