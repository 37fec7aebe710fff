import { describe, expect, test } from "vitest";
import { fill, problemOf } from "../../../src/conversations/canned-replies/template.js";
import { leastCost } from "../../support/cost.js";

describe("variables", () => {
  test("are read in linear time, however a text is made", () => {
    const most = 10_000;
    for (const body of [
      `{{${" ".repeat(most - 2)}`,
      `{{contact.name |${" ".repeat(most - 16)}`,
      `{{${" ".repeat(most - 4)}}}`,
      `{{${"|".repeat(most - 2)}`,
      "{".repeat(most),
      "}".repeat(most),
      "{{ ".repeat(most / 3),
      "{{|".repeat(most / 3),
    ]) {
      expect(problemOf(body)?.length).toBeLessThan(400);
      const read = (): void => {
        problemOf(body);
        fill(body, {});
      };
      expect(leastCost(read, 100), body.slice(0, 20)).toBeLessThan(100);
    }
  });

  test("may have spaces, single braces are text, and every variable is known", () => {
    for (const body of [
      "{{contact.name}}",
      "{{ contact.name }}",
      "{{contact.name|you}}",
      "a { b } c",
      "{{conversation.id}}",
    ])
      expect(problemOf(body)).toBeUndefined();
  });

  test("do not begin a heading, a list or an entity", () => {
    for (const [name, shown] of [
      ["# Ada", "\\# Ada"],
      ["- Ada", "\\- Ada"],
      ["1. FC Köln", "1\\. FC Köln"],
      ["Müller & Söhne", "Müller & Söhne"],
      ["&lt;b&gt;", "\\&lt;b\\&gt;"],
      ["O'Neill-Smith", "O'Neill-Smith"],
    ])
      expect(fill("{{contact.name}}", { "contact.name": name }).body).toBe(shown);
  });

  test("without a value have their fallback, or stay and are named", () => {
    const body = "Hello {{contact.firstName | there}}, {{contact.name}} {{contact.name}}: {{conversation.subject|}}.";
    expect(fill(body, {})).toEqual({
      body: "Hello there, {{contact.name}} {{contact.name}}: .",
      missing: ["contact.name"],
    });
    expect(fill("{{contact.name}}", { "contact.name": " Ada \n Lovelace " })).toEqual({
      body: "Ada Lovelace",
      missing: [],
    });
  });

  test("are text, not Markdown and not a template", () => {
    const name = "[x](http://evil) *b* {{member.name}} $& `c` <i>";
    expect(fill("{{contact.name}}", { "contact.name": name, "member.name": "Grace" })).toEqual({
      body: "\\[x\\](http://evil) \\*b\\* {{member.name}} $& \\`c\\` \\<i\\>",
      missing: [],
    });
  });
});
