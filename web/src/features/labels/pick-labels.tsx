import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { labelsQuery } from "../../api/queries.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { useFirstFocus } from "../../ui/focus.js";
import { Dot } from "../../ui/label.js";
import { best } from "../../ui/match.js";

interface Props {
  /** What the conversation has. Without it, the choice is for many: what is chosen is added to all, or removed from all. */
  has?: readonly string[];
  onPick: (labels: { add: string[]; remove: string[] }) => void;
  onClose: () => void;
}

/** Labels by their name: those that are defined, those that the conversation has, and any other that is typed. */
export default function PickLabels({ has: now, onPick, onClose }: Props): ReactNode {
  const { t } = useTranslation();
  // What a colleague gives meanwhile is not what the member has taken off.
  const [has] = useState(now);
  const { data: labels = [] } = useQuery(labelsQuery());
  const [text, setText] = useState("");
  const first = useFirstFocus<HTMLInputElement>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(has));
  const names = [...new Set([...labels.map(({ name }) => name), ...(has ?? []), ...chosen])];
  const found = best(names, text, (name) => name);
  const typed = text.trim();
  const isNew = typed !== "" && !names.includes(typed);
  const toggle = (name: string): void => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    setChosen(next);
  };
  const pick = (): void => {
    if (!has) onPick({ add: [...chosen], remove: [] });
    else
      onPick({
        add: [...chosen].filter((name) => !has.includes(name)),
        remove: has.filter((name) => !chosen.has(name)),
      });
  };
  // Enter in the field chooses what is typed, and with an empty field it is done.
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const [first] = found;
    if (typed === "") pick();
    else {
      toggle(isNew && first === undefined ? typed : (first ?? typed));
      setText("");
    }
  };
  return (
    <Dialog open onClose={onClose} title={t("labels.pick")}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <input
          ref={first}
          aria-label={t("labels.find")}
          placeholder={t("labels.find")}
          value={text}
          maxLength={100}
          autoComplete="off"
          onChange={({ target }) => setText(target.value)}
          className="h-9 w-full rounded-md border border-edge bg-surface px-3 placeholder:text-muted"
        />
        <ul aria-label={t("labels.pick")} className="max-h-64 overflow-y-auto">
          {found.map((name) => (
            <li key={name}>
              <label className="flex min-h-8 items-center gap-2.5 rounded-md px-2 hover:bg-hover">
                <input
                  type="checkbox"
                  checked={chosen.has(name)}
                  onChange={() => toggle(name)}
                  className="size-4 accent-accent"
                />
                <Dot colour={labels.find((label) => label.name === name)?.colour} />
                <bdi className="min-w-0 truncate">{name}</bdi>
              </label>
            </li>
          ))}
        </ul>
        {isNew && (
          <Button
            small
            className="self-start"
            onClick={() => {
              toggle(typed);
              setText("");
            }}
          >
            {t("labels.addNew", { name: typed })}
          </Button>
        )}
        {names.length === 0 && typed === "" && <p className="text-muted">{t("labels.none")}</p>}
        <div className="flex flex-wrap justify-end gap-2">
          {!has && (
            <Button disabled={chosen.size === 0} onClick={() => onPick({ add: [], remove: [...chosen] })}>
              {t("labels.remove")}
            </Button>
          )}
          <Button look="primary" disabled={!has && chosen.size === 0} onClick={pick}>
            {t(has ? "common.save" : "labels.add")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
