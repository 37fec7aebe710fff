import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { withoutProofs } from "../../assistant/context/question.js";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { type Json, type Ok, ok, type Page } from "../../platform/http/json.js";
import type { PagingDto } from "../../platform/http/paging.dto.js";
import { WorkspaceEntity } from "../../workspaces/workspace.entity.js";
import { GET_PEOPLE } from "../asked-again/asked-again.queries.js";
import { redactor } from "../redaction/redact.js";
import type { AssistantDraftDto } from "./draft.dto.js";
import type { Expected, TestTurn } from "./expectations.js";
import {
  type AssistantTestDto,
  type AssistantTestRunDto,
  type CreateAssistantTestDto,
  MAX_TESTS,
  type RehearsedConversationDto,
  type RunAssistantTestsDto,
  type UpdateAssistantTestDto,
} from "./rehearsal.dto.js";
import { AssistantTestEntity, AssistantTestRunEntity, type TestRunKind } from "./rehearsal.entity.js";
import {
  COUNT_OPEN_RUNS,
  COUNT_TESTS,
  FORGET_RUNS,
  GET_RUN,
  GET_SAVED,
  GET_TEST,
  HAS_ALL,
  LIST_CHANGED,
  LIST_TESTS,
  MAKE_DUE,
  type SavedMessage,
} from "./rehearsal.queries.js";

/** Of a workspace, that wait or are played. */
const MAX_OPEN_RUNS = 10;
const KEPT_RUNS = 50;
const MAX_SAVED_MESSAGES = 50;
const MAX_SAVED_TURNS = 20;
const MAX_SAID = 2_000;
const TAKEN = "Another test of the workspace has this name";

@Injectable()
export class RehearsalService {
  constructor(private readonly db: Database) {}

  list(caller: Caller, workspaceId: string): Promise<Json<AssistantTestDto[]>> {
    return this.db.read(caller, LIST_TESTS, { workspaceId });
  }

  get(caller: Caller, id: string): Promise<Json<AssistantTestDto>> {
    return this.db.read(caller, GET_TEST, { id });
  }

  /** @throws NotFoundException (the workspace, the conversation), BadRequestException, ConflictException (its name, too many) */
  async create(
    caller: Caller,
    workspaceId: string,
    { name, conversationId, assuranceLevel = "none", turns, toolAnswers = [] }: CreateAssistantTestDto,
  ): Promise<Json<AssistantTestDto>> {
    if ((turns === undefined) === (conversationId === undefined))
      throw new BadRequestException("A test has either turns or conversationId");
    return this.db.transaction(caller, async (tx) => {
      // Locked, so that two requests at once do not both take the last place.
      await tx.findOrThrow(WorkspaceEntity, { id: workspaceId }, { lock: "no key update" });
      tx.changesWorkspace(workspaceId);
      if (turns) await assertThere(tx, workspaceId, { entries: entriesOfTurns(turns) });
      const saved = conversationId === undefined ? turns! : await this.turnsOf(tx, workspaceId, conversationId);
      const [{ count } = { count: 0 }] = await tx.query(COUNT_TESTS, { workspaceId });
      if (count >= MAX_TESTS) throw new ConflictException(`A workspace has at most ${MAX_TESTS} tests`);
      const id = uuid();
      const test = { id, workspaceId, name, conversationId: conversationId ?? null, assuranceLevel, toolAnswers };
      if (!(await tx.insertOrIgnore(AssistantTestEntity, { ...test, turns: saved })))
        throw new ConflictException(TAKEN);
      return (await tx.read(GET_TEST, { id })).created();
    });
  }

  /** What came of it before says nothing of it any more. @throws NotFoundException, ConflictException (its name) */
  update(
    caller: Caller,
    id: string,
    { name, assuranceLevel, turns, toolAnswers }: UpdateAssistantTestDto,
  ): Promise<Json<AssistantTestDto>> {
    return this.db.transaction(caller, async (tx) => {
      const { workspaceId } = await tx.findOrThrow(AssistantTestEntity, { id });
      // As whoever creates one: two that want the same name wait for each other.
      await tx.findOrThrow(WorkspaceEntity, { id: workspaceId }, { lock: "no key update" });
      const before = await tx.findOrThrow(AssistantTestEntity, { id }, { lock: "no key update" });
      tx.changesWorkspace(workspaceId);
      if (turns) await assertThere(tx, workspaceId, { entries: entriesOfTurns(turns) });
      if (name !== undefined && name !== before.name && (await tx.findOne(AssistantTestEntity, { workspaceId, name })))
        throw new ConflictException(TAKEN);
      const played = {
        ...(assuranceLevel !== undefined && { assuranceLevel }),
        ...(turns && { turns }),
        ...(toolAnswers && { toolAnswers }),
      };
      const given = {
        ...(name !== undefined && { name }),
        ...played,
        ...(Object.keys(played).length && { lastResult: null }),
      };
      if (Object.keys(given).length)
        await tx.update(AssistantTestEntity, { id }, { ...given, updatedAt: () => "clock_timestamp()" });
      return tx.read(GET_TEST, { id });
    });
  }

  /** @throws NotFoundException */
  delete(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      const { workspaceId } = await tx.findOrThrow(AssistantTestEntity, { id }, { lock: "update" });
      tx.changesWorkspace(workspaceId);
      if (!(await tx.delete(AssistantTestEntity, { id }))) throw notFound();
      return ok();
    });
  }

  /** @throws NotFoundException (the workspace, a test), ConflictException: too many are open */
  run(
    caller: Caller,
    workspaceId: string,
    { testIds, draft }: RunAssistantTestsDto,
  ): Promise<Json<AssistantTestRunDto>> {
    return this.start(caller, workspaceId, "tests", draft, testIds);
  }

  /** @throws as `run` */
  rehearse(caller: Caller, workspaceId: string, draft: AssistantDraftDto): Promise<Json<AssistantTestRunDto>> {
    return this.start(caller, workspaceId, "rehearsal", draft);
  }

  getRun(caller: Caller, id: string): Promise<Json<AssistantTestRunDto>> {
    return this.db.read(caller, GET_RUN, { id });
  }

  listChanged(
    caller: Caller,
    id: string,
    { limit = 25, cursor }: PagingDto,
  ): Promise<Json<Page<RehearsedConversationDto>>> {
    return this.db.page(caller, LIST_CHANGED, { id }, { limit, cursor });
  }

  private start(
    caller: Caller,
    workspaceId: string,
    kind: TestRunKind,
    draft: AssistantDraftDto | undefined,
    testIds?: string[],
  ): Promise<Json<AssistantTestRunDto>> {
    return this.db.transaction(caller, async (tx) => {
      // Locked, so that two requests at once do not both take the last place.
      await tx.findOrThrow(WorkspaceEntity, { id: workspaceId }, { lock: "no key update" });
      tx.changesWorkspace(workspaceId);
      await assertThere(tx, workspaceId, { ...namedIn(draft), tests: testIds });
      const [{ count } = { count: 0 }] = await tx.query(COUNT_OPEN_RUNS, { workspaceId });
      if (count >= MAX_OPEN_RUNS)
        throw new ConflictException(`${MAX_OPEN_RUNS} runs of the workspace are not over: wait for one of them`);
      await tx.query(FORGET_RUNS, { workspaceId, keep: KEPT_RUNS });
      const id = uuid();
      await tx.insert(AssistantTestRunEntity, {
        id,
        workspaceId,
        kind,
        draft: draft ?? null,
        testIds: testIds ?? null,
      });
      await tx.query(MAKE_DUE, { id });
      return (await tx.read(GET_RUN, { id })).created();
    });
  }

  /** What the contact wrote, without personal data, and what the assistant did, until people took over. @throws NotFoundException, BadRequestException */
  private async turnsOf(tx: Tx, workspaceId: string, id: string): Promise<TestTurn[]> {
    const saved = (await tx.read(GET_SAVED, { workspaceId, id, most: MAX_SAVED_MESSAGES })).parse();
    const { contacts, members, ours } = (await tx.read(GET_PEOPLE, { workspaceId, conversationIds: [id] })).parse();
    const [{ names, identifiers } = { names: [], identifiers: [] }] = contacts;
    const redact = redactor({ contact: names, members, identifiers, ours });
    const messages = withoutProofs(saved as unknown as Parameters<typeof withoutProofs>[0]).messages as SavedMessage[];
    const turns = turnsIn(messages).map(({ says, expect }) => ({
      says: redact(says).slice(0, MAX_SAID).toWellFormed(),
      expect,
    }));
    if (!turns.length) throw new BadRequestException("The conversation has no message of its contact");
    return turns;
  }
}

const entriesOfTurns = (turns: readonly TestTurn[]): string[] => turns.flatMap(({ expect }) => expect.kbEntryIds);

/** What a draft names. */
function namedIn({ entries = [], procedures = [] }: AssistantDraftDto = {}): {
  entries: string[];
  procedures: string[];
} {
  const steps = procedures.flatMap((procedure) => procedure.steps ?? []);
  return {
    entries: [
      ...entries.flatMap(({ kbEntryId }) => kbEntryId ?? []),
      ...procedures.flatMap(({ startsWith }) => startsWith?.entries ?? []),
      ...steps.flatMap((step) => (step.type === "say" ? (step.entryId ?? []) : [])),
    ],
    procedures: procedures.flatMap(({ procedureId }) => procedureId ?? []),
  };
}

/** @throws NotFoundException: the workspace does not have all of these */
async function assertThere(
  tx: Tx,
  workspaceId: string,
  named: { entries?: string[]; procedures?: string[]; tests?: string[] | undefined },
): Promise<void> {
  const { entries = [], procedures = [], tests = [] } = named;
  const [found] = await tx.query(HAS_ALL, { workspaceId, entries, procedures, tests });
  if (!found?.all) throw notFound();
}

const EXPECTED = ["answered", "clarified", "small_talk", "handed_off", "discarded"] as const;

function turnsIn(messages: readonly SavedMessage[]): TestTurn[] {
  const turns: TestTurn[] = [];
  let isOpen = false;
  for (const { direction, authorType, body, outcome, kbEntryIds } of messages) {
    if (direction === "inbound") {
      if (!body.trim()) continue;
      if (!isOpen && turns.length === MAX_SAVED_TURNS) break;
      const did = EXPECTED.find((one) => one === outcome) ?? null;
      const expect: Expected = { outcome: did, kbEntryIds: [], tool: null, contains: null };
      if (isOpen) turns.push({ says: `${turns.pop()!.says}\n${body}`, expect });
      else turns.push({ says: body, expect });
      isOpen = true;
      continue;
    }
    if (authorType === "system") continue;
    if (authorType !== "assistant") break;
    if (turns.length) turns.at(-1)!.expect.kbEntryIds = kbEntryIds.slice(0, 3);
    isOpen = false;
  }
  return turns;
}
