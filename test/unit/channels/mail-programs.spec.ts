import fs from "node:fs";
import { fromHtml } from "hast-util-from-html";
import { describe, expect, test } from "vitest";
import { type Letter, NO_FILES } from "../../../src/channels/letter/letter.js";
import { partsOf } from "../../../src/channels/letter/letter-parts.js";
import { QUOTE_LANGUAGES } from "../../../src/channels/letter/words.js";

// What mail programs know is not for us to say: the table is from caniemail.com.

interface Support {
  outlook: "y" | "a" | "n";
  gmail: "y" | "a" | "n";
  /** Of Outlook, where it is in part. */
  notes?: string;
}
const { features } = JSON.parse(fs.readFileSync(new URL("mail-programs.json", import.meta.url), "utf8")) as {
  features: Record<string, Support>;
};

/** What one of the programs leaves out, and what a reader sees then. */
const LEFT_OUT: Record<string, string> = {
  "css opacity": "the footer and the line above a quote look like other text",
  "css overflow-wrap": "a long address is wider than the window",
  "css word-wrap": "a long address is wider than the window",
  "css white-space": "<pre> keeps its spaces by itself; a long line of code is wider than the window",
  "html meta-color-scheme": "no colour is set, so each program chooses both",
  "html doctype": "Outlook always renders in its own way",
};
/** Not in the table: what Word alone reads, and fonts, of which each program takes the first that it knows. */
const NOT_LISTED = ["mso-line-height-rule", "font-family"];
const ELEMENTS: Record<string, string> = {
  ...Object.fromEntries(["h1", "h2", "h3", "h4", "h5", "h6"].map((name) => [name, "h1-h6"])),
  ...Object.fromEntries(["ul", "ol", "li"].map((name) => [name, "lists"])),
  em: "strong",
  s: "strike",
};
/** These are of every mail, and no program shows them. */
const UNSEEN = ["html", "head", "meta", "br", "a"];

const MARKDOWN = [
  "# One",
  "## Two",
  "### Three",
  "#### Four",
  "A *text* with **all** of ~~that~~, `code` and [a link](https://example.com).\nNext line.",
  "- one\n  - two\n    1. three",
  "3. four",
  "> A quote\n> > in a quote",
  "```\nif (true) {\n  x();\n}\n```",
  "---",
  "![A picture](https://example.com/a.png)",
].join("\n\n");
const quoted = [0, 1].map(() => ({ body: MARKDOWN, format: "markdown" as const, heading: "On Monday, Ada wrote:" }));
const letterIn = (language: string): Letter => ({
  to: "ada@example.org",
  subject: "A parcel",
  body: MARKDOWN,
  letter: {
    format: "markdown",
    language,
    timeZone: "UTC",
    signature: "**Grace Hopper**",
    footer: "Example Ltd",
    logo: { url: "https://example.com/logo.png", name: "Example" },
    quoted,
  },
});

type Root = ReturnType<typeof fromHtml>;
type Element = Extract<Root["children"][number], { type: "element" }>;
function* elementsOf({ children }: Pick<Root, "children">): Generator<Element> {
  for (const child of children)
    if (child.type === "element") {
      yield child;
      yield* elementsOf(child);
    }
}
interface Style {
  element: string;
  property: string;
  value: string;
}
const stylesOf = ({ tagName, properties: { style = "" } }: Element): Style[] =>
  String(style)
    .split(";")
    .filter(Boolean)
    .map((one) => {
      const [property, ...rest] = one.split(":");
      return { element: tagName, property: property!, value: rest.join(":") };
    });
/** As the table has it: `border-top` is part of `border`. */
const featureOf = (property: string): string =>
  `css ${`css ${property}` in features ? property : property.split("-")[0]!}`;

const elements = QUOTE_LANGUAGES.flatMap((language) => [
  ...elementsOf(fromHtml(partsOf(letterIn(language), NO_FILES).html)),
]);
const styles = elements.flatMap(stylesOf);

describe("the HTML of a mail", () => {
  test("has only elements and properties that Outlook and Gmail know, or leaves the mail readable without them", () => {
    const used = new Set([
      "html doctype",
      "html meta-color-scheme",
      ...elements
        .map(({ tagName }) => tagName)
        .filter((name) => !UNSEEN.includes(name))
        .map((name) => `html ${ELEMENTS[name] ?? name}`),
      ...styles.filter(({ property }) => !NOT_LISTED.includes(property)).map(({ property }) => featureOf(property)),
    ]);
    expect([...used].filter((name) => !(name in features))).toEqual([]);
    const leftOut = [...used].filter((name) => [features[name]!.outlook, features[name]!.gmail].includes("n"));
    expect(leftOut.sort()).toEqual(Object.keys(LEFT_OUT).sort());
  });

  test("keeps to what Outlook knows in part", () => {
    const wrong = styles.filter(
      ({ property, value }) =>
        // "A border can not be bigger than 8px", "Negative values are not supported", "`auto` value is not supported",
        // "Flow-relative values are not supported", "`rem` values are not supported", numbers below 600 are normal.
        (property.startsWith("border") && Number.parseInt(value, 10) > 8) ||
        (property === "margin" && /auto|-\d/.test(value)) ||
        (property === "text-align" && !/^(left|right)$/.test(value)) ||
        (property === "font-size" && !/^\d+px$/.test(value)) ||
        (property === "font-weight" && value !== "bold"),
    );
    expect(wrong).toEqual([]);
    // Padding is for cells of tables there, so nothing may need it in order to be read.
    const padded = styles.filter(({ property, value }) => property.startsWith("padding") && !/^0/.test(value));
    expect([...new Set(padded.map(({ element }) => element))].sort()).toEqual(["blockquote", "pre"]);
  });

  test("says to Word that a height of lines is exact, wherever it sets one", () => {
    const missing = elements.filter((element) => {
      const own = stylesOf(element).map(({ property }) => property);
      return own.includes("line-height") && !own.includes("mso-line-height-rule");
    });
    expect([...new Set(missing.map(({ tagName }) => tagName))]).toEqual([]);
  });
});
