import { expect, test } from "vitest";
import { robotsOf } from "../../../../src/knowledge/sources/robots.js";

const allowed = (text: string, ...paths: string[]): boolean[] => paths.map((path) => robotsOf(text).allows(path));

test("the group for Parley counts, and without one that for everybody", () => {
  const text =
    "User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: Parley\nDisallow: /private\nCrawl-delay: 2.5 # slow";
  expect(allowed(text, "/", "/private/x")).toEqual([true, false]);
  expect(robotsOf(text).delay).toBe(2.5);
  expect(allowed("User-agent: *\nDisallow: /\n\nUser-agent: other\nDisallow:", "/")).toEqual([false]);
});

test("the longest rule decides, and of two as long the one that allows", () => {
  const text = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nAllow: /x\nDisallow: /x\nDisallow:";
  expect(allowed(text, "/a", "/a/b", "/a/b/c", "/x", "/y")).toEqual([false, true, false, true, true]);
});

test("stars and ends match in linear time", () => {
  const text = "User-agent: *\nDisallow: /*.pdf$\nDisallow: /*/edit\nDisallow: /a*b*c$";
  expect(allowed(text, "/x.pdf", "/x.pdf?1", "/p/edit/1", "/axxbxxc", "/axxbxxcx", "/ac")).toEqual([
    false,
    true,
    false,
    false,
    true,
    true,
  ]);
  expect(allowed(`User-agent: *\nDisallow: /${"*a".repeat(20_000)}$`, `/${"a".repeat(50_000)}b`)).toEqual([true]);
});

test("a path is the same however it is encoded", () => {
  expect(allowed("User-agent: *\nDisallow: /%C3%BC", "/ü", "/%c3%bc")).toEqual([false, false]);
});

test("it names sitemaps, and nonsense means nothing", () => {
  expect(robotsOf("Sitemap: https://a.example/s.xml\nhello\n: x\nUser-agent\nDisallow: /")).toMatchObject({
    sitemaps: ["https://a.example/s.xml"],
    delay: 0,
  });
  expect(allowed("<html>Not found</html>", "/")).toEqual([true]);
});
