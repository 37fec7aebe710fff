import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

/** The rules are in docs/decisions/README.md. */
const MAX_WORDS = 600;
const ROOT = path.join(import.meta.dirname, "../../..");
const FOLDER = path.join(ROOT, "docs/decisions");
const PAGES = fs.readdirSync(FOLDER).filter((file) => /^\d{4}-.+\.md$/.test(file));
const read = (file: string): string => fs.readFileSync(path.join(FOLDER, file), "utf8");
const linksOf = (page: string): { text: string; file: string }[] =>
  [...page.matchAll(/\[([^\]]+)\]\((?!https?:)([^)\s#]+)[^)\s]*\)/g)].map(([, text, file]) => ({
    text: text!,
    file: file!,
  }));

describe("the decisions", () => {
  test("have numbers without a gap, each in its title, and no number twice", () => {
    expect(PAGES.map((file) => Number(file.slice(0, 4)))).toEqual(PAGES.map((_, i) => i + 1));
    const titled = PAGES.filter((file) => !read(file).startsWith(`# ${Number(file.slice(0, 4))}. `));
    expect(titled).toEqual([]);
  });

  test("are all in the index, under their titles", () => {
    const index = read("README.md");
    const titles = PAGES.map((file) => `- [${/^# (.+)$/m.exec(read(file))![1]!}](${file})`);
    expect(titles.filter((line) => !index.includes(`\n${line}\n`))).toEqual([]);
  });
});

describe.each(PAGES)("%s", (file) => {
  const page = read(file);

  test(`has at most ${MAX_WORDS} words, tables and code included`, () => {
    expect(page.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(MAX_WORDS);
  });

  test("names only files that exist", () => {
    const paths = [...page.matchAll(/`((?:src|test|docs|scripts|web|sdk|bench)\/[^`\s<*]+)`/g)].map(
      ([, name]) => name!,
    );
    expect(paths.filter((name) => !fs.existsSync(path.join(ROOT, name)))).toEqual([]);
  });

  test("links to pages that exist, and calls decisions by their numbers", () => {
    const links = linksOf(page);
    expect(links.filter((link) => !fs.existsSync(path.join(FOLDER, link.file)))).toEqual([]);
    const numbered = links.filter((link) => /^(decision )?\d+$/i.test(link.text) && /^\d{4}-/.test(link.file));
    expect(numbered.filter((link) => Number(/\d+/.exec(link.text)![0]) !== Number(link.file.slice(0, 4)))).toEqual([]);
  });

  test("says what no longer holds under its title, and which decision does", () => {
    const marks = page
      .split("\n\n")
      .flatMap((text, i) => (/^(Superseded|No longer holds)/.test(text) ? [{ text, i }] : []));
    expect(marks.filter(({ text, i }) => i !== 1 || !linksOf(text).some((link) => /^\d{4}-/.test(link.file)))).toEqual(
      [],
    );
  });
});
