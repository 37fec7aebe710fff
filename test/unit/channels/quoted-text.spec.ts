import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { ownWordsIn, withoutQuotedText } from "../../../src/channels/email/quoted-text.js";
import { growth } from "../../support/cost.js";

interface Mail {
  name: string;
  text: string;
  subject?: string;
}
const mails = JSON.parse(fs.readFileSync(new URL("quoted-mails.json", import.meta.url), "utf8")) as {
  shortened: (Mail & { body: string })[];
  /** `own`: the person's own words, where others' are there. */
  whole: (Mail & { own?: string })[];
};

describe("the message of a mail is only the newly written text", () => {
  test.each(mails.shortened)("$name", ({ text, body }) => {
    expect(withoutQuotedText(text, "Re: My order")).toEqual({ body, shortened: true });
  });
  test("with Windows line ends", () => {
    for (const { text, body } of mails.shortened)
      expect(withoutQuotedText(text.replace(/\r?\n/g, "\r\n"), "Re: My order")).toEqual({ body, shortened: true });
  });
  test.each(mails.whole)("the whole text: $name", ({ text, subject = "Re: My order" }) => {
    expect(withoutQuotedText(text, subject)).toEqual({ body: text, shortened: false });
  });
});

describe("what decides is in the person's own words", () => {
  test.each(mails.shortened)("$name", ({ text, body }) => {
    const { words, others } = ownWordsIn(text);
    expect(body).toContain(words.split("\n")[0]!);
    expect(words).not.toMatch(/^>/m);
    expect(words !== "" || others).toBe(true);
  });
  test.each(mails.whole.flatMap((mail) => (mail.own === undefined ? [] : [{ ...mail, own: mail.own }])))(
    "of the whole text: $name",
    ({ text, subject, own }) => {
      expect(ownWordsIn(text, subject)).toEqual({ words: own, others: true });
    },
  );
  test.each(mails.whole.filter(({ own }) => own === undefined))("all of it: $name", ({ text, subject }) => {
    expect(ownWordsIn(text, subject).others).toBe(false);
  });
  test("all of what customers really write, and nothing else, whatever their mail program puts around it", () => {
    // TEXTS=<folder> takes all of STAR.
    const file = process.env.TEXTS ? `${process.env.TEXTS}/star-1000.ndjson` : "demo/star-excerpt.ndjson";
    const dialogues = fs.readFileSync(file, "utf8").split("\n").filter(Boolean);
    const texts = dialogues
      .flatMap((line) => (JSON.parse(line) as { turns: { from: string; text?: string }[] }).turns)
      .flatMap(({ from, text = "" }) => (from === "customer" && /[\p{L}\p{N}]/u.test(text) ? [text] : []));
    const quoted = (text: string): string => text.replace(/^/gm, "> ");
    const around: ((own: string, other: string) => string)[] = [
      (own) => own,
      (own) => `${own}\n\n-- \nAda Lovelace\nHarbour Books`,
      (own, other) => `${own}\n\nOn Tue, 24 Nov 2026 at 10:12, Ben <ben@example.org> wrote:\n\n${quoted(other)}`,
      (own, other) => `${own}\n\nAm Di., 24. Nov. 2026 um 10:12 Uhr schrieb Ben <b@example.org>:\n\n${quoted(other)}`,
      (own, other) =>
        `${own}\n\n-----Original Message-----\nFrom: Ben <b@example.org>\nSent: Tuesday, 24 November 2026\nTo: Ada\nSubject: x\n\n${other}`,
      (own, other) => `${quoted(other)}\n\n${own}\n\n${quoted(other)}`,
      (own, other) =>
        `${own}\n\n---------- Forwarded message ---------\nFrom: Ben <b@example.org>\nSubject: x\n\n${other}`,
    ];
    const wrong = texts.flatMap((own, n) =>
      around
        .map((mail) => mail(own, texts[(n * 7 + 3) % texts.length]!))
        .filter((mail) => ownWordsIn(mail).words !== own.trim()),
    );
    expect(texts.length).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });
  test("nothing of a forwarded mail, of a quote alone, and of a quote without marks", () => {
    const head = "On Tue, Nov 18, 2025 at 10:12, Grace <g@example.org> wrote:";
    for (const text of [
      "---------- Forwarded message ---------\nFrom: Grace <g@example.org>\nSubject: x\n\nRefund #W1234567.",
      `${head}\n> Refund #W1234567.`,
      `${head}\n\nRefund #W1234567.`,
      "> Refund #W1234567.",
    ])
      expect(ownWordsIn(text)).toEqual({ words: "", others: true });
    expect(ownWordsIn("", "Fwd: Refund #W1234567")).toEqual({ words: "", others: true });
    expect(ownWordsIn("", "My order")).toEqual({ words: "", others: false });
  });
});

const SHAPES: Record<string, (length: number) => string> = {
  "line ends": (length) => `a${"\n".repeat(length)}b`,
  spaces: (length) => `a${" ".repeat(length)}b`,
  "spaces and line ends": (length) => `a${" \n".repeat(length / 2)}b`,
  "quote marks": (length) => ">".repeat(length),
  "quote marks and spaces": (length) => "> ".repeat(length / 2),
  "quoted empty lines": (length) => `a${"\n> ".repeat(length / 3)}`,
  "quoted and written lines": (length) => "x\n> y\n".repeat(length / 6),
  "beginnings of attributions in one line": (length) => `${"On 2025 ".repeat(length / 8)}wrote`,
  "beginnings of attributions in many lines": (length) => "On a 10:12\n".repeat(length / 11),
  "attributions and lines": (length) => "On 10:12 a wrote:\nx\n".repeat(length / 20),
  "attributions and quoted lines": (length) => "On 10:12 a wrote:\n> x\n".repeat(length / 22),
  "attributions and empty lines": (length) => `On 10:12 a wrote:${"\n".repeat(100)}> x\n`.repeat(length / 121),
  "ends of attributions": (length) => `Le ${"a@ écrit ".repeat(length / 9)}`,
  "names before attributions": (length) => "a@ schrieb am ".repeat(length / 14),
  addresses: (length) => `<${"@".repeat(length)}`,
  "heads of mails": (length) => "From: x\n".repeat(length / 8),
  dashes: (length) => "-".repeat(length),
  "dashes and spaces": (length) => `${"-".repeat(length / 2)}${" ".repeat(length / 2)}`,
  "dashes and line ends": (length) => `${"-".repeat(length / 2)}${"\n".repeat(length / 2)}`,
  "signature marks": (length) => "-- \n".repeat(length / 4),
  underscores: (length) => `${"_".repeat(12)}\n`.repeat(length / 13),
};

test.each(Object.entries(SHAPES))("a mail with eight times as many %s takes about eight times as long", (_, shape) => {
  const read = (length: number): void => {
    const text = shape(length);
    withoutQuotedText(text);
    ownWordsIn(text);
  };
  expect(growth(read, 16_000)).toBeLessThan(24);
});
