import { expect, test } from "vitest";
import { ground } from "../../../../src/assistant/model/grounding.js";
import { type Claim, claims } from "./claims.js";

// What a model may say in its own words about an entry. Half of the claims were not looked at while the check was made.

const CLAIMS = claims();
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const isKept = ({ question, source, text }: Claim): boolean =>
  ground(text, [{ id: "E1", question, text: source }]).cut === 0;
const half = (heldOut: boolean, faithful: boolean): Claim[] =>
  CLAIMS.filter((one) => one.heldOut === heldOut && one.faithful === faithful);
const shareOf = (all: Claim[], matches: (one: Claim) => boolean): number => all.filter(matches).length / all.length;

test("there are 300 false claims and 300 faithful ones, half of each held out", () => {
  expect([true, false].map((faithful) => CLAIMS.filter((one) => one.faithful === faithful).length)).toEqual([300, 300]);
});

test.each([false, true])("few false claims pass, and few faithful ones are cut (held out: %s)", (heldOut) => {
  const passed = shareOf(half(heldOut, false), isKept);
  const cut = shareOf(half(heldOut, true), (one) => !isKept(one));
  if (process.env.CLAIMS) {
    say(
      `held out ${heldOut}: false claims that pass ${passed.toFixed(3)}, faithful ones that are cut ${cut.toFixed(3)}`,
    );
    if (!heldOut)
      for (const one of half(false, false)
        .filter(isKept)
        .concat(half(false, true).filter((faithful) => !isKept(faithful))))
        say(`${one.kind}: ${one.text}\n    ${one.source}`);
  }
  expect(passed).toBeLessThanOrEqual(0.19);
  expect(cut).toBeLessThanOrEqual(0.14);
});
