import type { INestApplicationContext } from "@nestjs/common";
import type { PlayedOutcome } from "../learning/rehearsal/play.js";
import { AssistantTestEntity } from "../learning/rehearsal/rehearsal.entity.js";
import { RehearsalService } from "../learning/rehearsal/rehearsal.service.js";
import { system } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";

const says = (text: string, outcome: PlayedOutcome, contains: string | null = null) => ({
  says: text,
  expect: { outcome, kbEntryIds: [], tool: null, contains },
});
const TESTS = [
  { name: "A ride is booked", turns: [says("How do I book a ride?", "answered", "picked up")] },
  {
    name: "A hotel, from hello to thanks",
    turns: [
      says("Hello", "small_talk"),
      says("How do I reserve a hotel room?", "answered", "dates of arrival"),
      says("thanks", "small_talk"),
    ],
  },
  {
    name: "A stolen card is urgent",
    turns: [
      says("Money was taken from my account or my card was stolen. What do I do?", "answered", "straight away"),
      says("I want to talk to a person", "handed_off"),
    ],
  },
  { name: "Nothing is made up", turns: [says("Do you sell bananas?", "handed_off")] },
];

/** Tests of the assistant, and a run of them. An earlier start may have been interrupted. */
export async function addTests(
  app: INestApplicationContext,
  { tenantId, workspaceId }: { tenantId: string; workspaceId: string },
): Promise<void> {
  const demo = system("demo", tenantId, "live");
  const service = app.get(RehearsalService);
  const known = await app.get(Database).transaction(demo, async (tx) => {
    const tests = await tx.find(AssistantTestEntity, { workspaceId });
    return new Set(tests.map(({ name }) => name));
  });
  for (const test of TESTS) if (!known.has(test.name)) await service.create(demo, workspaceId, test);
  await service.run(demo, workspaceId, {});
}
