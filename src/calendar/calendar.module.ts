import { Module } from "@nestjs/common";
import { ContactsModule } from "../contacts/contacts.module.js";
import { AttachmentsModule } from "../conversations/attachments/attachments.module.js";
import { ConversationsModule } from "../conversations/conversations.module.js";
import { OutboundModule } from "../platform/outbound/outbound.module.js";
import { BookingsController } from "./bookings/bookings.controller.js";
import { BookingsService } from "./bookings/bookings.service.js";
import { CaldavProvider } from "./providers/caldav/caldav.provider.js";
import { InvitationsController } from "./invitations/invitations.controller.js";
import { InvitationsService } from "./invitations/invitations.service.js";
import { ConnectionsController } from "./connections/connections.controller.js";
import { ConnectionsService } from "./connections/connections.service.js";
import { CalendarSync } from "./sync/sync.job.js";
import { CalendarParser } from "./providers/calendar-parser.js";
import { CalendarCredentials } from "./providers/calendar-credentials.js";
import { BookingsPersonalData } from "./bookings/bookings.personal-data.js";

@Module({
  imports: [AttachmentsModule, ContactsModule, ConversationsModule, OutboundModule],
  controllers: [ConnectionsController, BookingsController, InvitationsController],
  providers: [
    CalendarCredentials,
    BookingsPersonalData,
    CaldavProvider,
    CalendarParser,
    ConnectionsService,
    BookingsService,
    CalendarSync,
    InvitationsService,
  ],
  exports: [BookingsService],
})
export class CalendarModule {}
