import { ConflictError } from "@parley/sdk/core";
import { type UseMutationResult, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { useOnce } from "../../api/once.js";
import { type Conversation, parley, type Schemas } from "../../api/parley.js";
import { Button } from "../../ui/button.js";
import { localTime } from "../../ui/dates.js";
import { Alert, Field, Select } from "../../ui/field.js";
import { Failed, Skeleton } from "../../ui/states.js";
import { Submit } from "../../ui/submit.js";
import { toast } from "../../ui/toasts.js";
import { type Booking, bookingsChanged, calendarsQuery } from "./queries.js";

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
/** As long as a booking may be. */
const MAX_MINUTES = 31 * 24 * HOUR_MINUTES;

interface Times {
  startsAt: string;
  endsAt: string;
}

const timesOf = (form: FormData): Times => {
  const start = Date.parse(form.get("start") as string);
  const minutes = Number(form.get("minutes"));
  return { startsAt: new Date(start).toISOString(), endsAt: new Date(start + minutes * MINUTE_MS).toISOString() };
};

/** The next full hour of tomorrow. */
function tomorrow(): string {
  const at = new Date(Date.now() + 24 * HOUR_MINUTES * MINUTE_MS);
  at.setMinutes(0, 0, 0);
  return localTime(at.toISOString());
}

const When = ({ start, minutes }: { start: string; minutes: number }): ReactNode => {
  const { t } = useTranslation();
  return (
    <div className="grid gap-4 sm:grid-cols-[2fr_1fr]">
      <Field label={t("bookings.start")} name="start" type="datetime-local" required defaultValue={start} />
      <Field
        label={t("bookings.minutes")}
        name="minutes"
        type="number"
        min={1}
        max={MAX_MINUTES}
        required
        defaultValue={minutes}
      />
    </div>
  );
};

/** The end of both forms. A time that is taken can be booked all the same, until the form says another one. */
function End<Body>({
  mutation: { error, isPending, variables, mutate },
  verb,
  onCancel,
}: {
  mutation: UseMutationResult<Booking, Error, Body & { force?: boolean }>;
  verb: string;
  onCancel: () => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      {error && <Alert>{failureOf(error).sentence}</Alert>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
        {error instanceof ConflictError && variables && (
          <Button disabled={isPending} onClick={() => mutate({ ...variables, force: true })}>
            {t("bookings.force")}
          </Button>
        )}
        <Submit isBusy={isPending}>{verb}</Submit>
      </div>
    </>
  );
}

/** The form that takes a time for the contact of a conversation. */
export function Book({ about, onDone }: { about: Conversation; onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: calendars, error, refetch } = useQuery(calendarsQuery(about.workspaceId));
  const once = useOnce();
  const create = useMutation({
    mutationFn: (body: Schemas["CreateBooking"]) => parley.bookings.create(body, once(body)),
    onSuccess: () => {
      bookingsChanged(client);
      toast(t("bookings.booked"));
      onDone();
    },
  });
  const [start] = useState(tomorrow);
  if (!calendars) return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Skeleton lines={2} />;
  if (calendars.length === 0) return <p className="text-muted">{t("bookings.noCalendar")}</p>;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const title = (form.get("title") as string).trim();
    if (!title) return;
    create.mutate({
      calendarId: form.get("calendar") as string,
      conversationId: about.id,
      title,
      location: (form.get("location") as string).trim() || null,
      ...timesOf(form),
    });
  };
  return (
    <form onSubmit={submit} onChange={() => create.reset()} className="flex flex-col gap-4">
      <Field label={t("bookings.title")} name="title" required maxLength={500} autoComplete="off" />
      <When start={start} minutes={HOUR_MINUTES} />
      <Field label={t("bookings.location")} name="location" maxLength={500} autoComplete="off" />
      <Select label={t("bookings.calendar")} name="calendar">
        {calendars.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <End mutation={create} verb={t("bookings.book")} onCancel={onDone} />
    </form>
  );
}

/** The form that moves a booking. */
export function Reschedule({ booking, onDone }: { booking: Booking; onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { id, startsAt, endsAt } = booking;
  const move = useMutation({
    mutationFn: (body: Times & { force?: boolean }) => parley.bookings.update(id, body),
    onSuccess: () => {
      bookingsChanged(client);
      toast(t("bookings.moved"));
      onDone();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    move.mutate(timesOf(new FormData(event.currentTarget)));
  };
  return (
    <form onSubmit={submit} onChange={() => move.reset()} className="flex flex-col gap-4">
      <p>{t("bookings.rescheduleExplain")}</p>
      <When start={localTime(startsAt)} minutes={Math.round((Date.parse(endsAt) - Date.parse(startsAt)) / MINUTE_MS)} />
      <End mutation={move} verb={t("bookings.move")} onCancel={onDone} />
    </form>
  );
}
