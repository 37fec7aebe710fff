import { describe, expect, test } from "vitest";
import { fold } from "../../src/channels/email/quoted-text.js";

const CASES: [string, string, string][] = [
  [
    "Gmail",
    "Thanks, that works.\n\nOn Tue, Nov 18, 2025 at 10:12 AM Support <support@example.com> wrote:\n\n> It left this morning.\n>\n> Regards",
    "Thanks, that works.",
  ],
  [
    "Gmail, broken over two lines",
    "Yes please.\n\nOn Tue, Nov 18, 2025 at 10:12 AM Example Support Team\n<support@example.com> wrote:\n\n> Shall we?\n",
    "Yes please.",
  ],
  [
    "Gmail in German",
    "Danke!\n\nAm Di., 18. Nov. 2025 um 10:12 Uhr schrieb Support <support@example.com>:\n\n> Es ging heute los.",
    "Danke!",
  ],
  [
    "Gmail in French",
    "Merci.\n\nLe mar. 18 nov. 2025 à 10:12, Support <support@example.com> a écrit :\n\n> Il est parti.",
    "Merci.",
  ],
  [
    "Gmail in Dutch",
    "Dank je.\n\nOp di 18 nov 2025 om 10:12 schreef Support <support@example.com>:\n\n> Het is onderweg.",
    "Dank je.",
  ],
  [
    "Apple Mail",
    "Great.\n\nAda\n\n> On 18. Nov 2025, at 10:12, Support <support@example.com> wrote:\n> \n> It left.\n",
    "Great.\n\nAda",
  ],
  [
    "Apple Mail in German",
    "Prima.\n\nVon meinem iPhone gesendet\n\n> Am 18.11.2025 um 10:12 schrieb Support <support@example.com>:\n> \n> Es ging los.",
    "Prima.",
  ],
  ["Thunderbird in German", "Passt.\n\nAm 18.11.25 um 10:12 schrieb Support:\n> Es ging los.\n> Grüße", "Passt."],
  [
    "Outlook",
    "That is fine.\n\nKind regards\nAda\n\n________________________________\nFrom: Support <support@example.com>\nSent: Tuesday, 18 November 2025 10:12\nTo: Ada <ada@example.org>\nSubject: Re: My order\n\nIt left this morning.",
    "That is fine.\n\nKind regards\nAda",
  ],
  [
    "Outlook in German",
    "In Ordnung.\n\nVon: Support <support@example.com>\nGesendet: Dienstag, 18. November 2025 10:12\nAn: Ada\nBetreff: AW: Bestellung\n\nEs ging los.",
    "In Ordnung.",
  ],
  [
    "Outlook in French",
    "Parfait.\n\nDe : Support <support@example.com>\nEnvoyé : mardi 18 novembre 2025 10:12\nÀ : Ada\nObjet : Re: Commande\n\nParti.",
    "Parfait.",
  ],
  [
    "Outlook in Dutch",
    "Prima.\n\nVan: Support <support@example.com>\nVerzonden: dinsdag 18 november 2025 10:12\nAan: Ada\nOnderwerp: Re: Bestelling\n\nOnderweg.",
    "Prima.",
  ],
  ["old Outlook", "Fine.\n\n-----Original Message-----\nFrom: Support\nIt left.", "Fine."],
  ["old Outlook in German", "Gut.\n\n-----Ursprüngliche Nachricht-----\nVon: Support\nEs ging los.", "Gut."],
  ["a signature", "Where is it?\n-- \nAda Lovelace\nAnalytical Engines Ltd", "Where is it?"],
  [
    "a signature before what is quoted",
    "Where is it?\n\n-- \nAda\n\nOn Tue, Nov 18, 2025, Support wrote:\n> It left.",
    "Where is it?",
  ],
  ["a telephone's line", "On my way\n\nSent from my iPhone", "On my way"],
  [
    "Outlook on a telephone",
    "ok\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n________________________________\nFrom: Support <support@example.com>\nSent: Tuesday, November 18, 2025 10:12:00 AM\nTo: Ada <ada@example.org>\nSubject: Re: x\n\nIt left.",
    "ok",
  ],
  [
    "an answer below",
    "On Tue, Nov 18, 2025 at 10:12 AM Support <support@example.com> wrote:\n> Which size?\n> And which colour?\n\nThe large one.",
    "The large one.",
  ],
  [
    "an answer below, with a signature",
    "Am 18.11.25 um 10:12 schrieb Support:\n> Welche Größe?\n\nDie große.\n\n-- \nAda",
    "Die große.",
  ],
  [
    "a program that marks nothing",
    "Thank you.\n\nOn Nov 18, 2025 10:12, Support <support@example.com> wrote:\n\nIt left this morning.\nRegards",
    "Thank you.",
  ],
  [
    "Windows line ends",
    "Thanks.\r\n\r\nOn Tue, Nov 18, 2025, Support <s@example.com> wrote:\r\n> It left.\r\n",
    "Thanks.",
  ],
];

const KEPT: [string, string, string?][] = [
  [
    "answers between the lines",
    "On Tue, Nov 18, 2025, Support <s@example.com> wrote:\n> Which size?\nThe large one.\n> Which colour?\nBlue.",
  ],
  [
    "an answer in the middle",
    "Hello,\n\nOn Tue, Nov 18, 2025, Support <s@example.com> wrote:\n> Which size?\n\nThe large one.",
  ],
  ["one line that is answered", "> Which size?\nThe large one."],
  ["where nothing else is there", "On Tue, Nov 18, 2025, Support <s@example.com> wrote:\n> It left."],
  ["where there is but a signature", "--\nAda"],
  [
    "what is forwarded",
    "See below.\n\n---------- Forwarded message ---------\nFrom: Grace <g@example.org>\nDate: Tue, Nov 18, 2025\nSubject: x\nTo: Ada\n\nThe important part.",
  ],
  [
    "what Outlook forwards",
    "See below.\n\nFrom: Grace <g@example.org>\nSent: Tuesday\nTo: Ada\nSubject: x\n\nThe important part.",
    "WG: Bestellung",
  ],
  ["a sentence that looks like it", "On Monday my wife wrote:\nplease send it to the office."],
  ["a list with dashes", "I want\n--\n1. a\n2. b\n".concat("more\n".repeat(30)).trim()],
  ["an address in their own words", "From: the harbour\nplease bring it to the house."],
  ["a plain text", "Hello,\n\nwhere is my order?\n\nAda"],
];

describe("of a mail the message is what was written now", () => {
  test.each(CASES)("%s", (_, text, body) => {
    expect(fold(text, "Re: My order")).toEqual({ body, folded: true });
  });
  test.each(KEPT)("and all of it stays: %s", (_, text, subject = "Re: My order") => {
    expect(fold(text, subject)).toEqual({ body: text, folded: false });
  });
});

test("folding takes no longer than the text is long", () => {
  const began = performance.now();
  for (const text of [
    ">".repeat(200_000),
    `${"On 2025 ".repeat(20_000)}wrote`,
    `${"On a 10:12\n".repeat(20_000)}`,
    `${"From: x\n".repeat(20_000)}`,
    "- ".repeat(100_000),
    " \n".repeat(100_000),
    `Le ${"a@ écrit ".repeat(20_000)}`,
  ])
    fold(text);
  expect(performance.now() - began).toBeLessThan(3_000);
});
