/** A booking has to be written to its calendar. */
export class BookingQueued {
  constructor(readonly connectionId: string) {}
}
