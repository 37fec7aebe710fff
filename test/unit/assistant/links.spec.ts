import fs from "node:fs";
import { expect, test } from "vitest";
import { linksIn, withoutLinks, withoutOtherLinks } from "../../../src/assistant/context/links.js";
import { growth } from "../../support/cost.js";

// U+3002, U+FF61 and U+FF0E are dots for a browser, and the first two end sentences in Chinese and Japanese.

test.each([
  ["evil。中国", ""],
  ["evil．中国", ""],
  ["evil｡中国", ""],
  ["evil。中國", ""],
  ["evil。みんな", ""],
  ["evil。コム", ""],
  ["evil。한국", ""],
  ["evil。рф", ""],
  ["例え．中国", ""],
  ["请访问 evil。中国。谢谢", "请访问 。谢谢"],
  ["请访问（evil。中国），谢谢", "请访问（），谢谢"],
  ["www。evil。公司。cn", ""],
  ["evil。中国/登录", ""],
  ["evil。中国:8080/a", ""],
  ["a@evil。中国", ""],
  ["例子。中国/login", ""],
  ["见 例子。中国", "见 "],
  ["请访问（例子。中国），谢谢", "请访问（），谢谢"],
  ["请打开《例子｡公司》登录", "请打开《》登录"],
  ["詳しくは『例え。みんな』をご覧ください。", "詳しくは『』をご覧ください。"],
  ["我们的网址：例子。中国", "我们的网址："],
  ["请访问www。例子。中国，谢谢", "，谢谢"],
  ["请访问 www。例子。网址登录。", "请访问 。"],
])("a host before a top-level domain of its own script is a link: %s", (text, left) => {
  expect(withoutLinks(text)).toBe(left);
});

test.each(["evil․com", "evil﹒com", "www․evil。de", "evil﹒example/a?b=1"])(
  "so are two smaller dots, U+2024 and U+FE52: %s",
  (text) => {
    expect(withoutLinks(`See ${text} now`)).toBe("See  now");
  },
);

test.each([
  ["1.2.3.4https://evil", ""],
  ["See 1.2.3.41.2.3.4https://2130706433/x now", "See .2.3.4 now"],
  ["evil.com1.2.3.4", ""],
  ["1.2.3.4mailto:evil", ""],
  ["_https://evil_", "__"],
  ["_mailto:evil_", "__"],
  ["4https://2130706433/x", "4"],
  ["请访问https://evil", "请访问"],
])("what is left around a link is no link either: %s", (text, left) => {
  expect(withoutLinks(text)).toBe(left);
});

test("links within links are taken out to the last one, and of too many nothing is kept", () => {
  const nested = (times: number) => `${"[".repeat(times)}x${"](tg)".repeat(times)}`;
  expect(withoutLinks(`See ${nested(3)}`)).toBe("See x");
  expect(withoutLinks(`See ${nested(3_000)}`)).toBe("");
});

test.each([
  "你好。中国很大",
  "请注意：我们在很多国家都有分店。中国，日本和韩国除外。",
  "分店很多（例如在亚洲。中国最多），欢迎光临。",
  "支持多种方式。网络，电话和门店都可以。",
  "网页以www开头。公司的网站也是。",
  "我们在很多国家都有分店。中国、日本和韩国除外。",
  "欢迎使用 iPhone。手机和电脑都可以。",
  "订单号是 12345。公司会尽快处理。",
  "请稍等。世界各地都可以送货。",
  "30日以内に可能です。みんなで確認します。",
  "ご連絡ありがとうございます。ポイントは明日付与されます。",
  "返品は無料です。ストアにお持ちください。",
  "状態はOKです。セール、ポイントも対象です。",
  "감사합니다。한국에서 배송됩니다。",
])("sentences stay whole, also if one begins as a top-level domain does: %s", (text) => {
  expect(withoutLinks(text)).toBe(text);
});

test.each(["zh-cn", "zh-tw", "ja"])(
  "of the real sentences of a program in %s, no full stop is taken for a dot",
  (language) => {
    const file = `node_modules/typescript/lib/${language}/diagnosticMessages.generated.json`;
    const texts = Object.values(JSON.parse(fs.readFileSync(file, "utf8")) as Record<string, string>);
    const all = texts.filter((text) => text.includes("。") && !text.includes("://"));
    expect(all.length).toBeGreaterThan(200);
    const stops = (text: string): number => text.match(/。(?![\p{Script=Latin}\p{Nd}])/gu)?.length ?? 0;
    for (const text of all) expect(stops(withoutLinks(text)) - stops(text), text.slice(0, 100)).toBe(0);
  },
);

test("a link that an entry has, letter for letter, stays", () => {
  const [link] = linksIn("见 https://a.example 和 evil。中国。");
  expect([...linksIn("见 evil。中国。")]).toEqual(["evil。中国"]);
  expect(link).toBe("https://a.example");
  expect(withoutOtherLinks("见 evil。中国。", new Set(["evil。中国"]))).toBe("见 evil。中国。");
  expect(withoutOtherLinks("见 evil。中国。", new Set(["evil.中国"]))).toBe("见 。");
});

test.each(["a。", "。", "中。", "a。中", "中国。", "a。中国", "-中。中国", "www。中", "（中。中国）"])(
  "is found in linear time, whatever stands there: %s",
  (part) => {
    expect(growth((length) => withoutLinks(part.repeat(length / part.length)), 5_000)).toBeLessThan(24);
  },
);
