import { X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "./button.js";
import { Failed } from "./states.js";

const NONE: ReadonlySet<string> = new Set();

/** The selected rows of a list. A selection belongs to one list, so it ends where another one is shown. */
export function useSelected(list: string): {
  selection: ReadonlySet<string>;
  select: (ids: ReadonlySet<string>) => void;
  toggle: (id: string) => void;
} {
  const [kept, keep] = useState({ list, ids: NONE });
  const selection = kept.list === list ? kept.ids : NONE;
  const select = (ids: ReadonlySet<string>): void => keep({ list, ids });
  const toggle = (id: string): void => {
    const next = new Set(selection);
    if (!next.delete(id)) next.add(id);
    select(next);
  };
  return { selection, select, toggle };
}

/** Once the bar is gone, and the focus with it: to the first row but those, which may go, or to the page. Nothing scrolls. */
export function leaveBar(ids: ReadonlySet<string> = NONE): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")];
    const row = rows.find(({ dataset }) => !ids.has(dataset.row!));
    const target = row?.querySelector<HTMLElement>("input, a, button") ?? document.getElementById("content");
    target?.focus({ preventScroll: true });
  });
}

/** The box that selects a row. */
export const SelectRow = ({
  name,
  isSelected,
  onToggle,
}: {
  name: string;
  isSelected: boolean;
  onToggle: () => void;
}): ReactNode => {
  const { t } = useTranslation();
  return (
    <label className="-me-3 flex min-w-10 items-center justify-center self-stretch">
      <input
        type="checkbox"
        checked={isSelected}
        aria-label={t("inbox.select", { name })}
        onChange={onToggle}
        className="size-4 accent-accent"
      />
    </label>
  );
};

/** What can be done with all selected rows: at the bottom of the screen, while the list goes on behind it. */
export function SelectionBar({
  title,
  ids,
  shown,
  error,
  onSelect,
  children,
}: {
  title: string;
  ids: ReadonlySet<string>;
  /** Those that are shown. */
  shown: readonly string[];
  error: unknown;
  onSelect: (ids: ReadonlySet<string>) => void;
  children: ReactNode;
}): ReactNode {
  const { t } = useTranslation();
  const isWhole = shown.every((id) => ids.has(id));
  return (
    <section
      aria-label={title}
      className="sticky bottom-3 z-10 mt-4 flex flex-col gap-2 rounded-lg border border-line bg-raised p-2 text-sm shadow-popup"
    >
      {error !== null && <Failed error={error} />}
      <div className="flex flex-wrap items-center gap-1.5">
        <IconButton
          label={t("contacts.many.clear")}
          onClick={() => {
            onSelect(NONE);
            leaveBar();
          }}
          className="size-7"
        >
          <X size={16} />
        </IconButton>
        <p role="status" className="min-w-24 flex-1 font-medium">
          {t("contacts.many.selected", { count: ids.size })}
        </p>
        {!isWhole && (
          <Button small look="quiet" className="text-accent!" onClick={() => onSelect(new Set([...ids, ...shown]))}>
            {t("contacts.many.all")}
          </Button>
        )}
        {children}
      </div>
    </section>
  );
}
