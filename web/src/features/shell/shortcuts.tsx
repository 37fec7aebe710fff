import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { areShortcutsOn, turnShortcuts } from "../../keyboard/keys.js";
import { usePrefer } from "../../preferences/preferences.js";
import { Dialog } from "../../ui/dialog.js";
import { Keys } from "../../ui/keys.js";
import { SHORTCUTS } from "../../keyboard/shortcuts.js";

/** The groups, in columns that are about as high as each other. */
const COLUMNS = [["conversation"], ["list", "page", "general"]] as const;

/** All shortcuts by what they are for, and the switch that turns single letters off. */
export default function Shortcuts({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const [on, setOn] = useState(areShortcutsOn);
  const prefer = usePrefer();
  return (
    <Dialog wide open onClose={onClose} title={t("shortcuts.title")}>
      <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
        {COLUMNS.map((groups) => (
          <div key={groups[0]} className="flex flex-col gap-5">
            {groups.map((group) => (
              <section key={group} aria-labelledby={`shortcuts-${group}`}>
                <h3 id={`shortcuts-${group}`} className="mb-2 text-xs font-medium text-muted">
                  {t(`palette.group.${group}`)}
                </h3>
                <dl className="flex flex-col gap-2">
                  {SHORTCUTS.filter((one) => one.group === group).map(({ name, keys }) => (
                    <div key={name} className="flex justify-between gap-4">
                      <dt>{t(`shortcuts.${name}`)}</dt>
                      <dd className="shrink-0">
                        <Keys keys={keys} />
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
        ))}
      </div>
      <label className="mt-5 flex items-center gap-2 border-t border-line pt-4">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={on}
          onChange={({ target: { checked } }) => {
            turnShortcuts(checked);
            setOn(checked);
            prefer({ shortcuts: checked });
          }}
        />
        {t("shortcuts.off")}
      </label>
    </Dialog>
  );
}
