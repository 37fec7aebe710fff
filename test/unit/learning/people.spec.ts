import { expect, test } from "vitest";
import { peopleIn } from "../../../src/learning/people.js";

const source = (contactId: string, origin: string | null = null) => ({ contactId, origin });

test.each<[string, number, ReturnType<typeof source>[]]>([
  ["nobody", 0, []],
  ["one contact, however often", 1, [source("a"), source("a"), source("a", "home")]],
  ["two contacts who proved who they are", 2, [source("a"), source("b")]],
  ["two contacts from one place", 1, [source("a", "home"), source("b", "home")]],
  ["two contacts from two places", 2, [source("a", "home"), source("b", "work")]],
  ["contacts that a third one joins", 1, [source("a", "home"), source("b", "work"), source("a", "work")]],
])("%s", (_, people, sources) => {
  expect(peopleIn(sources)).toBe(people);
  expect(peopleIn([...sources].reverse())).toBe(people);
});

test("takes linear time: a hundred thousand contacts, each joined with the next", () => {
  const chain = Array.from({ length: 100_000 }, (_, n) => [source(`c${n}`, `o${n}`), source(`c${n}`, `o${n + 1}`)]);
  expect(peopleIn(chain.flat())).toBe(1);
  expect(peopleIn(chain.map(([one]) => one!))).toBe(100_000);
});
