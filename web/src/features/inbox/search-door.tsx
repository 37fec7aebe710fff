import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { type ReactNode, Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { withTexts } from "../../i18n/i18n.js";
import { useKeys } from "../../keyboard/keys.js";

const SearchHint = withTexts(() => import("./search-hint.js"));

/** The way to the search, above the list. `/` goes there, and Enter searches everything. */
export function SearchDoor(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isTyping, setTyping] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const search = (text: string): void => void navigate({ to: "/search", search: { q: text.trim() || undefined } });
  useKeys({
    search: () => {
      // On a phone, the thread covers it.
      if (field.current?.checkVisibility()) field.current.focus();
      else search("");
    },
  });
  return (
    <search className="group relative block px-2 pb-2">
      <Search size={14} aria-hidden="true" className="absolute inset-s-4.5 top-2 text-muted" />
      <input
        ref={field}
        role="searchbox"
        aria-label={t("shell.search")}
        aria-keyshortcuts="/"
        placeholder={t("shell.search")}
        maxLength={200}
        autoComplete="off"
        enterKeyHint="search"
        onChange={({ target }) => setTyping(target.value !== "")}
        onKeyDown={({ key, currentTarget, nativeEvent }) => {
          if (key === "Enter" && !nativeEvent.isComposing) search(currentTarget.value);
        }}
        className="h-7.5 w-full rounded-md bg-hover ps-8 pe-8 text-sm placeholder:text-muted"
      />
      <kbd
        aria-hidden="true"
        className="pointer-events-none absolute inset-e-4 top-1.5 font-mono text-xs leading-5 text-muted group-focus-within:hidden pointer-coarse:hidden"
      >
        /
      </kbd>
      <Suspense>{isTyping && <SearchHint />}</Suspense>
    </search>
  );
}
