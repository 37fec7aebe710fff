import { describe, expect, test } from "vitest";
import { channelsTo, personAt } from "../../../web/src/features/compose/addresses.js";
import { readable } from "../../../web/src/features/search/readable.js";
import { begunEmoji, begunShortcut } from "../../../web/src/features/writing/begun.js";
import { findEmoji } from "../../../web/src/features/writing/emoji.js";
import { type Format, formatted } from "../../../web/src/features/writing/format.js";

/** What is selected stands between bars. */
const format = (marked: string, name: Format): string => {
  const [before = "", inner = "", after = ""] = marked.split("|");
  const selected = { text: before + inner + after, from: before.length, to: before.length + inner.length };
  const { text, from, to } = formatted(selected, name);
  return `${text.slice(0, from)}|${text.slice(from, to)}|${text.slice(to)}`;
};

describe("formats of Markdown", () => {
  test.each<[Format, string, string]>([
    ["bold", "it is |now| here", "it is **|now|** here"],
    ["bold", "it is **|now|** here", "it is |now| here"],
    ["italic", "|now|", "*|now|*"],
    ["italic", "**|now|**", "***|now|***"],
    ["bold", "||", "**||**"],
    ["list", "one\n|two\nthree|", "one\n|- two\n- three|"],
    ["list", "|- two\n- three|", "|two\nthree|"],
    ["quote", "|said||", "> said||"],
    ["code", "|x|", "`|x|`"],
    ["code", "|x\ny|", "```\n|x\ny|\n```"],
    ["link", "see |this|", "see [this](https://||)"],
    ["link", "|https://example.com|", "[||](https://example.com)"],
  ])("%s: %s", (name, before, after) => {
    expect(format(before, name)).toBe(after);
  });
});

test("a shortcut begins at the beginning of a word, and a lone slash at that of a line", () => {
  expect(begunShortcut("Hello /gr")).toEqual({ from: 6, text: "gr" });
  expect(begunShortcut("Hello\n/")).toEqual({ from: 6, text: "" });
  for (const text of ["and/or", "1 /", "https://x", "/gr ", "a /-"]) expect(begunShortcut(text), text).toBeUndefined();
});

test("an emoji begins with two letters after a colon at the beginning of a word", () => {
  expect(begunEmoji("Thanks :smi")).toEqual({ from: 7, text: "smi" });
  for (const text of ["Note: so", "10:30", ":s", "a:smile"]) expect(begunEmoji(text), text).toBeUndefined();
});

test("emoji are found by the beginning of their name, and then by words in both languages", () => {
  expect(findEmoji("smi")[0]).toEqual(expect.arrayContaining(["🙂"]));
  expect(findEmoji("danke").map(([character]) => character)).toEqual(["🙏"]);
  expect(findEmoji("xyzzy")).toEqual([]);
  const characters = findEmoji("").map(([character]) => character);
  expect(new Set(characters).size).toBe(characters.length);
});

test("what is typed as whom to write to is an email address, a phone number with its country, or nobody", () => {
  expect(personAt(" Ines@Example.com ")).toMatchObject({ emails: ["ines@example.com"], phones: [] });
  expect(personAt("0049 (30) 901820")).toMatchObject({ emails: [], phones: ["+4930901820"] });
  for (const text of ["Ines", "030 901820", "ines@example", "a b@example.com"])
    expect(personAt(text), text).toBeUndefined();
});

test("only channels that work and reach the person are offered, mail first", () => {
  const channel = (type: "email" | "sms" | "api" | "webchat", status: "active" | "error" = "active") => ({
    type,
    status,
  });
  const all = [channel("api"), channel("webchat"), channel("sms"), channel("email", "error"), channel("email")];
  const to = { name: "Ines", emails: ["ines@example.com"], phones: [] };
  expect(channelsTo(all, to)).toEqual([channel("email"), channel("api")]);
  expect(channelsTo(all, undefined)).toEqual([channel("email"), channel("sms"), channel("api")]);
});

test("a place of a message that holds JSON is shown as names and values, and other text as it is", () => {
  const text = '{"action":"query","constraints":[{"Venue":"\\"South ';
  expect(
    readable([
      { text, match: false },
      { text: "Side", match: true },
      { text: '\\""},{"Guests":5}]}', match: false },
    ])
      .map((part) => part.text)
      .join(""),
  ).toBe("action: query · constraints: Venue: South Side · Guests: 5");
  const plain = [{ text: 'He said: "No, thanks", and left {', match: false }];
  expect(readable(plain)).toBe(plain);
});
