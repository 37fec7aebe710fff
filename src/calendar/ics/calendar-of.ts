import ICAL from "ical.js";

/** A day of which the line does not say that it is one. RFC 5545 wants it to, and many programs do not. */
const BARE_DAY =
  /^((?:DTSTART|DTEND|DUE|RECURRENCE-ID|EXDATE|RDATE)(?:;[^:\r\n]{0,200})?):(?=\d{8}(?:,\d{8}){0,1000}\s*$)/gim;

/** @throws Error: it is no calendar */
export const calendarOf = (ics: string): ICAL.Component =>
  new ICAL.Component(
    ICAL.parse(
      ics.replace(BARE_DAY, (line, name: string) => (/;VALUE=/i.test(name) ? line : `${name};VALUE=DATE:`)),
    ) as unknown[],
  );
