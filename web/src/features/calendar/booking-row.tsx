import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CalendarX, Ellipsis } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley, type Schemas } from "../../api/parley.js";
import { contactQuery, displayNameOf } from "../../api/contacts.js";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Badge } from "../../ui/badge.js";
import { IconButton } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { dayName, isPast, timeRange } from "../../ui/dates.js";
import { Dialog } from "../../ui/dialog.js";
import { Menu, MenuItem } from "../../ui/menu.js";
import { toast } from "../../ui/toasts.js";
import { Reschedule } from "./book.js";
import { type Booking, bookingsChanged } from "./queries.js";

const LOOKS = {
  tentative: "warn",
  confirmed: "plain",
  cancelled: "danger",
  completed: "ok",
  no_show: "danger",
} as const;

/** One booking: when, what, for whom, and what may be done with it. */
export function BookingRow({ booking, short }: { booking: Booking; short?: boolean }): ReactNode {
  const { t } = useTranslation();
  const { title, startsAt, endsAt, status, location, syncStatus, lastError, conflict } = booking;
  const isOver = status === "cancelled";
  return (
    <div className={`flex gap-3 ${short ? "py-1.5" : "px-3 py-2.5"}`}>
      <div className={`min-w-0 flex-1 ${short ? "" : "md:grid md:grid-cols-[13rem_minmax(0,1fr)] md:gap-4"}`}>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 self-start">
          <time dateTime={startsAt} dir="auto" className={`tabular-nums ${isOver ? "text-muted line-through" : ""}`}>
            {short && `${dayName(startsAt)}, `}
            {timeRange(startsAt, endsAt)}
          </time>
          {status !== "confirmed" && <Badge look={LOOKS[status]}>{t(`bookings.status.${status}`)}</Badge>}
        </p>
        <div className="flex min-w-0 flex-col gap-0.5">
          <p className="font-medium wrap-anywhere">
            <bdi>{title || t("bookings.erased")}</bdi>
          </p>
          {location && (
            <p className="text-sm wrap-anywhere text-muted">
              <bdi>{location}</bdi>
            </p>
          )}
          {!short && <About booking={booking} />}
          {syncStatus === "detached" && <p className="text-sm text-muted">{t("bookings.detached")}</p>}
          {lastError !== null && (
            <p className="flex gap-1 text-sm text-warn">
              <CalendarX size={14} aria-hidden="true" className="mt-0.5 shrink-0" />
              <span className="wrap-anywhere">{t("bookings.notWritten", { reason: lastError })}</span>
            </p>
          )}
          {conflict && <p className="text-sm text-warn">{t("bookings.conflict")}</p>}
        </div>
      </div>
      <Actions booking={booking} />
    </div>
  );
}

/** Where the booking came from. */
function About({ booking: { contactId, conversationId } }: { booking: Booking }): ReactNode {
  const { t } = useTranslation();
  const { data: contact } = useQuery({ ...contactQuery(contactId ?? ""), enabled: contactId !== null });
  if (contactId === null && conversationId === null) return null;
  return (
    <p className="flex flex-wrap gap-x-3 text-sm">
      {contactId !== null && (
        <Link to="/contacts/$contactId" params={{ contactId }} className="text-accent hover:underline">
          {displayNameOf(contact)}
        </Link>
      )}
      {conversationId !== null && (
        <Link
          to="/inbox/$view/$conversationId"
          params={{ view: "all", conversationId }}
          className="text-accent hover:underline"
        >
          {t("bookings.conversation")}
        </Link>
      )}
    </p>
  );
}

function Actions({ booking }: { booking: Booking }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const me = useMember();
  const { id, title, startsAt, status } = booking;
  const [open, setOpen] = useState<"cancel" | "reschedule">();
  const close = (): void => setOpen(undefined);
  const change = useMutation({
    mutationFn: (wanted: Schemas["BookingStatus"]) => parley.bookings.update(id, { status: wanted }),
    onSuccess: (changed) => {
      bookingsChanged(client);
      toast(t(`bookings.done.${changed.status}`));
    },
    onError: (error) => toast(t("failure.notSaved", { reason: failureOf(error).sentence }), { failed: true }),
  });
  if (!mayWrite(me) || status === "cancelled") return null;
  const mark = (wanted: Schemas["BookingStatus"]): ReactNode =>
    status !== wanted && <MenuItem onClick={() => change.mutate(wanted)}>{t(`bookings.mark.${wanted}`)}</MenuItem>;
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t("bookings.actions", { title })}>
            <Ellipsis size={16} />
          </IconButton>
        }
      >
        {status === "tentative" && mark("confirmed")}
        <MenuItem onClick={() => setOpen("reschedule")}>{t("bookings.reschedule")}</MenuItem>
        {isPast(startsAt) && mark("completed")}
        {isPast(startsAt) && mark("no_show")}
        <MenuItem onClick={() => setOpen("cancel")}>{t("bookings.cancel")}</MenuItem>
      </Menu>
      <Confirm
        open={open === "cancel"}
        title={t("bookings.cancel")}
        verb={t("bookings.cancel")}
        danger
        onClose={close}
        onConfirm={() => {
          close();
          change.mutate("cancelled");
        }}
      >
        <p className="mb-2 font-medium">
          <bdi>{title}</bdi>, {dayName(startsAt)}, {timeRange(startsAt, booking.endsAt)}
        </p>
        {t("bookings.cancelExplain")}
      </Confirm>
      <Dialog open={open === "reschedule"} onClose={close} title={t("bookings.reschedule")}>
        <Reschedule booking={booking} onDone={close} />
      </Dialog>
    </>
  );
}
