import { Module } from "@nestjs/common";
import { AttachmentsModule } from "../../conversations/attachments/attachments.module.js";
import { ConversationsModule } from "../../conversations/conversations.module.js";
import { OutboundModule } from "../../platform/outbound/outbound.module.js";
import { ChannelsModule } from "../channels.module.js";
import { EmailKind } from "./email.kind.js";
import { IncomingMailService } from "./incoming-mail.service.js";
import { MailAuthentication } from "./mail-authentication.js";
import { MailParser } from "./mail-parser.js";
import { Mailboxes } from "./mailboxes.js";

@Module({
  imports: [AttachmentsModule, ChannelsModule, ConversationsModule, OutboundModule],
  providers: [EmailKind, IncomingMailService, MailAuthentication, Mailboxes, MailParser],
})
export class EmailModule {}
