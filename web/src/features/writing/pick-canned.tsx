import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../ui/dialog.js";
import { Option } from "../../ui/option.js";
import { plain } from "../../ui/plain.js";
import { byWords, type Canned, cannedQuery } from "./canned.js";

/** The team's canned replies, found by their title, shortcut or text. */
export default function PickCanned({
  workspaceId,
  onPick,
  onClose,
}: {
  workspaceId: string;
  onPick: (id: string) => void;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const { data = [] } = useQuery(cannedQuery(workspaceId));
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  // The dialog would do it a frame later, and the first letter would be lost.
  useEffect(() => field.current?.focus(), []);
  const found = byWords(data, text);
  const active = found[Math.min(at, found.length - 1)];
  const optionId = (one: Canned): string => `${id}-${one.id}`;
  const activeId = active && optionId(active);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);
  const steer = (event: KeyboardEvent): void => {
    const { key } = event;
    if (key === "ArrowDown") setAt((at + 1) % Math.max(found.length, 1));
    else if (key === "ArrowUp") setAt((at - 1 + found.length) % Math.max(found.length, 1));
    else if (key === "Enter" && !event.nativeEvent.isComposing) {
      if (active) onPick(active.id);
    } else return;
    event.preventDefault();
  };
  return (
    <Dialog open bare wide onClose={onClose} title={t("writing.canned")}>
      <input
        ref={field}
        role="combobox"
        aria-label={t("writing.findCanned")}
        aria-expanded
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={activeId}
        placeholder={t("writing.findCanned")}
        value={text}
        maxLength={200}
        autoComplete="off"
        onChange={({ target }) => {
          setText(target.value);
          setAt(0);
        }}
        onKeyDown={steer}
        className="h-12 w-full shrink-0 rounded-t-lg border-b border-line bg-transparent px-4 text-lg outline-none placeholder:text-muted"
      />
      <p role="status" className={found.length === 0 ? "px-5 py-4 text-muted" : "sr-only"}>
        {found.length === 0 && (data.length === 0 ? t("writing.noneYet") : t("writing.noCanned", { text }))}
      </p>
      {found.length === 0 && (
        <Link
          to="/settings/canned-replies"
          onClick={onClose}
          className="self-start px-5 pb-4 text-accent hover:underline"
        >
          {t("writing.writeOne")}
        </Link>
      )}
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={t("writing.canned")}
        className="max-h-96 min-h-0 overflow-y-auto p-2 empty:hidden"
      >
        {found.map((one, i) => (
          <Option
            key={one.id}
            id={optionId(one)}
            isActive={one === active}
            onPoint={() => setAt(i)}
            onPick={() => onPick(one.id)}
            className="cursor-pointer rounded-md"
          >
            <span className="min-w-0 flex-1">
              <span className="flex items-baseline gap-2">
                <bdi className="truncate font-medium">{one.title}</bdi>
                <span className="ms-auto shrink-0 font-mono text-xs text-muted">/{one.shortcut}</span>
              </span>
              <span dir="auto" className="block truncate text-sm text-muted">
                {plain(one.body)}
              </span>
            </span>
          </Option>
        ))}
      </div>
    </Dialog>
  );
}
