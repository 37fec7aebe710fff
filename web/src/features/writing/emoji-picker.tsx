import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { findEmoji } from "./emoji.js";

const COLUMNS = 8;
const MOVES: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: COLUMNS, ArrowUp: -COLUMNS };

/** A few emoji that one writes to customers. Typing finds one by its name; arrows move, Enter takes it. */
export default function EmojiPicker({
  onPick,
  onClose,
}: {
  onPick: (character: string) => void;
  /** @param isBack whether the member goes on writing */
  onClose: (isBack: boolean) => void;
}): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  useEffect(() => field.current?.focus(), []);
  const found = findEmoji(text);
  const active = found[Math.min(at, found.length - 1)];
  const steer = (event: KeyboardEvent): void => {
    const { key } = event;
    const by = MOVES[key];
    if (by !== undefined) setAt(Math.min(Math.max(at + by, 0), Math.max(found.length - 1, 0)));
    else if (key === "Enter" && !event.nativeEvent.isComposing) {
      if (active) onPick(active[0]);
    } else if (key === "Escape") onClose(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      role="presentation"
      className="absolute inset-s-2 bottom-full z-20 mb-1 w-72 max-w-[calc(100%-1rem)] rounded-lg border border-line bg-raised shadow-popup"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) onClose(false);
      }}
    >
      <input
        ref={field}
        role="combobox"
        aria-label={t("writing.findEmoji")}
        aria-expanded
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={active && `${id}-${active[0]}`}
        placeholder={t("writing.findEmoji")}
        value={text}
        maxLength={40}
        autoComplete="off"
        onChange={({ target }) => {
          setText(target.value);
          setAt(0);
        }}
        onKeyDown={steer}
        className="h-9 w-full rounded-t-lg border-b border-line bg-transparent px-3 outline-none placeholder:text-muted"
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={t("writing.emoji")}
        className="grid max-h-52 grid-cols-8 overflow-y-auto p-1.5 empty:hidden"
      >
        {found.map(([character, name], i) => (
          <div
            key={character}
            id={`${id}-${character}`}
            role="option"
            tabIndex={-1}
            aria-label={name}
            aria-selected={i === at}
            title={name}
            onMouseDown={(event) => event.preventDefault()}
            onPointerMove={() => setAt(i)}
            onClick={() => onPick(character)}
            onKeyDown={({ key }) => key === "Enter" && onPick(character)}
            className={`flex h-8 cursor-pointer items-center justify-center rounded-md text-lg ${i === at ? "bg-selected" : ""}`}
          >
            {character}
          </div>
        ))}
      </div>
      <p role="status" className={found.length === 0 ? "px-3 py-2 text-sm text-muted" : "sr-only"}>
        {found.length === 0 && t("writing.noEmoji")}
      </p>
    </div>
  );
}
