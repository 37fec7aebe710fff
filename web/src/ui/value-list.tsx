import { BadgeCheck, Plus, X } from "lucide-react";
import { type ComponentProps, type ReactNode, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "./button.js";
import { Alert } from "./field.js";
import { FIRST_FIELD } from "./focus.js";

interface Props extends Pick<ComponentProps<"input">, "type" | "inputMode" | "maxLength"> {
  label: string;
  /** The label of one field, by its number. */
  nth: (n: number) => string;
  add: string;
  hint?: string;
  error?: string | undefined;
  values: string[];
  /** The values that the contact has proven. */
  verified?: ReadonlySet<string>;
  /** Finds the values that the error is about. If it finds none, all are marked. */
  looksRight?: (value: string) => boolean;
  onChange: (values: string[]) => void;
}

/** Several values of one kind, a field each. */
export function ValueList({
  label,
  nth,
  add,
  hint,
  error,
  values,
  verified,
  looksRight = () => true,
  onChange,
  ...input
}: Props): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const adder = useRef<HTMLButtonElement>(null);
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
  const isWrong = (value: string, at: number): boolean =>
    value !== "" && (!looksRight(value.trim()) || values.indexOf(value) < at);
  const noneWrong = !values.some(isWrong);
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 font-medium">{label}</legend>
      {values.map((value, at) => (
        <div key={at} className="flex items-center gap-1">
          <div className="relative min-w-0 flex-1">
            <input
              {...input}
              value={value}
              aria-label={nth(at + 1)}
              aria-invalid={error && (noneWrong || isWrong(value, at)) ? true : undefined}
              aria-describedby={described}
              {...(value === "" && FIRST_FIELD)}
              autoComplete="off"
              onChange={({ target }) => onChange(values.map((one, i) => (i === at ? target.value : one)))}
              className="h-9 w-full rounded-md border border-edge bg-surface px-3 pe-9 text-text aria-invalid:border-danger"
            />
            {verified?.has(value) && (
              <BadgeCheck
                size={16}
                role="img"
                aria-label={t("contacts.verified")}
                className="absolute inset-e-3 top-2.5 text-ok"
              />
            )}
          </div>
          <IconButton
            label={t("contacts.remove", { value: value || nth(at + 1) })}
            onClick={() => {
              onChange(values.filter((_, i) => i !== at));
              adder.current?.focus();
            }}
          >
            <X size={16} />
          </IconButton>
        </div>
      ))}
      <Button
        ref={adder}
        small
        look="quiet"
        className="-ms-2 self-start text-muted"
        onClick={() => onChange([...values, ""])}
      >
        <Plus size={14} aria-hidden="true" />
        {add}
      </Button>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && <Alert id={`${id}-error`}>{error}</Alert>}
    </fieldset>
  );
}
