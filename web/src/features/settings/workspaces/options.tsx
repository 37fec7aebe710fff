import type { ReactNode } from "react";
import { languages } from "../../contacts/language.js";

export const LanguageOptions = ({ current, offered }: { current: string | null; offered?: string }): ReactNode =>
  languages(current, offered).map(({ code, name }) => (
    <option key={code} value={code}>
      {name}
    </option>
  ));

/** The time zones that the browser knows, by their IANA names. */
export const TimeZoneOptions = ({ current }: { current: string }): ReactNode =>
  [...new Set(["UTC", current, ...Intl.supportedValuesOf("timeZone")])].map((zone) => (
    <option key={zone} value={zone}>
      {zone.replaceAll("_", " ")}
    </option>
  ));
