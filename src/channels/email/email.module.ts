import { Module } from "@nestjs/common";
import { AuthModule } from "../../auth/auth.module.js";
import { AttachmentsModule } from "../../conversations/attachments/attachments.module.js";
import { ConversationsModule } from "../../conversations/conversations.module.js";
import { OutboundModule } from "../../platform/outbound/outbound.module.js";
import { ChannelsModule } from "../channels.module.js";
import { DeliveryReports } from "./delivery-reports.js";
import { MailDomain } from "./domain/mail-domain.js";
import { EmailKind } from "./email.kind.js";
import { GraphClient } from "./graph/graph.client.js";
import { GraphInbox } from "./graph/graph-inbox.js";
import { GraphSender } from "./graph/graph.sender.js";
import { IncomingMailService } from "./incoming-mail.service.js";
import { IncomingPeople } from "./incoming-people.js";
import { IncomingThreads } from "./incoming-threads.js";
import { SameMail } from "./same-mail.js";
import { ThreadIndexes } from "./thread-index.js";
import { ReplyAddresses } from "./reply-addresses.js";
import { MailAuthentication } from "./mail-authentication.js";
import { MailParser } from "./mail-parser.js";
import { Mailboxes } from "./mailboxes.js";
import { MailboxLogins } from "./sign-in/mailbox-logins.js";
import { MailboxTokens } from "./sign-in/mailbox-tokens.js";
import { OAuthClient } from "./sign-in/oauth-client.js";
import { MailboxSignInController } from "./sign-in/sign-in.controller.js";
import { MailboxSignInService } from "./sign-in/sign-in.service.js";
import { Mailgun } from "./webhooks/mailgun.js";
import { MailWebhooksController } from "./webhooks/mail-webhooks.controller.js";
import { MailWebhooksService } from "./webhooks/mail-webhooks.service.js";
import { Postmark } from "./webhooks/postmark.js";
import { Ses } from "./webhooks/ses.js";
import { SnsClient } from "./webhooks/sns.client.js";
import { SmtpTransports } from "./smtp-transports.js";
import { MailViewController } from "./view/mail-view.controller.js";
import { MailViewService } from "./view/mail-view.service.js";

@Module({
  imports: [AttachmentsModule, AuthModule, ChannelsModule, ConversationsModule, OutboundModule],
  controllers: [MailboxSignInController, MailViewController, MailWebhooksController],
  providers: [
    MailboxLogins,
    MailboxSignInService,
    MailboxTokens,
    OAuthClient,
    SmtpTransports,
    DeliveryReports,
    EmailKind,
    GraphClient,
    GraphInbox,
    GraphSender,
    IncomingMailService,
    IncomingPeople,
    IncomingThreads,
    MailAuthentication,
    MailDomain,
    Mailboxes,
    MailParser,
    MailViewService,
    Mailgun,
    MailWebhooksService,
    Postmark,
    ReplyAddresses,
    SameMail,
    Ses,
    SnsClient,
    ThreadIndexes,
  ],
})
export class EmailModule {}
