import type { Contact } from "../../api/parley.js";

/** The attribute by which an integration tells where a contact lives, as a name of the IANA database such as `Europe/Paris`. */
const ATTRIBUTE = "timeZone";

/** What the contact's clock shows, such as "Tue 14:05". Undefined where nobody told their time zone. */
export function localTime(
  { attributes }: Pick<Contact, "attributes">,
  locale: string,
  now = new Date(),
): string | undefined {
  const timeZone = attributes[ATTRIBUTE];
  if (typeof timeZone !== "string" || timeZone === "") return undefined;
  try {
    return new Intl.DateTimeFormat(locale, {
      timeZone,
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
    }).format(now);
  } catch {
    // No such time zone.
    return undefined;
  }
}
