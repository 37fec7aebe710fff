import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.js";
import { localTime } from "../../ui/dates.js";
import { Dialog } from "../../ui/dialog.js";
import { Field } from "../../ui/field.js";
import { useFirstFocus } from "../../ui/focus.js";
import { morningIn } from "./snoozes.js";

/** Asks for the time at which a conversation opens again. */
const now = (): string => localTime(new Date());

export default function PickTime({
  onPick,
  onClose,
}: {
  onPick: (until: Date) => void;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const first = useFirstFocus<HTMLInputElement>();
  const [value, setValue] = useState(() => localTime(morningIn(1)));
  const [isPast, setPast] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // The window may stand in another form, which must not be sent.
    event.stopPropagation();
    const until = new Date(value);
    // No date at all is not ahead, either.
    if (until.getTime() > Date.now()) onPick(until);
    else {
      setPast(true);
      first.current?.focus();
    }
  };
  return (
    <Dialog open onClose={onClose} title={t("snooze.title")}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <Field
          ref={first}
          label={t("snooze.at")}
          type="datetime-local"
          value={value}
          min={now()}
          error={isPast ? t("snooze.past") : undefined}
          onChange={({ target }) => {
            setValue(target.value);
            setPast(false);
          }}
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
