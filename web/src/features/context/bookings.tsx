import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Conversation } from "../../api/parley.js";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Failed, Skeleton } from "../../ui/states.js";
import { Book } from "../calendar/book.js";
import { BookingRow } from "../calendar/booking-row.js";
import { bookingsOfContactQuery } from "./queries.js";

/** The contact's bookings: those to come, and those of the last week, as somebody may have to say that the contact did not come. */
export default function ContactBookings({ conversation }: { conversation: Conversation }): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const { data: bookings, error, refetch } = useQuery(bookingsOfContactQuery(conversation));
  const [isBooking, setBooking] = useState(false);
  return (
    <>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!bookings ? (
        !error && <Skeleton lines={1} />
      ) : bookings.length === 0 ? (
        <p className="text-muted">{t("bookings.none")}</p>
      ) : (
        <ul aria-label={t("context.bookings")} className="flex flex-col divide-y divide-line">
          {bookings.map((booking) => (
            <li key={booking.id}>
              <BookingRow booking={booking} short />
            </li>
          ))}
        </ul>
      )}
      {mayWrite(me) && (
        <Button small className="self-start" onClick={() => setBooking(true)}>
          {t("bookings.bookOne")}
        </Button>
      )}
      <Dialog open={isBooking} onClose={() => setBooking(false)} title={t("bookings.bookOne")}>
        <Book about={conversation} onDone={() => setBooking(false)} />
      </Dialog>
    </>
  );
}
