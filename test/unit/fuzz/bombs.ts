// Input that costs a parser far more than its size, by the way in that it takes. The tests send it to a live server, and
// the fuzzer begins with it.

const times = (text: string, count: number): string => text.repeat(count);
const each = (count: number, make: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => make(n)).join("");

/** A mail's text. `id` makes it a mail of its own. */
const mail =
  (body: string, { type = "text/plain", headers = "", from = "bomb@example.org" } = {}) =>
  (id: string): string =>
    `From: ${from}\r\nTo: support@example.com\r\nMessage-ID: <${id}@example.org>\r\nMIME-Version: 1.0\r\n${headers}Content-Type: ${type}\r\n\r\n${body}\r\n`;
const report = (part: string) =>
  mail(`--b\r\nContent-Type: message/delivery-status\r\n\r\n${part}\r\n--b--`, {
    type: "multipart/report; report-type=delivery-status; boundary=b",
  });
const encoded = "Content-Transfer-Encoding: quoted-printable\r\n";

export const MAILS: Record<string, (id: string) => string> = {
  "130 kB of newlines": mail(`${times("\n", 130_000)}x`),
  "a report with 130 kB of newlines": report(`${times("\n", 130_000)}x`),
  "a report with 54 kB of quoted lines": report(times(">\n", 27_000)),
  "a report with a field of 54 kB of spaces": report(`Action ${times(" ", 54_000)}x`),
  "54 kB of spaces, quoted-printable": mail(`${times(" ", 54_000)}x`, { headers: encoded }),
  "600 kB of spaces, quoted-printable": mail(`${times(" ", 600_000)}x`, { headers: encoded }),
  "100,000 addresses": mail("x", { headers: `Reply-To: ${times("a@b.de, ", 100_000)}\r\n` }),
  "54 kB of open groups": mail("x", { headers: `Reply-To: ${times("a:", 27_000)}\r\n` }),
  "a sender of 54 kB": mail("x", { from: times("a", 54_000) }),
  "References of 1 MB": mail("x", { headers: `References: ${times("<a@b> ", 170_000)}\r\n` }),
  "20,000 encoded words": mail("x", { headers: `Subject: ${times("=?utf-8?Q?a?= ", 20_000)}\r\n` }),
  "a subject of 54 kB of spaces": mail("x", { headers: `Subject: a${times(" ", 54_000)}b\r\n` }),
  "30,000 headers": mail("x", { headers: each(30_000, (n) => `X-${n}: a\r\n`) }),
  "10,000 attachments": mail(`${times("--b\r\nContent-Disposition: attachment\r\n\r\na\r\n", 10_000)}--b--`, {
    type: "multipart/mixed; boundary=b",
  }),
  "multiparts 3,000 deep": mail(
    each(3_000, (n) => `--b${n}\r\nContent-Type: multipart/mixed; boundary=b${n + 1}\r\n\r\n`),
    { type: "multipart/mixed; boundary=b0" },
  ),
  "HTML 60,000 deep": mail(`${times("<div>", 60_000)}x`, { type: "text/html" }),
  "20,000 nested lists": mail(`${times("<ul><li>", 20_000)}x`, { type: "text/html" }),
  "30,000 comments without an end": mail(times("<!--", 30_000), { type: "text/html" }),
  "10,000 attributions": mail(times("On 2025 a@b\n", 10_000)),
  "10,000 dates of attributions": mail(times("12.12.2025 a <a@b.de> wrote\n", 10_000)),
  "900 kB of lost letters": mail(times("\ufffd", 300_000)),
  "130 kB of quotation marks": mail(`${times(">", 130_000)}x`),
  "base64 of 130 kB of spaces": mail(`${times(" \n", 65_000)}x`, {
    headers: "Content-Transfer-Encoding: base64\r\n",
  }),
  "130 kB of UTF-7": mail(times("+", 130_000), { type: "text/plain; charset=utf-7" }),
};

const calendar = (content: string): string =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\n${content}END:VCALENDAR\r\n`;
const event = (uid: string, lines: string[]): string =>
  `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260101T000000Z\r\nDTEND:20260101T000100Z\r\n${lines.map((line) => `${line}\r\n`).join("")}END:VEVENT\r\n`;
const MINUTES = "RRULE:FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11;BYMINUTE=0,1,2,3,4,5,6,7";
const zone = (changes: number): string =>
  `BEGIN:VTIMEZONE\r\nTZID:X\r\n${each(changes, () => `BEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\n${MINUTES}\r\nEND:STANDARD\r\n`)}END:VTIMEZONE\r\n`;

/** `uid` makes it a series of its own. */
export const CALENDARS: Record<string, (uid: string) => string> = {
  "a rule for each minute": (uid) => calendar(event(uid, [MINUTES])),
  "eight rules for each minute": (uid) => calendar(event(uid, Array<string>(8).fill(MINUTES))),
  "eight events with a rule for each minute": (uid) => calendar(each(8, (n) => event(`${uid}-${n}`, [MINUTES]))),
  "500 hourly rules": (uid) => calendar(event(uid, Array<string>(500).fill("RRULE:FREQ=HOURLY"))),
  "90 rules without a time": (uid) =>
    calendar(event(uid, Array<string>(90).fill("RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"))),
  "5,000 events": (uid) => calendar(each(5_000, () => event(uid, []))),
  "3,000 exceptions": (uid) => calendar(each(3_000, () => event(uid, ["RECURRENCE-ID:20260101T000000Z"]))),
  "10,000 dates": (uid) => calendar(event(uid, Array<string>(10_000).fill("RDATE:20260101T000000Z"))),
  "a zone of 300 rules": (uid) =>
    calendar(zone(300) + event(uid, []).replace("DTSTART:20260101T000000Z", "DTSTART;TZID=X:20260101T000000")),
  "a line of a million characters": (uid) => calendar(event(uid, [`X-A:${times("a", 900_000)}`])),
  "100,000 parameters": (uid) => calendar(event(uid, [`X-A;${times("a=b;", 100_000)}:x`])),
  "calendars 30,000 deep": () => times("BEGIN:VCALENDAR\r\n", 30_000),
  "400,000 escapes": (uid) => calendar(event(uid, [`SUMMARY:${times("\\", 400_000)}`])),
};

/** Bodies of requests, close to the limit of 1 MB. */
export const BODIES: Record<string, string> = {
  "500,000 open lists": times("[", 500_000),
  "lists 250,000 deep": `${times("[", 250_000)}${times("]", 250_000)}`,
  "objects 150,000 deep": `${times('{"a":', 150_000)}1${times("}", 150_000)}`,
  "80,000 keys": `{${each(80_000, (n) => `${n ? "," : ""}"${n}":0`)}}`,
  "a key of 1 MB": `{"${times("a", 1_000_000)}":1}`,
  "a string of 1 MB of spaces": `{"body":"${times(" ", 1_000_000)}x"}`,
  "a string of 150,000 escapes": `{"body":"${times("\\u000a", 150_000)}"}`,
  "a number of 1 MB": `{"body":${times("1", 1_000_000)}}`,
  "1 MB of white space": `${times(" ", 1_000_000)}{}`,
  "100,000 forbidden names": `{${each(60_000, (n) => `${n ? "," : ""}"__proto_":0`)}}`,
  "an email of 1 MB": `{"email":"${times("a.", 250_000)}@${times("b.", 250_000)}","message":"x"}`,
};
