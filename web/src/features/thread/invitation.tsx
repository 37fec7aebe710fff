import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CalendarDays } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { type Message, parley, type Schemas } from "../../api/parley.js";
import { region } from "../../i18n/i18n.js";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { toast } from "../../ui/toasts.js";
import { recurrenceWords } from "./recurrence.js";

type CalendarEvent = Schemas["Invitation"];
type Answer = NonNullable<CalendarEvent["answer"]>;

const ANSWERS: readonly Answer[] = ["accepted", "tentative", "declined"];
const LOOKS = { request: "plain", cancel: "danger", reply: "plain", publish: "plain" } as const;

/** The event of a calendar file, and the answer to it. A file that cannot be read stays a file. */
export default function Invitation({ message: { id, conversationId } }: { message: Message }): ReactNode {
  const { t } = useTranslation();
  const { data: event } = useQuery({
    queryKey: ["invitation", id],
    queryFn: ({ signal }) => parley.conversations.invitation(id, { signal }),
    staleTime: 60_000,
    retry: false,
  });
  if (!event) return null;
  const title = event.title || t("invitation.untitled");
  return (
    <section
      aria-label={t("invitation.label", { title })}
      className="mt-2 flex min-w-0 flex-col gap-2 rounded-md border border-line bg-surface p-3 text-sm"
    >
      <div className="flex items-start gap-2">
        <CalendarDays size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-muted" />
        <p
          dir="auto"
          className={`min-w-0 flex-1 font-medium wrap-anywhere ${event.method === "cancel" ? "line-through" : ""}`}
        >
          {title}
        </p>
        <Badge look={LOOKS[event.method]}>{t(`invitation.method.${event.method}`)}</Badge>
      </div>
      <Facts event={event} />
      {event.attendee && (
        <p>
          {t(`invitation.replied.${event.attendee.answer ?? "other"}`, {
            name: event.attendee.name ?? event.attendee.address,
          })}
        </p>
      )}
      {event.answerable && <Answers id={id} conversationId={conversationId} event={event} />}
    </section>
  );
}

function Facts({ event }: { event: CalendarEvent }): ReactNode {
  const { t } = useTranslation();
  const { location, organizer, recurs, recurrence, moreEvents } = event;
  const theirs = inTheirZone(event);
  const facts: [string, string][] = [
    [t("invitation.when"), theirs === undefined ? whenOf(event) : `${whenOf(event)} (${theirs})`],
    ...(recurs
      ? [
          [t("invitation.repeats"), recurrence ? recurrenceWords(recurrence, t) : t("invitation.severalTimes")] as [
            string,
            string,
          ],
        ]
      : []),
    ...(location ? [[t("invitation.where"), location] as [string, string]] : []),
    ...(organizer
      ? [
          [
            t("invitation.organizer"),
            organizer.name ? `${organizer.name} <${organizer.address}>` : organizer.address,
          ] as [string, string],
        ]
      : []),
  ];
  return (
    <>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd dir="auto" className="wrap-anywhere">
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {moreEvents > 0 && <p className="text-muted">{t("invitation.more", { count: moreEvents })}</p>}
    </>
  );
}

/** In the reader's zone, or as days. */
function whenOf({ startsAt, endsAt, allDay }: CalendarEvent, timeZone?: string): string {
  const format = new Intl.DateTimeFormat(region(), {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    ...(allDay ? { timeZone: "UTC" } : { hour: "2-digit", minute: "2-digit", ...(timeZone && { timeZone }) }),
  });
  // The end is the first moment after the event: of whole days, the last one is the day before.
  const end = allDay ? Math.max(Date.parse(startsAt), Date.parse(endsAt) - 1) : Date.parse(endsAt);
  return format.formatRange(Date.parse(startsAt), end);
}

/** The same in the organizer's zone, if clocks show something else there. */
function inTheirZone(event: CalendarEvent): string | undefined {
  const { allDay, timeZone } = event;
  if (allDay || timeZone === null) return undefined;
  try {
    const theirs = whenOf(event, timeZone);
    return theirs === whenOf(event) ? undefined : `${theirs}, ${timeZone.replaceAll("_", " ")}`;
  } catch {
    // A zone that this browser does not know.
    return undefined;
  }
}

function Answers({
  id,
  conversationId,
  event: { answer, organizer },
}: {
  id: string;
  conversationId: string;
  event: CalendarEvent;
}): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const me = useMember();
  const send = useMutation({
    mutationFn: (given: Answer) => parley.conversations.answerInvitation(id, { answer: given }),
    onSuccess: () => toast(t("invitation.sent", { address: organizer?.address })),
    onError: (error) => toast(failureOf(error).sentence, { failed: true }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ["invitation", id] });
      void client.invalidateQueries({ queryKey: ["thread", conversationId] });
    },
  });
  if (!mayWrite(me)) return answer && <p>{t(`invitation.answered.${answer}`)}</p>;
  return (
    <div role="group" aria-label={t("invitation.answer")} className="flex flex-wrap items-center gap-2">
      {ANSWERS.map((one) => (
        <Button
          key={one}
          small
          look={answer === one ? "primary" : "plain"}
          aria-pressed={answer === one}
          disabled={send.isPending}
          onClick={() => answer !== one && send.mutate(one)}
        >
          {t(`invitation.do.${one}`)}
        </Button>
      ))}
      {answer && <span className="text-muted">{t(`invitation.answered.${answer}`)}</span>}
    </div>
  );
}
