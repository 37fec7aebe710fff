import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { createTransport } from "nodemailer";
import { describe, expect, test } from "vitest";
import { parseMail } from "../../../src/channels/email/parse-mail.js";
import { placeFiles } from "../../../src/channels/email/place-files.js";
import { type Letter, NO_FILES, type Quoted } from "../../../src/channels/letter/letter.js";
import { partsOf } from "../../../src/channels/letter/letter-parts.js";
import { QUOTE_LANGUAGES, wroteLine } from "../../../src/channels/letter/words.js";
import { plainText } from "../../../src/platform/markdown/plain-text.js";

const letter = (body: string, more: Partial<Letter["letter"]> = {}): Letter => ({
  to: "ada@example.org",
  subject: "A parcel",
  body,
  letter: { format: "text", language: "en", timeZone: "Europe/Berlin", ...more },
});
const out = createTransport({ streamTransport: true, buffer: true, newline: "windows" } as object);

/** What our own mailbox makes of a mail that left here. */
async function received(mail: Letter): Promise<string> {
  const { text, html } = partsOf(mail, NO_FILES);
  const { message } = (await out.sendMail({
    from: "support@example.com",
    to: mail.to,
    subject: mail.subject,
    text,
    html,
  })) as unknown as { message: Buffer };
  const at = new Date("2030-01-07T10:00:00Z");
  const parsed = await parseMail({ size: message.length, at, source: message }, "inbox@example.org");
  return parsed.body;
}

const SIGNATURE = "**Grace Hopper**  \nExample Ltd";
const FOOTER = "Example Ltd, 1 High Street, London. [Privacy](https://example.com/privacy)";
const quotedIn = (language: string): Quoted[] =>
  ["Where is it?\n\n> And my refund?", "**First** question"].map((body, n) => ({
    body,
    format: n ? "markdown" : "text",
    heading: wroteLine(language, "Europe/Berlin", { at: "2030-01-07T09:30:00Z", name: "Ada Lovelace" }),
  }));

describe("a mail that left here and comes in again", () => {
  test.each(QUOTE_LANGUAGES)(
    "is folded to its words, with what it quotes in %s, its signature and its footer",
    async (language) => {
      const around = { language, signature: SIGNATURE, footer: FOOTER };
      const [newest, older] = quotedIn(language);
      for (const quoted of [[newest!], [newest!, older!]]) {
        const { text, html } = partsOf(letter("It left this morning.", { ...around, quoted }), NO_FILES);
        expect(text).toContain(
          `\n\n-- \nGrace Hopper\nExample Ltd\n\n${plainText(FOOTER)}\n\n${newest!.heading}\n> Where is it?\n>\n>> And`,
        );
        expect(html).toContain('<blockquote type="cite"');
        expect(await received(letter("It left this morning.", { ...around, quoted }))).toBe("It left this morning.");
      }
    },
  );

  test("has the text of real answers and dialogues byte for byte, and Markdown without its marks", async () => {
    const bodies = await realBodies();
    expect(bodies.length).toBeGreaterThan(30);
    for (const body of bodies) {
      expect(await received(letter(body, { signature: SIGNATURE, quoted: quotedIn("en") }))).toBe(body);
      const marked = `**Hello**\n\n${body}\n\n1. [the page](https://example.com/a)\n2. \`code\``;
      expect(await received(letter(marked, { format: "markdown" }))).toBe(plainText(marked));
      expect(plainText(marked)).not.toMatch(/\*\*|`|\]\(/);
    }
  });
});

/** Texts of the demo's entries and dialogues. `PARLEY_DATA` names a folder with more of them. */
async function realBodies(): Promise<string[]> {
  const bodies = (JSON.parse(readFileSync("demo/kb.json", "utf8")) as { answer: string }[]).map(({ answer }) => answer);
  const folder = process.env.PARLEY_DATA;
  const file =
    folder && existsSync(`${folder}/star-1000.ndjson`) ? `${folder}/star-1000.ndjson` : "demo/star-excerpt.ndjson";
  for await (const line of createInterface({ input: createReadStream(file) }))
    bodies.push(
      (JSON.parse(line) as { turns: { text?: string }[] }).turns.flatMap(({ text }) => text?.trim() || []).join("\n"),
    );
  if (folder) bodies.push(...stringsIn(JSON.parse(readFileSync(`${folder}/abcd-guidelines.json`, "utf8"))));
  return bodies.filter(Boolean);
}
const stringsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value.trim()].filter((text) => text.length > 20)
    : value && typeof value === "object"
      ? Object.values(value).flatMap(stringsIn)
      : [];

describe("the HTML part", () => {
  test("has the language and its direction, leaves colours to the reader, and needs nothing that Outlook lacks", () => {
    const { html } = partsOf(
      letter("> مرحبا\n\n- a\n\n```\ncode\n```", {
        format: "markdown",
        language: "ar",
        signature: SIGNATURE,
        footer: FOOTER,
        quoted: quotedIn("en"),
      }),
      NO_FILES,
    );
    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(html).toContain('<div lang="ar" dir="rtl"');
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    for (const [, style] of html.matchAll(/style="([^"]*)"/g))
      expect(style).not.toMatch(/flex|grid|rgba?\(|var\(|(?:^|;)color:|background|inline-(?:start|end)|position/);
    expect(html).not.toMatch(/<style|<script|border-left/);
  });

  test("names the sender, and never lets a name end the line or be a tag", () => {
    const heading = wroteLine("en", "UTC", { at: "2030-01-07T09:30:00Z", name: "Ada\n<b>\u202e wrote:\nLovelace" });
    expect(heading).toBe("On 7 Jan 2030, 09:30, Ada b wrote: Lovelace wrote:");
  });
});

describe("files", () => {
  const file = (n: number, size: number, contentType = "application/pdf") => ({
    id: `01890000-0000-7000-8000-00000000000${n}`,
    fileName: `file-${n}`,
    contentType,
    size,
    width: 900,
  });
  const place = (body: string, files: ReturnType<typeof file>[], maxMb?: number) =>
    placeFiles(letter(body, { format: "markdown" }), files, maxMb, (id) => `https://example.com/${id}`);

  test("that the text shows are in it, others are attached, and those that do not fit are links", () => {
    const shown = file(1, 1_000_000, "image/png");
    const page = file(2, 1_000, "image/svg+xml");
    const large = file(3, 13_000_000);
    const small = file(4, 1_000);
    const body = `Look: ![it](cid:${shown.id}) ![no](cid:${page.id})`;
    const placed = place(body, [large, page, small, shown]);
    expect(placed.attached).toEqual([large, page, small, shown]);
    expect([...placed.pictures.keys()]).toEqual([shown.id]);
    const tight = place(body, [large, page, small, shown], 10);
    expect(tight.attached).toEqual([page, small, shown]);
    const { text, html } = partsOf(letter(body, { format: "markdown" }), tight);
    expect(text).toMatch(
      /^Look: \[it\] \[no\]\n\nFiles, until \d+ \w+ \d{4}:\n- file-3 \(https:\/\/example\.com\/.*3\)$/,
    );
    expect(html).toContain(`<img src="cid:${shown.id}@parley"`);
    expect(html).toMatch(/<a href="https:\/\/example\.com\/[^"]*3">file-3<\/a> \(13\.0 MB\)/);
  });
});
