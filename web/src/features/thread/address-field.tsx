import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type Ref, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { addressesIn, areWhole, isAddress } from "../../ui/address.js";

interface Props {
  label: string;
  addresses: readonly string[];
  onChange: (addresses: string[]) => void;
  /** What an address is shown as. */
  nameOf?: (address: string) => string | undefined;
  field?: Ref<HTMLInputElement>;
  disabled?: boolean;
}

/**
 * A list of addresses on one line. Enter, a comma behind an address, or leaving the field takes what is typed, and Backspace in
 * the empty field takes the last address out.
 */
export function AddressField({ label, addresses, onChange, nameOf, field, disabled = false }: Props): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState("");
  const take = (typed: string): void => {
    setText("");
    const added = addressesIn(typed).filter(
      (address, i, all) => !addresses.includes(address) && all.indexOf(address) === i,
    );
    if (added.length) onChange([...addresses, ...added]);
  };
  const press = (event: KeyboardEvent): void => {
    const isEnd = event.key === "Enter" || (event.key === " " && isAddress(text));
    if (isEnd && !event.metaKey && !event.ctrlKey) {
      event.preventDefault();
      take(text);
    } else if (event.key === "Backspace" && text === "" && addresses.length) onChange(addresses.slice(0, -1));
  };
  return (
    <div className="flex min-w-0 items-start gap-2 text-sm">
      <label htmlFor={id} className="w-14 shrink-0 py-1 text-muted">
        {label}
      </label>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1">
        {addresses.map((address) => (
          <span
            key={address}
            title={address}
            className={`flex max-w-full items-center rounded-md ps-2 ${isAddress(address) ? "bg-hover" : "bg-danger-soft text-danger"}`}
          >
            <bdi className="truncate">{nameOf?.(address) ?? address}</bdi>
            <button
              type="button"
              disabled={disabled}
              aria-label={t("people.remove", { name: address })}
              className="flex size-6 shrink-0 items-center justify-center rounded-md text-muted hover:text-text"
              onClick={() => onChange(addresses.filter((one) => one !== address))}
            >
              <X size={12} aria-hidden="true" />
            </button>
          </span>
        ))}
        <input
          ref={field}
          id={id}
          type="text"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          disabled={disabled}
          value={text}
          className="h-7 min-w-12 flex-1 bg-transparent outline-none"
          onChange={({ target: { value } }) => (areWhole(value) ? take(value) : setText(value))}
          onKeyDown={press}
          onBlur={() => take(text)}
        />
      </div>
    </div>
  );
}
