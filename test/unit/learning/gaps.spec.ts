import { expect, test } from "vitest";
import { groupAlike } from "../../../src/learning/gaps/grouping.js";
import { growth, leastCost } from "../../support/cost.js";

const asked = (question: string, language = "en") => ({ question, language, terms: [] });
const questionsOf = (groups: { question: string }[][]): string[][] =>
  groups.map((group) => group.map(({ question }) => question));

test("questions that ask for the same in other words are one group, and the first stands for it", () => {
  const groups = groupAlike([
    asked("Do you deliver to Iceland?"),
    asked("Do you sell gift cards?"),
    asked("do you deliver to iceland"),
    asked("Can you deliver to Iceland too?"),
    asked("Where can I buy gift cards?"),
  ]);
  expect(questionsOf(groups)).toEqual([
    ["Do you deliver to Iceland?", "do you deliver to iceland", "Can you deliver to Iceland too?"],
    ["Do you sell gift cards?", "Where can I buy gift cards?"],
  ]);
});

test("questions in different languages are different groups", () => {
  expect(groupAlike([asked("Paypal?"), asked("Paypal?", "de")])).toHaveLength(2);
  expect(groupAlike([])).toEqual([]);
});

/** No two are alike, so each is compared with every group. */
function hostile(count: number) {
  let state = 7;
  const letter = (): string => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return String.fromCharCode(97 + Math.floor((state / 2 ** 32) * 26));
  };
  return Array.from({ length: count }, () => asked(Array.from({ length: 400 }, letter).join("")));
}

test("takes linear time, and a thousand of the longest questions a fraction of a second", () => {
  expect(growth((length) => groupAlike(hostile(length)), 250)).toBeLessThan(24);
  const thousand = hostile(1_000);
  expect(groupAlike(thousand)).toHaveLength(200);
  expect(leastCost(() => groupAlike(thousand), 500)).toBeLessThan(1_000);
});
