import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.js";
import { Menu, MenuItem } from "../../ui/menu.js";
import { SnoozeItems, useOtherTime } from "./snooze-items.js";
import { keysOf } from "../../keyboard/shortcuts.js";
import { type SendList, SEND_OPTIONS } from "./send-options.js";
import type { After } from "../steps/steps.js";

interface Props {
  list: SendList;
  onList: (list: SendList) => void;
  isDisabled: boolean;
  onSend: (after: After) => void;
}

/** Sends the form; and the menu beside it, which does something with the conversation besides. */
export function SendMenu({ list, onList, isDisabled, onSend }: Props): ReactNode {
  const { t } = useTranslation();
  const snooze = (until: Date): void => onSend({ then: "snooze", snoozeUntil: until.toISOString() });
  const otherTime = useOtherTime(snooze);
  return (
    <div className="flex shrink-0">
      {otherTime.dialog}
      <Button type="submit" look="primary" disabled={isDisabled} className="rounded-e-none">
        {t("composer.send")}
      </Button>
      <Menu
        open={list !== undefined}
        onOpenChange={(open) => onList(open ? (list ?? "options") : undefined)}
        page={list === "times" ? "times" : "options"}
        trigger={
          <Button
            look="primary"
            disabled={isDisabled}
            aria-label={t("composer.sendOptions")}
            title={t("composer.sendOptions")}
            className="rounded-s-none border-s-on-accent/30! px-1.5! pointer-coarse:px-2.5!"
          >
            <ChevronDown size={16} aria-hidden="true" />
          </Button>
        }
      >
        {list === "times" ? (
          <div role="group" aria-label={t("composer.then.snooze")}>
            <p aria-hidden="true" className="px-3 py-1 text-xs font-medium text-muted">
              {t("composer.then.snooze")}
            </p>
            <SnoozeItems onSnooze={snooze} onOther={otherTime.ask} />
          </div>
        ) : (
          SEND_OPTIONS.map(({ option, name }) => (
            <MenuItem
              key={option}
              keys={keysOf(name)}
              leadsOn={option === "snooze"}
              onClick={() =>
                option === "snooze" ? onList("times") : onSend(option === "send" ? {} : { then: option })
              }
            >
              {t(`composer.then.${option}`)}
            </MenuItem>
          ))
        )}
      </Menu>
    </div>
  );
}
