/** Names of fields with what is wrong with them. */
export type Problems = Record<string, string | undefined>;

export const textOf = (form: FormData, name: string): string => ((form.get(name) as string | null) ?? "").trim();
export const listOf = (text: string, separator: string): string[] => [
  ...new Set(
    text
      .split(separator)
      .map((part) => part.trim())
      .filter(Boolean),
  ),
];

/** A JSON object, or nothing. */
export function readJson(text: string, onFault: () => void): Record<string, never> | undefined {
  if (!text) return undefined;
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, never>;
  } catch {
    // Said below.
  }
  onFault();
  return undefined;
}
