import { Search, X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useKeys } from "../keyboard/keys.js";
import { IconButton } from "./button.js";
import { useFirstFocus } from "./focus.js";

/** A search starts when nothing was typed for this long. */
const PAUSE_MS = 250;

interface Props {
  label: string;
  placeholder: string;
  /** What is searched for now. */
  value: string;
  onSearch: (text: string) => void;
  /** After Enter, for example to go to the first result. */
  onEnter?: () => void;
  autoFocus?: boolean;
}

/** A field that searches while you type. `/` goes to it, Enter to what was found, and Escape leaves it with its text. */
export function SearchField({ label, placeholder, value, onSearch, onEnter, autoFocus }: Props): ReactNode {
  const { t } = useTranslation();
  const input = useFirstFocus<HTMLInputElement>(autoFocus ?? false);
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useKeys({
    search: () => {
      input.current?.focus();
      input.current?.select();
    },
  });
  /** What this field searched for, the last one at the end. */
  const asked = useRef([value]);
  // A link or the command palette changes what is searched for, too. What comes back from the field itself may be older than its text.
  useEffect(() => {
    const place = asked.current.indexOf(value);
    asked.current = place < 0 ? [value] : asked.current.slice(place);
    if (place >= 0) return;
    clearTimeout(timer.current);
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const search = (wanted: string): void => {
    clearTimeout(timer.current);
    if (wanted.trim() === value) return;
    asked.current.push(wanted.trim());
    onSearch(wanted.trim());
  };
  return (
    <search className="relative block">
      <Search size={16} aria-hidden="true" className="absolute inset-s-3 top-2.5 text-muted" />
      <input
        ref={input}
        role="searchbox"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        maxLength={200}
        autoComplete="off"
        enterKeyHint="search"
        onChange={({ target }) => {
          setText(target.value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => search(target.value), PAUSE_MS);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          // Otherwise the same Enter presses the button that gets the focus.
          event.preventDefault();
          search(text);
          onEnter?.();
        }}
        className="h-9 w-full rounded-md border border-edge bg-surface ps-9 pe-9 text-text placeholder:text-muted"
      />
      {text !== "" && (
        <IconButton
          label={t("list.clear")}
          className="absolute inset-e-0.5 top-0.5"
          onClick={() => {
            setText("");
            search("");
            input.current?.focus();
          }}
        >
          <X size={16} />
        </IconButton>
      )}
    </search>
  );
}
