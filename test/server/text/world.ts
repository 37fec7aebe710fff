import { Mailboxes } from "../../../src/channels/email/mailboxes.js";
import { type MailServer, startMailServer } from "../auth/mail-server.js";
import { connect } from "../calendar/support.js";
import { RADICALE, type Radicale, startRadicale } from "../calendar/radicale.js";
import { DOVECOT, type Dovecot, PASSWORD, startDovecot } from "../channels/dovecot.js";
import { provision } from "../channels/support.js";
import { configure } from "../csat/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { CREDENTIALS, OURS, type Provider, PUBLIC_URL, startProvider } from "../telephony/provider.js";
import { type Chat, chatOf } from "../webchat/support.js";
import { eventually } from "../../support/eventually.js";

/** The application with everything around it that brings text in or takes it out. */
export interface World {
  app: TestApp;
  tenant: TestTenant;
  key: Client;
  owner: Client;
  workspaceId: string;
  provider: Provider;
  smsId: string;
  voiceId: string;
  chat: Chat;
  /** Undefined where Dovecot is not installed. */
  mail?: { smtp: MailServer; imap: Dovecot; channelId: string };
  /** Undefined where Radicale is not installed. */
  calendar?: { server: Radicale; path: string; calendarId: string };
  close(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const provider = await startProvider();
  const smtp = DOVECOT ? await startMailServer() : undefined;
  const imap = DOVECOT ? await startDovecot() : undefined;
  const radicale = RADICALE ? await startRadicale() : undefined;
  const app = await startApp({
    PUBLIC_URL,
    TRUSTED_PROXIES: ["127.0.0.1"],
    OUTBOUND_ALLOW: [provider.port, provider.cdnPort, smtp?.port, imap?.port, radicale?.port]
      .filter(Boolean)
      .map((port) => `127.0.0.1:${port}`),
  });
  const tenant = await app.tenant();
  const owner = await tenant.owner();
  const { workspaceId } = tenant.defaults;
  const channel = async (body: object): Promise<string> =>
    (await owner.post(`/api/workspaces/${workspaceId}/channels`, body, 201)).body.id;
  const phone = { address: OURS, settings: { apiUrl: provider.url }, credentials: CREDENTIALS };
  const smsId = await channel({ type: "sms", name: "Texts", ...phone });
  const voiceId = await channel({ type: "voice", name: "Calls", ...phone });
  const channelId =
    smtp &&
    imap &&
    (await channel({
      type: "email",
      name: "Support",
      address: "support@example.com",
      credentials: { username: "support", password: PASSWORD },
      settings: {
        smtp: { host: "127.0.0.1", port: smtp.port, security: "none" },
        imap: { host: "127.0.0.1", port: imap.port, security: "none" },
      },
    }));
  await provision(app);
  const ticking = setInterval(() => void app.app.get(Mailboxes).tick(), 200);
  if (channelId)
    await eventually(async () => {
      const held = await app.db.query("select from mailbox where channel_id = $1 and validity is not null", [
        channelId,
      ]);
      if (!held.length) throw new Error("the mailbox is not read yet");
    });
  await configure(owner, workspaceId);
  const path = radicale && (await radicale.calendar("work"));
  return {
    app,
    tenant,
    key: tenant.live,
    owner,
    workspaceId,
    provider,
    smsId,
    voiceId,
    chat: await chatOf(tenant),
    mail: smtp && imap && { smtp, imap, channelId: channelId! },
    calendar: radicale && {
      server: radicale,
      path: path!,
      ...(await connect(app, tenant, owner, radicale.port, path!)),
    },
    close: async () => {
      clearInterval(ticking);
      await app.close();
      await Promise.all([provider.close(), smtp?.close(), imap?.close(), radicale?.close()]);
    },
  };
}
