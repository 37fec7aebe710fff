import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { areShortcutsOn, turnShortcuts } from "../../keyboard/keys.js";
import { usePrefer } from "../../preferences/preferences.js";
import { Dialog } from "../../ui/dialog.js";
import { Keys } from "../../ui/keys.js";
import { SHORTCUTS } from "../../keyboard/shortcuts.js";

/** All shortcuts, and the switch that turns single letters off. */
export default function Shortcuts({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const [on, setOn] = useState(areShortcutsOn);
  const prefer = usePrefer();
  return (
    <Dialog open onClose={onClose} title={t("shortcuts.title")}>
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-2">
        {SHORTCUTS.map(({ name, keys }) => (
          <div key={name} className="col-span-2 grid grid-cols-subgrid">
            <dt>{t(`shortcuts.${name}`)}</dt>
            <dd>
              <Keys keys={keys} />
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
            prefer({ shortcuts: checked });
          }}
        />
        {t("shortcuts.off")}
      </label>
    </Dialog>
  );
}
