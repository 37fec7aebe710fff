import { expect, test } from "vitest";
import { plain } from "../../web/src/ui/plain.js";

test.each([
  ["**Your ride** is *booked*: see [the page](https://example.com/4711).", "Your ride is booked: see the page."],
  ["# Hours\n- Monday\n* Sunday\n> quoted", "Hours\nMonday\nSunday\nquoted"],
  ["___All___ of `it`, ***now***, ~~later~~", "All of it, now, later"],
  ["5 * 3 * 2 = 30 and 2 ** 3", "5 * 3 * 2 = 30 and 2 ** 3"],
  ["order_no_7 * and snake_case_word, [sic]", "order_no_7 * and snake_case_word, [sic]"],
  [
    "Asked: **where** is it?\nAnswered: It is at `5 High Street`.",
    "Asked: where is it?\nAnswered: It is at 5 High Street.",
  ],
  [`${"x".repeat(180)} **which goes on, aft`, `${"x".repeat(180)} which goes on, aft`],
  [`${"x".repeat(185)} [ours](https://exa`, `${"x".repeat(185)} ours`],
])("%j is shown as plain text", (markdown, text) => {
  expect(plain(markdown)).toBe(text);
});
