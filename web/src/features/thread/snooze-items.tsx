import { type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { withTexts } from "../../i18n/i18n.js";
import { MenuItem, MenuLine } from "../../ui/menu.js";
import { snoozes } from "./snoozes.js";

const PickTime = withTexts(() => import("./pick-time.js"));

/** Until when, as items of a menu. */
export function SnoozeItems({
  onSnooze,
  onOther,
}: {
  onSnooze: (until: Date) => void;
  /** The member wants another time. */
  onOther: () => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      {snoozes().map(([name, until]) => (
        <MenuItem key={name} onClick={() => onSnooze(until())}>
          {t(`thread.snoozeUntil.${name}`)}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem onClick={onOther}>{t("thread.snoozeUntil.other")}</MenuItem>
    </>
  );
}

/** A time of the member's own. @returns what asks for it, and the window in which it is asked */
export function useOtherTime(onSnooze: (until: Date) => void): { ask: () => void; dialog: ReactNode } {
  const [isOpen, setOpen] = useState(false);
  const dialog = (
    <Suspense>
      {isOpen && (
        <PickTime
          onClose={() => setOpen(false)}
          onPick={(until) => {
            setOpen(false);
            onSnooze(until);
          }}
        />
      )}
    </Suspense>
  );
  return { ask: () => setOpen(true), dialog };
}
