import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { region } from "../../i18n/i18n.js";
import { Button } from "../../ui/button.js";
import { localTime } from "../../ui/dates.js";
import { Dialog } from "../../ui/dialog.js";
import { Field } from "../../ui/field.js";
import { useFirstFocus } from "../../ui/focus.js";
import { morningIn } from "./snoozes.js";

/** Where the time of day begins in the value of a field. */
const TIME_AT = "2030-01-01T".length;
const now = (): string => localTime(new Date());

/** Asks for the time at which a conversation opens again. */
export default function PickTime({
  onPick,
  onClose,
}: {
  onPick: (until: Date) => void;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const [value, setValue] = useState(() => localTime(morningIn(1)));
  const [isPast, setPast] = useState(false);
  const change = (to: string): void => {
    setValue(to);
    setPast(false);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // The window may stand in another form, which must not be sent.
    event.stopPropagation();
    const until = new Date(value);
    // No date at all is not ahead, either.
    if (until.getTime() > Date.now()) onPick(until);
    else {
      setPast(true);
      field.current?.focus();
    }
  };
  return (
    <Dialog open onClose={onClose} title={t("snooze.title")}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <Days value={value} onChange={change} />
        <Field
          ref={field}
          label={t("snooze.at")}
          type="datetime-local"
          value={value}
          min={now()}
          error={isPast ? t("snooze.past") : undefined}
          onChange={({ target }) => change(target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" look="primary">
            {t("thread.action.snooze")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The next seven days by their names, for who knows the day and not its date. The time of day stays. */
function Days({ value, onChange }: { value: string; onChange: (value: string) => void }): ReactNode {
  const { t } = useTranslation();
  const first = useFirstFocus<HTMLInputElement>();
  const [days] = useState(() => [1, 2, 3, 4, 5, 6, 7].map(morningIn));
  const named = (day: Date, how: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(region(), how).format(day);
  return (
    <fieldset className="grid grid-cols-7 gap-1">
      <legend className="sr-only">{t("snooze.day")}</legend>
      {days.map((day, i) => {
        const morning = localTime(day);
        return (
          <label key={morning} className="relative">
            <input
              ref={i === 0 ? first : undefined}
              type="radio"
              name="day"
              aria-label={named(day, { weekday: "long", day: "numeric", month: "long" })}
              checked={value.slice(0, TIME_AT) === morning.slice(0, TIME_AT)}
              onChange={() => onChange(morning.slice(0, TIME_AT) + (value.slice(TIME_AT) || morning.slice(TIME_AT)))}
              className="peer absolute inset-0 size-full cursor-pointer appearance-none rounded-md"
            />
            <span className="flex flex-col items-center rounded-md border border-line py-1.5 text-xs text-muted peer-checked:border-accent peer-checked:bg-selected peer-checked:text-accent-strong">
              {named(day, { weekday: "short" })}
              <span className="text-base font-medium tabular-nums">{named(day, { day: "numeric" })}</span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
