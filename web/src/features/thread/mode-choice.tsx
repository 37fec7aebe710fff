import type { KeyboardEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Mode } from "../../drafts/drafts.js";

const MODES = ["reply", "note"] as const satisfies Mode[];

/** Whether the field is a reply or a note. An arrow moves to the other one. */
export function ModeChoice({
  mode,
  onMove,
  onChoose,
}: {
  mode: Mode;
  /** The member goes through the choices, and stays among them. */
  onMove: (mode: Mode) => void;
  /** The member wants to write it. */
  onChoose: (mode: Mode) => void;
}): ReactNode {
  const { t } = useTranslation();
  const move = (event: KeyboardEvent<HTMLElement>, to: Mode): void => {
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    onMove(to);
    event.currentTarget.parentElement?.querySelector<HTMLElement>(`[data-mode=${to}]`)?.focus();
  };
  const chosen = mode === "note" ? "bg-note-line/50 text-note-text" : "bg-selected text-accent-strong";
  return (
    <div role="radiogroup" aria-label={t("composer.mode")} className="flex gap-1 px-2 pt-2">
      {MODES.map((one) => (
        <button
          key={one}
          type="button"
          role="radio"
          data-mode={one}
          aria-checked={mode === one}
          tabIndex={mode === one ? 0 : -1}
          onKeyDown={(event) => move(event, one === "reply" ? "note" : "reply")}
          onClick={() => onChoose(one)}
          className={`h-7 rounded-md px-2 text-sm font-medium ${mode === one ? chosen : "text-muted hover:bg-hover"}`}
        >
          {t(`composer.${one}`)}
        </button>
      ))}
    </div>
  );
}
