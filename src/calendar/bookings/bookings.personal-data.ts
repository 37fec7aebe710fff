import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased, ContactsMerged } from "../../contacts/contact-events.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { queueWrite } from "../sync/booking-sync.js";
import { ERASE_BOOKINGS, MOVE_BOOKINGS } from "./bookings.queries.js";

@Injectable()
export class BookingsPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.handle(ContactsMerged, async (tx, { from, to, moved }) => {
      const bookings = await tx.query(MOVE_BOOKINGS, { from, to });
      moved.bookings += bookings.length;
    });
    // Bookings stay as time spent, without anything about the person. Their events are removed from the calendars.
    this.events.handle(ContactsErased, async (tx, { contactIds, conversationIds, erased }) => {
      const bookings = await tx.query(ERASE_BOOKINGS, { contactIds, conversationIds });
      for (const { id, inCalendar } of bookings) if (inCalendar) await queueWrite(tx, id);
      erased.bookings += bookings.length;
    });
  }
}
