import { ConflictException, Injectable } from "@nestjs/common";
import { AssistantService } from "../../assistant/assistant.service.js";
import { withoutProofs } from "../../assistant/context/question.js";
import { ProcedureRuns } from "../../assistant/procedures/procedure-runs.service.js";
import { ToolGate } from "../../assistant/tools/tool-gate.js";
import type { KbEntryDto } from "../../knowledge/kb-entries/kb-entries.dto.js";
import { KB_SEARCHED, type KbSaid } from "../../knowledge/kb-entries/kb-entries.queries.js";
import { EntrySearchService } from "../../knowledge/review/entry-search.service.js";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { AssistantDraftDto } from "./draft.dto.js";
import { entriesIn, sceneIn, textsOf } from "./drafted.js";
import { faultOf, type TestFault, type TestTurn } from "./expectations.js";
import { type Contact, isSame, Play, type PlayedTurn } from "./play.js";
import {
  NO_MODEL,
  READS_NOTHING,
  Shared,
  PLAYED_DIALOGUE,
  PlayedDigressions,
  PlayedSearch,
  PlayedStore,
  PlayedTools,
  type ToolAnswer,
} from "./played.js";
import type { RehearsedDto, TestResultDto } from "./rehearsal.dto.js";
import { AssistantTestEntity } from "./rehearsal.entity.js";
import { GET_RECORDED, GET_SCENE, LIST_RECENT, type Recorded } from "./rehearsal.queries.js";
import type { Scene } from "./scene.js";

const DAYS = 30;
const MAX_CONVERSATIONS = 500;
/** What is not played by then is left out: the oldest conversations. */
const BUDGET_MS = 60_000;
/** The same for tests. A test takes some tenths of a second. */
const TESTS_BUDGET_MS = 60_000;
/** Of a conversation the first turns are played. */
const MAX_TURNS = 10;
const MAX_MESSAGES = 50;
const READ_AT_ONCE = 50;
/** The channel of a test. */
const TESTED = { channelType: "webchat", subject: null, language: null };

export interface RunToPlay {
  workspaceId: string;
  kind: string;
  draft: AssistantDraftDto | null;
  testIds: readonly string[] | null;
}
export interface ChangedConversation {
  position: number;
  conversationId: string;
  messageId: string;
  turn: number;
  before: PlayedTurn;
  after: PlayedTurn;
}
export interface Played {
  tests: TestResultDto[];
  conversations: RehearsedDto | null;
  changes: ChangedConversation[];
}
interface Turn {
  messageId: string;
  says: string[];
}

/** Plays tests and conversations as the assistant would carry them on. Nothing is sent, called or counted. */
@Injectable()
export class RehearserService {
  constructor(
    private readonly db: Database,
    private readonly finder: EntrySearchService<KbEntryDto, KbSaid>,
    private readonly gate: ToolGate,
  ) {}

  /**
   * @param beat is called between two plays. It may throw, which ends the run
   * @throws ConflictException: the draft names what is gone, or no agent answers in the workspace
   */
  async play(caller: SystemCaller, run: RunToPlay, beat: () => Promise<void>): Promise<Played> {
    const { workspaceId, draft, testIds } = run;
    const present = await this.sceneOf(caller, workspaceId, draft);
    const drafted = draft && (await this.draftedOf(caller, present, draft));
    const all = await this.db.transaction(caller, (tx) => {
      tx.changesNothingVisible();
      return tx.find(AssistantTestEntity, { workspaceId });
    });
    const tests = all.filter(({ id }) => testIds?.includes(id) ?? true).sort((a, b) => (a.name < b.name ? -1 : 1));
    const results: TestResultDto[] = [];
    const until = performance.now() + TESTS_BUDGET_MS;
    for (const test of tests) {
      await beat();
      if (performance.now() > until)
        throw new ConflictException("The tests take longer than a minute: run fewer at once");
      const shared = new Shared();
      const now = await this.test(caller, present, test, shared);
      const then = drafted && (await this.test(caller, drafted, test, shared));
      results.push({ ...(then ?? now), passedBefore: then ? now.passed : null });
    }
    if (run.kind !== "rehearsal" || !drafted) return { tests: results, conversations: null, changes: [] };
    return { tests: results, ...(await this.rehearse(caller, present, drafted, beat)) };
  }

  private async sceneOf(caller: SystemCaller, workspaceId: string, draft: AssistantDraftDto | null): Promise<Scene> {
    const steps = draft?.procedures?.flatMap((procedure) => procedure.steps ?? []) ?? [];
    const entryIds = steps.flatMap((step) => (step.type === "say" && step.entryId !== undefined ? [step.entryId] : []));
    const [scene] = await this.db.transaction(caller, (tx) => {
      tx.changesNothingVisible();
      return tx.query(GET_SCENE, { workspaceId, entryIds });
    });
    if (!scene) throw new ConflictException("No agent answers in the workspace");
    return scene;
  }

  private async draftedOf(caller: SystemCaller, scene: Scene, draft: AssistantDraftDto): Promise<Scene> {
    const named = draft.entries ?? [];
    const ids = named.flatMap(({ kbEntryId }) => (kbEntryId === undefined ? [] : [kbEntryId]));
    const stored = ids.length ? (await this.db.read(caller, KB_SEARCHED.searches.entries, { ids })).parse() : [];
    const entries = entriesIn(named, new Map(stored.map((entry) => [entry.id, entry])), scene);
    const drafted = sceneIn(scene, draft, entries);
    if (!named.length) return drafted;
    const { workspaceId } = scene;
    return {
      ...drafted,
      draft: await this.finder.draftOf(caller, workspaceId, entries.without, entries.entries, textsOf),
    };
  }

  private async test(
    caller: SystemCaller,
    scene: Scene,
    { id, name, assuranceLevel, turns, toolAnswers }: AssistantTestEntity,
    shared: Shared,
  ): Promise<TestResultDto> {
    const play = this.begin(caller, scene, { ...TESTED, level: assuranceLevel }, toolAnswers as ToolAnswer[], shared);
    const result = { testId: id, name, passedBefore: null, at: new Date().toISOString() };
    for (const [n, { says, expect }] of (turns as TestTurn[]).entries()) {
      const played = play.over ? undefined : await play.say([says]);
      const fault = faultOf(expect, played);
      if (fault === undefined) continue;
      const reason = sentenceOf(n + 1, fault, expect, played);
      return { ...result, passed: false, reason, turn: n + 1, fault, played: played ?? null };
    }
    return { ...result, passed: true, reason: null, turn: null, fault: null, played: null };
  }

  private begin(
    caller: SystemCaller,
    scene: Scene,
    contact: Contact,
    answers: readonly ToolAnswer[],
    shared: Shared,
  ): Play {
    const search = new PlayedSearch(this.finder, scene, shared);
    const store = new PlayedStore(scene, contact.level);
    const tools = new PlayedTools(this.db, this.gate, scene, contact, store, answers);
    const digressions = new PlayedDigressions(search, scene);
    const procedures = new ProcedureRuns(store, tools, PLAYED_DIALOGUE, digressions, READS_NOTHING);
    const assistant = new AssistantService(search, NO_MODEL, PLAYED_DIALOGUE, procedures);
    return new Play(caller, scene, contact, assistant, store);
  }

  private async rehearse(
    caller: SystemCaller,
    present: Scene,
    drafted: Scene,
    beat: () => Promise<void>,
  ): Promise<Pick<Played, "conversations" | "changes">> {
    const { workspaceId } = present;
    const until = performance.now() + BUDGET_MS;
    const [recent] = await this.db.transaction(caller, (tx) => {
      tx.changesNothingVisible();
      return tx.query(LIST_RECENT, { workspaceId, days: DAYS, most: MAX_CONVERSATIONS });
    });
    const { since, found, ids } = recent!;
    const changes: ChangedConversation[] = [];
    let played = 0;
    for (let from = 0; from < ids.length && performance.now() < until; from += READ_AT_ONCE) {
      const some = await this.db.transaction(caller, (tx) => {
        tx.changesNothingVisible();
        return tx.query(GET_RECORDED, { ids: ids.slice(from, from + READ_AT_ONCE), most: MAX_MESSAGES });
      });
      for (const recorded of some) {
        await beat();
        if (performance.now() > until) break;
        const turns = turnsOf(recorded);
        if (!turns.length) continue;
        played++;
        const changed = await this.compare(caller, present, drafted, recorded, turns);
        if (changed) changes.push({ position: changes.length, conversationId: recorded.id, ...changed });
      }
    }
    return { conversations: { since, found, played, changed: changes.length, changes: countsOf(changes) }, changes };
  }

  /** @returns the first turn that changes */
  private async compare(
    caller: SystemCaller,
    present: Scene,
    drafted: Scene,
    recorded: Recorded,
    turns: readonly Turn[],
  ): Promise<Omit<ChangedConversation, "position" | "conversationId"> | undefined> {
    const shared = new Shared();
    const both = [present, drafted].map((scene) => this.begin(caller, scene, recorded, [], shared));
    const [now, then] = both as [Play, Play];
    for (const [n, { messageId, says }] of turns.entries()) {
      const [before, after] = await Promise.all([now.say(says), then.say(says)]);
      if (!isSame(before, after)) return { messageId, turn: n + 1, before, after };
      if (now.over) return undefined;
    }
    return undefined;
  }
}

/** What the contact wrote each time before they got a reply, until people wrote. Without proofs of identity. */
function turnsOf({ channelType, subject, proofs, messages: all }: Recorded): Turn[] {
  const context = { channelType, subject, proofs, messages: all };
  const messages = withoutProofs(context as unknown as Parameters<typeof withoutProofs>[0])
    .messages as Recorded["messages"];
  const turns: Turn[] = [];
  let isOpen = false;
  for (const { id, direction, authorType, body } of messages) {
    if (direction === "inbound") {
      if (!isOpen && turns.length === MAX_TURNS) break;
      if (!isOpen) turns.push({ messageId: id, says: [] });
      turns.at(-1)!.says.push(body);
      isOpen = true;
    } else if (authorType === "assistant") isOpen = false;
    else if (authorType !== "system") break;
  }
  return turns;
}

function countsOf(changes: readonly ChangedConversation[]): RehearsedDto["changes"] {
  const counts = new Map<string, RehearsedDto["changes"][number]>();
  for (const { before, after } of changes) {
    const key = `${before.outcome} ${after.outcome}`;
    const count = counts.get(key) ?? { from: before.outcome, to: after.outcome, count: 0 };
    counts.set(key, { ...count, count: count.count + 1 });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count);
}

function sentenceOf(
  turn: number,
  fault: TestFault,
  expect: TestTurn["expect"],
  played: PlayedTurn | undefined,
): string {
  switch (fault) {
    case "not_reached":
      return `Turn ${turn} is not reached`;
    case "outcome": {
      const why = played!.reason === null ? "" : ` (${played!.reason})`;
      return `Turn ${turn}: ${expect.outcome} was expected, and the assistant ${played!.outcome}${why}`;
    }
    case "entry": {
      const named = played!.entries.map(({ question }) => `“${question}”`).join(", ");
      return `Turn ${turn}: another entry was expected than ${named || "none"}`;
    }
    case "tool":
      return `Turn ${turn}: the tool ${expect.tool} is not called`;
    case "words":
      return `Turn ${turn}: the reply does not say “${expect.contains}”`;
  }
}
