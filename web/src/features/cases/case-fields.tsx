import type { ReactNode } from "react";
import { Field, Select } from "../../ui/field.js";
import { useTranslation } from "react-i18next";
import type { CaseType } from "./queries.js";

const nameOf = (key: string): string => `field-${key}`;

/** The values of a form's fields. An empty one is null: there is no value. */
export const valuesOf = ({ fields }: CaseType, form: FormData): Record<string, unknown> =>
  Object.fromEntries(
    fields.map(({ key, type }) => {
      const text = ((form.get(nameOf(key)) as string | null) ?? "").trim();
      if (text === "") return [key, null];
      return [key, type === "number" ? Number(text) : type === "boolean" ? text === "true" : text];
    }),
  );

const shown = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);

/** The fields that cases of a type have. */
export function CaseFields({ type, values }: { type: CaseType; values: Record<string, unknown> }): ReactNode {
  const { t } = useTranslation();
  return type.fields.map(({ key, label, type: kind, options, required }) => {
    const common = { label, name: nameOf(key), defaultValue: shown(values[key]), required };
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
