import { namedEnum } from "../../platform/enums/named-enum.js";
import type { PlayedOutcome, PlayedTurn } from "./play.js";

export const TEST_FAULTS = namedEnum("AssistantTestFault", "What is wrong with a turn of a test.", {
  outcome: "the assistant does something else",
  entry: "it names other entries",
  tool: "it does not call the tool",
  words: "it does not say the words",
  not_reached: "it has handed over before, or waits for something that the test does not have",
});
export type TestFault = (typeof TEST_FAULTS)[number];

/** What must happen. Whatever is null may be anything. */
export interface Expected {
  outcome: PlayedOutcome | null;
  /** Each of them is named. */
  kbEntryIds: string[];
  tool: string | null;
  /** The reply contains this, whatever the case. */
  contains: string | null;
}
export interface TestTurn {
  says: string;
  expect: Expected;
}

/** @returns what is wrong, if something is */
export function faultOf(
  { outcome, kbEntryIds, tool, contains }: Expected,
  turn: PlayedTurn | undefined,
): TestFault | undefined {
  if (!turn) return "not_reached";
  if (outcome !== null && turn.outcome !== outcome) return "outcome";
  if (kbEntryIds.some((id) => !turn.entries.some(({ kbEntryId }) => kbEntryId === id))) return "entry";
  if (tool !== null && !turn.tools.includes(tool)) return "tool";
  if (contains !== null && !(turn.says ?? "").toLowerCase().includes(contains.toLowerCase())) return "words";
  return undefined;
}
