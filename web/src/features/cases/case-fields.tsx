import type { ReactNode } from "react";
import { Field, Select } from "../../ui/field.js";
import { useTranslation } from "react-i18next";
import type { CaseType } from "./queries.js";

const nameOf = (key: string): string => `field-${key}`;

/** The value of a field by what was typed. An empty one is null: there is no value. */
export function valueOf(type: CaseType["fields"][number]["type"], typed: string): unknown {
  const text = typed.trim();
  if (text === "") return null;
  return type === "number" ? Number(text) : type === "boolean" ? text === "true" : text;
}

/** The values of a form's fields. */
export const valuesOf = ({ fields }: CaseType, form: FormData): Record<string, unknown> =>
  Object.fromEntries(
    fields.map(({ key, type }) => [key, valueOf(type, (form.get(nameOf(key)) as string | null) ?? "")]),
  );

/** A value as a form shows it. */
export const shown = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);

/**
 * The fields that cases of a type have.
 * @param typed their texts, if the form keeps them. Otherwise they begin empty, and are read from the form.
 */
export function CaseFields({
  type,
  typed,
  onType,
}: {
  type: CaseType;
  typed?: Record<string, string>;
  onType?: (key: string, text: string) => void;
}): ReactNode {
  const { t } = useTranslation();
  return type.fields.map(({ key, label, type: kind, options, required }) => {
    const common = {
      label,
      name: nameOf(key),
      required,
      ...(onType && {
        value: typed?.[key] ?? "",
        onChange: ({ target }: { target: { value: string } }) => onType(key, target.value),
      }),
    };
    if (kind === "select" || kind === "boolean")
      return (
        <Select key={key} {...common}>
          <option value="">{t("common.none")}</option>
          {kind === "boolean"
            ? [true, false].map((one) => (
                <option key={String(one)} value={String(one)}>
                  {t(one ? "cases.yes" : "cases.no")}
                </option>
              ))
            : options?.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
        </Select>
      );
    return (
      <Field
        key={key}
        {...common}
        type={kind}
        {...(kind === "number" && { step: "any" })}
        autoComplete="off"
        dir={kind === "text" ? "auto" : undefined}
      />
    );
  });
}
