import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { UserPlus, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useDeferredValue, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { displayNameOf } from "../../api/contacts.js";
import type { Contact } from "../../api/parley.js";
import { Avatar } from "../../ui/avatar.js";
import { Option } from "../../ui/option.js";
import { contactsQuery } from "../contacts/queries.js";
import { LABEL, personAt } from "./addresses.js";
import type { To } from "./draft.js";

const FEW = 6;

interface Choice {
  id: string;
  to: To;
  /** What tells it from others of that name. */
  rest: string;
}

export const toOf = (contact: Contact): To => ({
  id: contact.id,
  name: displayNameOf(contact),
  emails: contact.emails.map(({ value }) => value),
  phones: contact.phones.map(({ value }) => value),
});

interface Props {
  to: To | undefined;
  onChange: (to: To | undefined) => void;
  field: RefObject<HTMLInputElement | null>;
  className: string;
}

/** Whom it is written to: a contact that a search finds, or an address that nobody has yet. */
export function ToField({ to, onChange, field, className }: Props): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const [isLeft, setLeft] = useState(false);
  const wanted = useDeferredValue(text.trim());
  const { choices, isFound } = useChoices(wanted);
  const isOpen = to === undefined && text.trim() !== "" && !isLeft;
  const active = choices[Math.min(at, choices.length - 1)];

  const choose = (choice: Choice | undefined): void => {
    if (!choice) return;
    setText("");
    setAt(0);
    onChange(choice.to);
  };
  const steer = (event: KeyboardEvent): void => {
    const { key } = event;
    if (event.nativeEvent.isComposing || event.metaKey || event.ctrlKey) return;
    if (key === "Backspace" && to) onChange(undefined);
    else if (!isOpen) return;
    else if (key === "ArrowDown") setAt((at + 1) % Math.max(choices.length, 1));
    else if (key === "ArrowUp") setAt((at - 1 + choices.length) % Math.max(choices.length, 1));
    else if (key === "Enter") choose(active);
    else if (key === "Tab" && !event.shiftKey && active) choose(active);
    else if (key === "Escape") setText("");
    else return;
    event.preventDefault();
    // Escape closes the list, and not the window.
    event.stopPropagation();
  };
  return (
    <div className={`relative ${className}`}>
      <label htmlFor={id} className={LABEL}>
        {t("compose.to")}
      </label>
      {to && (
        <span className="flex min-w-0 items-center gap-1.5 rounded-md bg-hover ps-1.5">
          <Avatar id={to.id ?? to.name} name={to.name} size="sm" />
          <bdi className="truncate">{to.name}</bdi>
          <button
            type="button"
            aria-label={t("compose.change", { name: to.name })}
            className="flex size-7 shrink-0 items-center justify-center rounded-md text-muted hover:text-text"
            onClick={() => {
              onChange(undefined);
              field.current?.focus();
            }}
          >
            <X size={14} aria-hidden="true" />
          </button>
        </span>
      )}
      <input
        ref={field}
        id={id}
        role="combobox"
        aria-expanded={isOpen}
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={isOpen && active ? `${id}-${active.id}` : undefined}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={200}
        value={text}
        readOnly={to !== undefined}
        placeholder={to ? "" : t("compose.toHint")}
        className="h-9 min-w-12 flex-1 bg-transparent outline-none placeholder:text-muted"
        onChange={({ target }) => {
          setText(target.value);
          setAt(0);
          setLeft(false);
        }}
        onBlur={() => setLeft(true)}
        onKeyDown={steer}
      />
      {isOpen && (
        <div className="absolute inset-x-2 top-full z-10 mt-1 rounded-lg border border-line bg-raised shadow-popup">
          <div
            id={`${id}-list`}
            role="listbox"
            aria-label={t("compose.found")}
            className="max-h-72 overflow-y-auto py-1 empty:hidden"
          >
            {choices.map((choice, i) => (
              <Option
                key={choice.id}
                id={`${id}-${choice.id}`}
                isActive={choice === active}
                onPoint={() => setAt(i)}
                onPick={() => choose(choice)}
                className="cursor-pointer gap-2.5"
              >
                {choice.to.id === undefined ? (
                  <span className="flex size-6 items-center justify-center text-muted">
                    <UserPlus size={16} aria-hidden="true" />
                  </span>
                ) : (
                  <Avatar id={choice.id} name={choice.to.name} size="sm" />
                )}
                <span className="min-w-0 flex-1">
                  <bdi className="block truncate">
                    {choice.to.id === undefined ? t("compose.newAddress", { address: choice.to.name }) : choice.to.name}
                  </bdi>
                  <span dir="auto" className="block truncate text-xs text-muted empty:hidden">
                    {choice.rest}
                  </span>
                </span>
              </Option>
            ))}
          </div>
          <p role="status" className={choices.length > 0 || !isFound ? "sr-only" : "px-3 py-2 text-muted"}>
            {choices.length === 0 && isFound && t("compose.nobody")}
          </p>
        </div>
      )}
    </div>
  );
}

/** Who fits what was typed. */
function useChoices(wanted: string): { choices: Choice[]; isFound: boolean } {
  const { t } = useTranslation();
  const { data } = useInfiniteQuery({
    ...contactsQuery(wanted, FEW),
    enabled: wanted !== "",
    placeholderData: keepPreviousData,
  });
  const contacts = data?.pages[0]?.data.slice(0, FEW) ?? [];
  const found = contacts.map((contact): Choice => {
    const to = toOf(contact);
    return { id: contact.id, to, rest: [...to.emails, ...to.phones].filter((one) => one !== to.name).join(" · ") };
  });
  const typed = personAt(wanted);
  const isKnown = found.some(({ to }) => [...to.emails, ...to.phones].includes(typed?.name.toLowerCase() ?? ""));
  const made: Choice[] = typed && !isKnown ? [{ id: "new", to: typed, rest: t("compose.newContact") }] : [];
  return { choices: wanted === "" ? [] : [...found, ...made], isFound: data !== undefined };
}
