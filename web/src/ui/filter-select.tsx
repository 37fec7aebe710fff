import type { ReactNode } from "react";

/** One filter of a list: all, or one of the choices. */
export const FilterSelect = ({
  label,
  all,
  value,
  choices,
  onChoose,
}: {
  label: string;
  /** What it says while it filters nothing. */
  all: string;
  value: string | undefined;
  choices: readonly (readonly [value: string, name: string])[];
  onChoose: (value: string | undefined) => void;
}): ReactNode => (
  <select
    aria-label={label}
    value={value ?? ""}
    onChange={({ target }) => onChoose(target.value || undefined)}
    className="h-9 max-w-full min-w-0 rounded-md border border-edge bg-surface px-2"
  >
    <option value="">{all}</option>
    {choices.map(([one, name]) => (
      <option key={one} value={one}>
        {name}
      </option>
    ))}
  </select>
);
