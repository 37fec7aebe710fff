import { describe, expect, test } from "vitest";
import { type FoundSection, type KnownSection, named, planOf } from "../../../../src/knowledge/sources/plan.js";

const PAGE = "https://a.example/a";
const found = (question: string, answer: string, url = PAGE): FoundSection =>
  named(url, [{ question, answer, section: question }], undefined)[0]!;
const known = (section: FoundSection, more: Partial<KnownSection> = {}): KnownSection => ({
  key: section.key,
  url: section.url,
  digest: section.digest,
  entryId: null,
  entryDigest: null,
  proposalId: "proposal",
  ...more,
});
const plan = (
  rows: KnownSection[],
  sections: FoundSection[],
  statuses: Record<string, string> = {},
  covered: readonly string[] = [PAGE],
) =>
  planOf({ known: rows, found: sections, isCovered: (url) => covered.includes(url), statusOf: (id) => statuses[id] });
const NOTHING = { withdrawn: [], proposed: [], kept: [], forgotten: [] };

const [A, B, C] = ["two days", "three days", "four days"].map((answer) => found("How long?", answer)) as [
  FoundSection,
  FoundSection,
  FoundSection,
];

test("what is new is proposed, once, however many pages say it", () => {
  const again = { ...found("How long?", "two days", `${PAGE}/b`) };
  expect(plan([], [A, again]).proposed).toEqual([{ kind: "new", section: A }]);
});

test.each(["pending", "approved", "rejected", "archived", undefined])(
  "what says the same proposes nothing, where its proposal is %s",
  (status) => {
    expect(plan([known(A)], [A], status ? { proposal: status } : {})).toEqual(NOTHING);
  },
);

describe("what changed", () => {
  test("is an edit of the entry that came from it", () => {
    expect(plan([known(A)], [B], { proposal: "approved" })).toEqual({
      ...NOTHING,
      proposed: [{ kind: "edit", section: B, entryId: "proposal", entryDigest: A.digest }],
    });
  });
  test("takes the place of a proposal that waits", () => {
    expect(plan([known(A)], [B], { proposal: "pending" })).toEqual({
      ...NOTHING,
      withdrawn: ["proposal"],
      proposed: [{ kind: "new", section: B }],
    });
  });
  test("is an edit of the entry in use, after an edit was rejected", () => {
    const row = known(B, { entryId: "entry", entryDigest: A.digest });
    expect(plan([row], [C], { proposal: "rejected", entry: "approved" }).proposed).toEqual([
      { kind: "edit", section: C, entryId: "entry", entryDigest: A.digest },
    ]);
  });
  test("and changed back proposes nothing: the edit that waits is withdrawn", () => {
    const row = known(B, { entryId: "entry", entryDigest: A.digest });
    expect(plan([row], [A], { proposal: "pending", entry: "approved" })).toEqual({
      ...NOTHING,
      withdrawn: ["proposal"],
      kept: [known(A, { entryId: "entry", entryDigest: A.digest, proposalId: null })],
    });
  });
  test("is proposed anew where a person rejected it or took it out of use", () => {
    for (const status of ["rejected", "archived"])
      expect(plan([known(A)], [B], { proposal: status }).proposed).toEqual([{ kind: "new", section: B }]);
  });
});

describe("what is gone", () => {
  test("is an end of the entry that came from it, once", () => {
    const end = { kind: "end", known: known(A), entryId: "proposal", entryDigest: A.digest };
    expect(plan([known(A)], [], { proposal: "approved" })).toEqual({ ...NOTHING, proposed: [end] });
    const gone = known(A, { digest: null, entryId: "entry", entryDigest: A.digest });
    for (const status of ["pending", "rejected", "approved"])
      expect(plan([gone], [], { proposal: status, entry: "approved" })).toEqual(NOTHING);
  });
  test("is forgotten where no entry came from it, and a proposal that waits is withdrawn", () => {
    expect(plan([known(A)], [], { proposal: "pending" })).toEqual({
      ...NOTHING,
      withdrawn: ["proposal"],
      forgotten: [A.key],
    });
  });
  test("and comes back proposes nothing: its end is withdrawn", () => {
    const gone = known(A, { digest: null, entryId: "entry", entryDigest: A.digest });
    const back = plan([gone], [A], { proposal: "pending", entry: "approved" });
    expect([back.withdrawn, back.proposed]).toEqual([["proposal"], []]);
    // Its end was approved: it is new again.
    expect(plan([gone], [A], { proposal: "approved", entry: "archived" }).proposed).toEqual([
      { kind: "new", section: A },
    ]);
  });
  test("is not gone where its page was not read", () => {
    expect(plan([known(A)], [], { proposal: "approved" }, [])).toEqual(NOTHING);
  });
  test("is not gone if it says the same at another place", () => {
    const moved = found("How long?", "two days", `${PAGE}/new`);
    expect(plan([known(A)], [moved], { proposal: "approved" })).toEqual({
      ...NOTHING,
      kept: [known(moved)],
      forgotten: [A.key],
    });
  });
});

test("a question that stands twice on a page is two sections", () => {
  const section = (answer: string) => ({ question: "Options", answer, section: "" });
  const [one, two] = named(PAGE, [section("a"), section("b")], "en");
  expect(one!.key).not.toBe(two!.key);
});
