import { createRequire } from "node:module";

interface WindowsZones {
  supplemental: {
    windowsZones: { mapTimezones: { mapZone: { _other: string; _type: string; _territory: string } }[] };
  };
}
const require = createRequire(import.meta.url);
const { supplemental } = require("cldr-core/supplemental/windowsZones.json") as WindowsZones;

/** The IANA zones behind the names that Outlook and Exchange use, as Unicode's CLDR maps them for the whole world. */
export const WINDOWS_ZONES: ReadonlyMap<string, string> = new Map(
  supplemental.windowsZones.mapTimezones
    .filter(({ mapZone }) => mapZone._territory === "001")
    .map(({ mapZone }) => [mapZone._other, mapZone._type]),
);
