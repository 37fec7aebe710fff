import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.js";
import { Menu, MenuItem } from "../../ui/menu.js";
import { SNOOZES } from "./snoozes.js";
import { keysOf } from "../../keyboard/shortcuts.js";
import { type SendList, WAYS } from "./send-ways.js";
import type { After } from "./steps.js";

interface Props {
  list: SendList;
  onList: (list: SendList) => void;
  isDisabled: boolean;
  onSend: (after: After) => void;
}

/** Sends the form; and the menu beside it, which does something with the conversation besides. */
export function SendMenu({ list, onList, isDisabled, onSend }: Props): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="flex shrink-0">
      <Button type="submit" look="primary" disabled={isDisabled} className="rounded-e-none">
        {t("composer.send")}
      </Button>
      <Menu
        open={list !== undefined}
        onOpenChange={(open) => onList(open ? (list ?? "ways") : undefined)}
        page={list === "times" ? "times" : "ways"}
        trigger={
          <Button
            look="primary"
            disabled={isDisabled}
            aria-label={t("composer.moreWays")}
            title={t("composer.moreWays")}
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
            {SNOOZES.map(([name, until]) => (
              <MenuItem key={name} onClick={() => onSend({ then: "snooze", snoozeUntil: until().toISOString() })}>
                {t(`thread.snoozeUntil.${name}`)}
              </MenuItem>
            ))}
          </div>
        ) : (
          WAYS.map(({ way, name }) => (
            <MenuItem
              key={way}
              keys={keysOf(name)}
              leadsOn={way === "snooze"}
              onClick={() => (way === "snooze" ? onList("times") : onSend(way === "send" ? {} : { then: way }))}
            >
              {t(`composer.then.${way}`)}
            </MenuItem>
          ))
        )}
      </Menu>
    </div>
  );
}
