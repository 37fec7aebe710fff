import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Conversation } from "../../api/parley.js";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Button } from "../../ui/button.js";
import { startOfDay } from "../../ui/dates.js";
import { Dialog } from "../../ui/dialog.js";
import { Failed, Skeleton } from "../../ui/states.js";
import { Book } from "../calendar/book.js";
import { BookingRow } from "../calendar/booking-row.js";
import { bookingsQuery } from "../calendar/queries.js";

const FEW = 10;
/** Bookings of the last days are shown too: somebody may have to say that the contact did not come. */
const BACK_DAYS = 7;

/** The contact's bookings, those to come and those of the last week. */
export default function ContactBookings({ conversation }: { conversation: Conversation }): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const { contactId } = conversation;
  const [from] = useState(() => startOfDay(-BACK_DAYS).toISOString());
  const { data, error, refetch } = useInfiniteQuery(bookingsQuery({ contactId, from }, FEW));
  const [isBooking, setBooking] = useState(false);
  const bookings = data?.pages.flatMap((page) => page.data);
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
