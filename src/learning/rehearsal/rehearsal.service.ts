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
import { GET_PEOPLE } from "../impact/impact.queries.js";
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
  LIST_CHANGED,
  LIST_TESTS,
  MAKE_DUE,
  type SavedMessage,
} from "./rehearsal.queries.js";

/** Of a workspace, that wait or are played. */
const MAX_OPEN_RUNS = 5;
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

  get(caller: Caller, workspaceId: string, id: string): Promise<Json<AssistantTestDto>> {
    return this.db.read(caller, GET_TEST, { workspaceId, id });
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
      const saved = conversationId === undefined ? turns! : await this.turnsOf(tx, workspaceId, conversationId);
      // Locked, so that two requests at once do not both take the last place.
      await tx.findOrThrow(WorkspaceEntity, { id: workspaceId }, { lock: "no key update" });
      tx.changesWorkspace(workspaceId);
      const [{ count } = { count: 0 }] = await tx.query(COUNT_TESTS, { workspaceId });
      if (count >= MAX_TESTS) throw new ConflictException(`A workspace has at most ${MAX_TESTS} tests`);
      const id = uuid();
      const test = { id, workspaceId, name, conversationId: conversationId ?? null, assuranceLevel, toolAnswers };
      if (!(await tx.insertOrIgnore(AssistantTestEntity, { ...test, turns: saved })))
        throw new ConflictException(TAKEN);
      return (await tx.read(GET_TEST, { workspaceId, id })).created();
    });
  }

  /** What came of it before says nothing of it any more. @throws NotFoundException, ConflictException (its name) */
  update(
    caller: Caller,
    workspaceId: string,
    id: string,
    { name, assuranceLevel, turns, toolAnswers }: UpdateAssistantTestDto,
  ): Promise<Json<AssistantTestDto>> {
    return this.db.transaction(caller, async (tx) => {
      // As whoever creates one: two that want the same name wait for each other.
      await tx.findOrThrow(WorkspaceEntity, { id: workspaceId }, { lock: "no key update" });
      const before = await tx.findOrThrow(AssistantTestEntity, { id, workspaceId }, { lock: "no key update" });
      tx.changesWorkspace(workspaceId);
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
      return tx.read(GET_TEST, { workspaceId, id });
    });
  }

  /** @throws NotFoundException */
  delete(caller: Caller, workspaceId: string, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      await tx.findOrThrow(AssistantTestEntity, { id, workspaceId }, { lock: "update" });
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

  getRun(caller: Caller, workspaceId: string, id: string): Promise<Json<AssistantTestRunDto>> {
    return this.db.read(caller, GET_RUN, { workspaceId, id });
  }

  listChanged(
    caller: Caller,
    workspaceId: string,
    id: string,
    { limit = 25, cursor }: PagingDto,
  ): Promise<Json<Page<RehearsedConversationDto>>> {
    return this.db.page(caller, LIST_CHANGED, { workspaceId, id }, { limit, cursor });
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
      for (const id of testIds ?? []) await tx.findOrThrow(AssistantTestEntity, { id, workspaceId });
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
      return (await tx.read(GET_RUN, { workspaceId, id })).created();
    });
  }

  /** What the contact wrote, without personal data, and what the assistant did, until people took over. @throws NotFoundException, BadRequestException */
  private async turnsOf(tx: Tx, workspaceId: string, id: string): Promise<TestTurn[]> {
    const saved = (await tx.read(GET_SAVED, { workspaceId, id, most: MAX_SAVED_MESSAGES })).parse();
    const { contacts, members, ours } = (await tx.read(GET_PEOPLE, { workspaceId, conversationIds: [id] })).parse();
    const [{ names, identifiers } = { names: [], identifiers: [] }] = contacts;
    const redact = redactor({ contact: names, members, identifiers, ours });
    const messages = withoutProofs(saved as unknown as Parameters<typeof withoutProofs>[0]).messages as SavedMessage[];
    const turns = turnsIn(messages).map(({ says, expect }) => ({ says: redact(says).slice(0, MAX_SAID), expect }));
    if (!turns.length) throw new BadRequestException("The conversation has no message of its contact");
    return turns;
  }
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
