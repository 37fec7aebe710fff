import { expect, test } from "vitest";
import { headlineOf } from "../../../web/src/ui/headline.js";
import { plain, withoutEmphasis } from "../../../web/src/ui/plain.js";

test.each([
  ["**Your ride** is *booked*: see [the page](https://example.com/4711).", "Your ride is booked: see the page."],
  ["# Hours\n- Monday\n* Sunday\n> quoted", "Hours\nMonday\nSunday\nquoted"],
  ["___All___ of `it`, ***now***, ~~later~~", "All of it, now, later"],
  ["5 * 3 * 2 = 30 and 2 ** 3", "5 * 3 * 2 = 30 and 2 ** 3"],
  ["order_no_7 * and snake_case_word, [sic]", "order_no_7 * and snake_case_word, [sic]"],
  [`${"x".repeat(180)} **which goes on, aft`, `${"x".repeat(180)} which goes on, aft`],
  [`${"x".repeat(185)} [ours](https://exa`, `${"x".repeat(185)} ours`],
])("a preview of %j is plain text", (markdown, text) => {
  expect(plain(markdown)).toBe(text);
});

test("a summary loses the marks of emphasis, and neither its links, nor its bullets, nor its end", () => {
  const summary = `Asked: **where** is it?\n- See [our page](https://example.com) for \`#4711\`.\n${"x".repeat(200)} **NB`;
  expect(withoutEmphasis(summary)).toBe(
    `Asked: where is it?\n- See [our page](https://example.com) for #4711.\n${"x".repeat(200)} **NB`,
  );
});

test.each([
  ["Order 4711", "Asked: “Where is it?”", "Hello", "Order 4711"],
  [
    null,
    "\n Asked: “**Where** is it?”\nNo approved entry answers this.",
    "I am passing this on.",
    "Asked: “Where is it?”",
  ],
  [null, null, "See [the page](https://example.com)", "See the page"],
  [null, " \n", "👍", "👍"],
  [null, null, null, ""],
  [null, "y".repeat(5_000), "Hello", "y".repeat(200)],
])(
  "a conversation with the subject %j, the summary %j and the last message %j is headed %j",
  (subject, summary, said, head) => {
    expect(headlineOf({ subject, summary, lastMessagePreview: said })).toBe(head);
  },
);
