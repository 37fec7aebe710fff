import { Module } from "@nestjs/common";
import { ContactsModule } from "../contacts/contacts.module.js";
import { OutboundModule } from "../platform/outbound/outbound.module.js";
import { BookingsController } from "./bookings/bookings.controller.js";
import { BookingsService } from "./bookings/bookings.service.js";
import { CaldavProvider } from "./providers/caldav/caldav.provider.js";
import { ConnectionsController } from "./connections/connections.controller.js";
import { ConnectionsService } from "./connections/connections.service.js";
import { CalendarSync } from "./sync/sync.job.js";
import { CalendarParser } from "./providers/calendar-parser.js";
import { CalendarCredentials } from "./providers/calendar-credentials.js";
import { BookingsPersonalData } from "./bookings/bookings.personal-data.js";

@Module({
  imports: [ContactsModule, OutboundModule],
  controllers: [ConnectionsController, BookingsController],
  providers: [
    CalendarCredentials,
    BookingsPersonalData,
    CaldavProvider,
    CalendarParser,
    ConnectionsService,
    BookingsService,
    CalendarSync,
  ],
  exports: [BookingsService],
})
export class CalendarModule {}
