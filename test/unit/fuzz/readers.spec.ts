import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import naughty from "big-list-of-naughty-strings" with { type: "json" };
import fc from "fast-check";
import { BadRequestException } from "@nestjs/common";
import { describe, expect, test, vi } from "vitest";
import { readEvent } from "../../../src/calendar/ics/booking-event.js";
import { bookingIn } from "../../../src/calendar/ics/booking-uid.js";
import { busyTimes } from "../../../src/calendar/ics/busy-times.js";
import { ianaZone } from "../../../src/calendar/ics/time-zones.js";
import { readMultistatus } from "../../../src/calendar/providers/caldav/multistatus.js";
import { parseMail } from "../../../src/channels/email/parse-mail.js";
import { type ParsedMessage, unreadable } from "../../../src/channels/email/parsed-message.js";
import { withoutQuotedText } from "../../../src/channels/email/quoted-text.js";
import { detectSpam, textFingerprint } from "../../../src/channels/widgets/spam-detection.js";
import { MAX_ATTACHMENTS, MAX_BODY } from "../../../src/conversations/message-limits.js";
import { checkText, decode, parseObject } from "../../../src/platform/http/body-reader.js";
import { leastCost } from "../../support/cost.js";
import { runs } from "../../support/seed.js";
import quotedMails from "../channels/quoted-mails.json" with { type: "json" };
import { BODIES, CALENDARS, MAILS } from "./bombs.js";
import { mutated } from "./mutated.js";

// Feeds the readers of what strangers send with variations of what is known to be difficult. With FUZZ_SECONDS it goes on for
// that long with each reader; without, it reads the corpus, and a few variations. What a reader cannot stand is written into
// `corpus/<reader>/`, where it stays: so each run reads it again.

const SECONDS = Number(process.env.FUZZ_SECONDS ?? 0);
vi.setConfig({ testTimeout: (SECONDS + 120) * 1_000 });

const CORPUS = fileURLToPath(new URL("corpus/", import.meta.url));
const kept = (reader: string): string[] =>
  fs
    .readdirSync(path.join(CORPUS, reader))
    .filter((name) => name.endsWith(".bin"))
    .map((name) => fs.readFileSync(path.join(CORPUS, reader, name), "latin1"));
const latin1 = (text: string): string => Buffer.from(text).toString("latin1");
/** Those that are short enough to be varied. */
const short = (texts: string[]): string[] => texts.filter((text) => text.length <= 20_000);

interface Reader {
  seeds: string[];
  words: string[];
  /** @throws Error: what it was given does harm */
  read(text: string): unknown;
}

/** For code that is to take linear time. */
function inLinearTime(length: number, work: () => unknown): void {
  const most = 100 + length / 1_000;
  const took = leastCost(work, most);
  if (took >= most) throw new Error(`${length} characters took ${Math.round(took)} ms`);
}

/** For what runs in a worker, which would be stopped. Processor time, as the machine may be busy. */
async function inTime<T>(maxMs: number, work: () => T | Promise<T>): Promise<T> {
  const took: number[] = [];
  for (let attempt = 0; attempt < 2; attempt++) {
    const began = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(began);
    took.push((user + system) / 1_000);
    if (took.at(-1)! < maxMs) return result;
  }
  throw new Error(`took ${took.map(Math.round).join(", ")} ms`);
}

const AT = new Date("2026-05-01T12:00:00Z");
function assertStorable(message: ParsedMessage): void {
  const { externalId, from, subject, body, answers, files, missing, occurredAt, report } = message;
  const texts = [
    externalId,
    from.address,
    from.name,
    subject,
    body,
    ...answers,
    ...missing,
    ...(report?.failed.flatMap(({ address, reason, said }) => [address, reason, said]) ?? []),
  ];
  for (const text of [...texts, ...files.flatMap(({ name, type }) => [name, type])])
    if (text != null) expect(text.isWellFormed() && !text.includes("\0")).toBe(true);
  expect([...body].length).toBeLessThanOrEqual(MAX_BODY);
  expect(files.length).toBeLessThanOrEqual(MAX_ATTACHMENTS);
  expect(externalId.length).toBeGreaterThan(0);
  expect(externalId.length).toBeLessThanOrEqual(255);
  expect(from.address).toMatch(/^\S+@\S+$/);
  expect(from.address.length).toBeLessThanOrEqual(254);
  expect((subject ?? "").length).toBeLessThanOrEqual(500);
  expect(answers.length).toBeLessThanOrEqual(100);
  expect(JSON.stringify(missing).length).toBeLessThan(10_000);
  expect(JSON.stringify(report ?? "").length).toBeLessThan(50_000);
  expect(new Date(occurredAt).getTime()).toBeLessThanOrEqual(AT.getTime());
}

const BERLIN = ianaZone("Europe/Berlin")!;
const WINDOW = { from: new Date("2026-05-01"), to: new Date("2026-08-07") };
const DAY =
  "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTIMEZONE\r\nTZID:Custom\r\nBEGIN:DAYLIGHT\r\nDTSTART:20200329T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\nEND:DAYLIGHT\r\nBEGIN:STANDARD\r\nDTSTART:20201025T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:0195c0de-0000-7000-8000-000000000001@parley\r\nDTSTART;TZID=Custom:20260504T090000\r\nDURATION:PT1H\r\nRRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=20\r\nEXDATE;TZID=Custom:20260511T090000\r\nRDATE;TZID=Custom:20260512T090000\r\nSUMMARY:A\\, b\r\n c\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:0195c0de-0000-7000-8000-000000000001@parley\r\nRECURRENCE-ID;TZID=Custom:20260506T090000\r\nDTSTART;VALUE=DATE:20260506\r\nSTATUS:CANCELLED\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
const XML = `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response><d:href>/a/b.ics</d:href><d:propstat><d:prop><d:getetag>"1"</d:getetag><c:calendar-data><![CDATA[${DAY}]]></c:calendar-data></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response><d:sync-token>t</d:sync-token></d:multistatus>`;

const REPLY = quotedMails.shortened.map(
  ({ text }) =>
    `From: Ada <ada@example.org>\r\nReply-To: "B, C" <b@example.org>\r\nSubject: =?utf-8?B?R3LDvMOfZQ==?=\r\nDate: Fri, 1 May 2026 10:00:00 +0200\r\nMessage-ID: <a@example.org>\r\nReferences: <0195c0de-0000-7000-8000-000000000001@parley>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${latin1(text)}`,
);
const PARTS =
  "From: a@example.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"b\"\r\n\r\n--b\r\nContent-Type: multipart/alternative; boundary=c\r\n\r\n--c\r\nContent-Type: text/plain; format=flowed\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGr=C3=BC=C3=9Fe=20\r\nx\r\n--c\r\nContent-Type: text/html; charset=iso-8859-1\r\nContent-Transfer-Encoding: base64\r\n\r\nPHA+SGVsbG88L3A+\r\n--c--\r\n--b\r\nContent-Type: application/pdf; name*0*=utf-8''%C3%BC; name*1=.pdf\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERg==\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: inner\r\n\r\nx\r\n--b--\r\n";
const REPORT =
  "From: MAILER-DAEMON@example.org\r\nReturn-Path: <>\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n\r\nFailed\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; a\r\n\r\nFinal-Recipient: rfc822; ada@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550\r\n no such user\r\n--b\r\nContent-Type: message/rfc822-headers\r\n\r\nMessage-ID: <0195c0de-0000-7000-8000-000000000001@parley>\r\n--b--\r\n";

const READERS: Record<string, Reader> = {
  mail: {
    seeds: [...REPLY, PARTS, REPORT, ...short(Object.values(MAILS).map((make) => make("a")))],
    words: [
      ...[
        "\r\n",
        "\n\n",
        " ",
        "\t",
        "\0",
        "\u00ff",
        ">",
        "--b",
        "--b--",
        "boundary=b",
        "charset=",
        "utf-7",
        "=?",
        "?=",
        "<",
        "(",
        '"',
        "@",
        ":",
        ";",
        ",",
      ],
      ...[
        "Content-Type: ",
        "multipart/mixed; ",
        "text/html",
        "message/rfc822",
        "message/delivery-status",
        "format=flowed",
      ],
      ...[
        "Content-Transfer-Encoding: base64",
        "Content-Disposition: attachment; filename=",
        "Content-Type: ;\r\n",
        "quoted-printable",
        "=\r\n",
        "=3D",
        "<div>",
        "<table><tr><td>",
        "<!--",
        "&#x1F600;",
      ],
      ...["On 1 May 2026, a@b wrote:", "From: ", "Sent: ", "Subject: ", "-- \n", "----- Original Message -----"],
      ...naughty.map(latin1),
    ],
    read: async (text) => {
      const mail = { at: AT, source: Buffer.from(text, "latin1"), size: text.length };
      assertStorable(await inTime(10_000, () => parseMail(mail, "support@example.com")));
      assertStorable(await unreadable(mail, "support@example.com"));
      inLinearTime(text.length, () => withoutQuotedText(text));
      inLinearTime(text.length, () => detectSpam({ message: text, age: 5_000, repeated: false, flood: false }));
      inLinearTime(text.length, () => textFingerprint(text));
    },
  },
  ics: {
    seeds: [DAY, XML, ...short(Object.values(CALENDARS).map((make) => make("a")))],
    words: [
      ...[
        "\r\n",
        "\r\n ",
        "BEGIN:VEVENT\r\n",
        "END:VEVENT\r\n",
        "BEGIN:VCALENDAR\r\n",
        "END:VCALENDAR\r\n",
        ":",
        ";",
        ",",
        "=",
        "\\",
      ],
      ...[
        "RRULE:FREQ=DAILY",
        "FREQ=HOURLY",
        "FREQ=YEARLY;",
        "BYHOUR=0,1,2,3;",
        "BYDAY=-1SU",
        "BYSETPOS=-1",
        "INTERVAL=",
        "COUNT=9",
        "UNTIL=",
      ],
      ...[
        "19000101T000000",
        "99991231T235959Z",
        ";VALUE=DATE",
        ";TZID=Custom",
        "RDATE:",
        "EXDATE:",
        "RECURRENCE-ID:",
        "P1000W",
        "PT-1H",
      ],
      ...["<d:response>", "</d:prop>", "<![CDATA[", "]]>", "&#0;", "&amp;", "<!DOCTYPE a [<!ENTITY b 'c'>]>"],
      ...naughty.map(latin1),
    ],
    read: async (text) => {
      const attempt = (work: () => unknown) => async (): Promise<void> => {
        try {
          await work();
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      };
      await inTime(
        10_000,
        attempt(() => busyTimes(text, BERLIN, WINDOW)),
      );
      await inTime(
        10_000,
        attempt(() => readEvent(text, BERLIN)),
      );
      await inTime(
        10_000,
        attempt(() => readMultistatus({ text, type: "application/xml", url: "https://example.org/" })),
      );
      inLinearTime(text.length, () => bookingIn(text));
    },
  },
  body: {
    seeds: [
      '{"body":"Hello","metadata":{"a":[1,2.5e3,null,true],"b":"\\u00e9\\ud83d\\ude00"},"labels":["x"]}',
      '{"name":"Ada","email":"ada@example.org","message":"See https://example.org/a and www.example.org."}',
      ...short(Object.values(BODIES)),
    ],
    words: [
      ...[
        "{",
        "}",
        "[",
        "]",
        '"',
        ":",
        ",",
        "\\",
        "\\u0000",
        "\\ud800",
        "-",
        "1e999",
        "null",
        "true",
        '"__proto__":',
        '"constructor":{"prototype":1}',
      ],
      ...["\0", "\u00ef\u00bb\u00bf", "\u00ff", ...naughty.map(latin1)],
    ],
    read: (text) =>
      inLinearTime(text.length, () => {
        try {
          const body = parseObject(decode(Buffer.from(text, "latin1"), "body"), "body");
          checkText(body, "body");
          expect(Object.hasOwn(body, "__proto__")).toBe(false);
          // Neither NUL nor half of a surrogate pair, behind an even number of backslashes.
          expect(JSON.stringify(body)).not.toMatch(/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/);
        } catch (error) {
          if (!(error instanceof BadRequestException)) throw error;
          expect(error.message.length).toBeLessThan(2 * text.length + 1_000);
        }
      }),
  },
};

describe.each(Object.entries(READERS))("the %s reader", (name, { seeds, words, read }) => {
  test("stands the corpus", async () => {
    for (const text of [...kept(name), ...short(seeds)]) await read(text);
  });

  test(`stands variations of it${SECONDS ? ` for ${SECONDS} s` : ""}`, async () => {
    let last = "";
    let tried = 0;
    const property = fc.asyncProperty(mutated([...kept(name), ...seeds], words), async (text) => {
      tried++;
      try {
        await read(text);
      } catch (error) {
        last = text;
        throw error;
      }
    });
    try {
      await fc.assert(
        property,
        SECONDS
          ? {
              numRuns: Number.MAX_SAFE_INTEGER,
              interruptAfterTimeLimit: SECONDS * 1_000,
              markInterruptAsFailure: false,
            }
          : { numRuns: runs(10, 400) },
      );
    } catch (error) {
      const file = path.join(
        CORPUS,
        name,
        `${createHash("sha256").update(last, "latin1").digest("hex").slice(0, 16)}.bin`,
      );
      fs.writeFileSync(file, last, "latin1");
      throw new Error(`kept as ${file}: ${JSON.stringify(last.slice(0, 1_000))}`, { cause: error });
    }
    if (SECONDS) process.stdout.write(`the ${name} reader stood ${tried} variations\n`);
  });
});

test("files of a mail come out as they went in, whatever their bytes and names", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 5_000 }), { minLength: 1, maxLength: 5 }),
      async (files) => {
        const source = Buffer.from(
          `From: a@example.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${files
            .map(
              (bytes, n) =>
                `--b\r\nContent-Type: application/octet-stream; name="${n}"\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(bytes).toString("base64")}\r\n`,
            )
            .join("")}--b--\r\n`,
        );
        const mail = await parseMail({ at: AT, source, size: source.length }, "support@example.com");
        expect(mail.files.map(({ bytes }) => Buffer.from(bytes).toString("hex"))).toEqual(
          files.map((bytes) => Buffer.from(bytes).toString("hex")),
        );
      },
    ),
    { numRuns: runs(30, 100) },
  );
});
