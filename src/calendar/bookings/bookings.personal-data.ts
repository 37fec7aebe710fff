import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased, ContactsMerged } from "../../contacts/contact-events.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { ERASE_BOOKINGS } from "./bookings.queries.js";
import { toBeWritten } from "../sync/booking-sync.js";

@Injectable()
export class BookingsPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.handle(ContactsMerged, async (tx, { from, to, moved }) => {
      const rows = await tx.query(
        "update booking set contact_id = :to, updated_at = clock_timestamp() where tenant_id = :tenant and contact_id = :from returning 1",
        { from, to },
      );
      moved.bookings += rows.length;
    });
    // Bookings stay, as time that was spent, without what was said of the person; their events leave the calendars.
    this.events.handle(ContactsErased, async (tx, { contactIds, conversationIds, erased }) => {
      const bookings = await tx.query<{ id: string; there: boolean }>(ERASE_BOOKINGS, { contactIds, conversationIds });
      for (const { id, there } of bookings) if (there) await toBeWritten(tx, id);
      erased.bookings += bookings.length;
    });
  }
}
