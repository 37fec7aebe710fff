import fs from "node:fs";
import { expect, test } from "vitest";
import { LIFECYCLE, REOPEN_DAYS, type Transition } from "../../../src/conversations/lifecycle/lifecycle.js";
import { CONVERSATION_STATUSES, type ConversationStatus } from "../../../src/conversations/lifecycle/lifecycle.js";

const TRANSITIONS: readonly Transition[] = Object.values(LIFECYCLE);

/** Whether the transition moves a conversation that has this status. */
const moves = ({ to, done = [], refused = [] }: Transition, from: ConversationStatus): boolean =>
  to !== undefined && from !== to && ![...done, ...refused].includes(from);

/** A Mermaid diagram: an arrow from each status to each other, with all that moves it there. */
function picture(): string {
  const arrows = CONVERSATION_STATUSES.flatMap((from) =>
    CONVERSATION_STATUSES.flatMap((to) => {
      const events = TRANSITIONS.filter((transition) => transition.to === to && moves(transition, from));
      return events.length
        ? [
            `    ${from} --> ${to}: ${events.map(({ when }) => when.replaceAll("`", "").replaceAll("; ", "<br>")).join("<br>")}`,
          ]
        : [];
    }),
  );
  return ["```mermaid", "stateDiagram-v2", "    [*] --> open", ...arrows, "```"].join("\n");
}

test("docs/conversations.md shows the picture of the statuses that the lifecycle has", () => {
  expect(fs.readFileSync("docs/conversations.md", "utf8")).toContain(picture());
});

test("docs/conversations.md names everything that moves a conversation", () => {
  const text = fs.readFileSync("docs/conversations.md", "utf8");
  const rows = text.split("\n").filter((line) => line.startsWith("|"));
  for (const { when, to, refused = [], handledBy } of TRANSITIONS) {
    const row = rows.find((line) => line.split("|")[1]!.trim() === when);
    expect(row, when).toBeDefined();
    const [status, handled] = row!
      .split("|")
      .slice(2)
      .map((cell) => cell.trim());
    expect(status, when).toMatch(to ? new RegExp(`^${to}`) : /^–$/);
    expect(/409/.test(status!), when).toBe(refused.length > 0);
    expect(handled, when).toMatch(handledBy ? new RegExp(`^${handledBy}`) : /^–/);
  }
  expect(text).toContain(`${REOPEN_DAYS} days after`);
});
