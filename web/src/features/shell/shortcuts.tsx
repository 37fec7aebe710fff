import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { areShortcutsOn, turnShortcuts } from "../../keyboard/keys.js";
import { Dialog } from "../../ui/dialog.js";

const MOD = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";

const LIST = [
  ["next", ["J"]],
  ["previous", ["K"]],
  ["open", ["Enter"]],
  ["list", ["U"]],
  ["reply", ["R"]],
  ["note", ["N"]],
  ["send", [MOD, "Enter"]],
  ["takeOver", ["T"]],
  ["mine", ["M"]],
  ["assign", ["A"]],
  ["labels", ["L"]],
  ["snooze", ["S"]],
  ["resolve", ["E"]],
  ["undo", ["Z"]],
  ["search", ["/"]],
  ["goInbox", ["G", "I"]],
  ["goAttention", ["G", "A"]],
  ["goContacts", ["G", "C"]],
  ["goKnowledge", ["G", "K"]],
  ["goSettings", ["G", "S"]],
  ["help", ["?"]],
] as const;

/** All shortcuts, and the switch that turns single letters off. */
export default function Shortcuts({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const [on, setOn] = useState(areShortcutsOn);
  return (
    <Dialog open onClose={onClose} title={t("shortcuts.title")}>
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-2">
        {LIST.map(([name, keys]) => (
          <div key={name} className="col-span-2 grid grid-cols-subgrid">
            <dt>{t(`shortcuts.${name}`)}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd key={key} className="rounded border border-line bg-canvas px-1.5 font-mono text-xs leading-5">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <label className="mt-5 flex items-center gap-2 border-t border-line pt-4">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={on}
          onChange={({ target: { checked } }) => {
            turnShortcuts(checked);
            setOn(checked);
          }}
        />
        {t("shortcuts.off")}
      </label>
    </Dialog>
  );
}
