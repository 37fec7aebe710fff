import { Module } from "@nestjs/common";
import { ContactsModule } from "../contacts/contacts.module.js";
import { OutboundModule } from "../platform/outbound/outbound.module.js";
import { BookingsController } from "./bookings/bookings.controller.js";
import { BookingsService } from "./bookings/bookings.service.js";
import { CaldavProvider } from "./caldav/caldav.provider.js";
import { ConnectionsController } from "./connections.controller.js";
import { ConnectionsService } from "./connections.service.js";
import { CalendarSync } from "./sync/sync.job.js";
import { CalendarVault } from "./vault.js";

@Module({
  imports: [ContactsModule, OutboundModule],
  controllers: [ConnectionsController, BookingsController],
  providers: [CalendarVault, CaldavProvider, ConnectionsService, BookingsService, CalendarSync],
  exports: [BookingsService],
})
export class CalendarModule {}
