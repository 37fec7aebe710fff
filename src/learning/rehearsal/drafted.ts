import { ConflictException } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { KbEntryDto } from "../../knowledge/kb-entries/kb-entries.dto.js";
import type { AssistantDraftDto, DraftEntryDto } from "./draft.dto.js";
import type { Scene, SceneProcedure } from "./scene.js";

/** As far as the index reads an answer. In characters. */
const MAX_ANSWER_READ = 640;

/** How an entry is asked for, and its answer, as the index has them. */
export function textsOf({ question, alternateQuestions, answer }: KbEntryDto): { n: number; said: string }[] {
  const asked = [question, ...alternateQuestions];
  const first = asked.map((said, i) => ({ n: i + 1, said })).filter(({ said, n }) => asked.indexOf(said) === n - 1);
  return [...first, { n: 0, said: [...answer].slice(0, MAX_ANSWER_READ).join("") }];
}

/**
 * The entries that would be in use instead.
 * @param stored those that the draft names
 * @throws ConflictException: one of them is gone, or cannot be approved
 */
export function entriesIn(
  drafted: readonly DraftEntryDto[],
  stored: ReadonlyMap<string, KbEntryDto>,
  { workspaceId, primaryLanguage }: Pick<Scene, "workspaceId" | "primaryLanguage">,
): { without: string[]; entries: KbEntryDto[] } {
  const without: string[] = [];
  const entries: KbEntryDto[] = [];
  for (const { kbEntryId, ends, ...texts } of drafted) {
    const before = kbEntryId === undefined ? undefined : stored.get(kbEntryId);
    if (kbEntryId !== undefined && before?.workspaceId !== workspaceId)
      throw new ConflictException(`The entry ${kbEntryId} is not in the workspace any more`);
    if (before) without.push(before.id);
    if (ends) continue;
    if (before && before.status !== "approved" && before.status !== "pending")
      throw new ConflictException(`The entry ${before.id} is ${before.status}`);
    if (before?.replacesDuplicate && before.status === "pending" && before.duplicateOfId !== null)
      without.push(before.duplicateOfId);
    if (before?.validUntil && Date.parse(before.validUntil) <= Date.now()) continue;
    const given = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined));
    entries.push({ ...(before ?? newEntry(workspaceId, primaryLanguage)), ...given, status: "approved" });
  }
  return { without, entries };
}

const newEntry = (workspaceId: string, language: string): KbEntryDto =>
  ({ id: uuid(), workspaceId, language, alternateQuestions: [], duplicateOfId: null }) as unknown as KbEntryDto;

/** The scene as it would be, but for its entries. @throws ConflictException: a procedure is gone */
export function sceneIn(
  scene: Scene,
  { settings = {}, agent = {}, procedures = [] }: AssistantDraftDto,
  entries: { without: readonly string[]; entries: readonly KbEntryDto[] },
): Scene {
  const said = scene.said.filter(({ id }) => !entries.without.includes(id));
  return {
    ...scene,
    thresholds: { ...scene.thresholds, ...given(settings) },
    agent: { ...scene.agent, ...given(agent) },
    procedures: procedures.reduce(withProcedure, scene.procedures),
    said: [...said, ...entries.entries],
  };
}

function withProcedure(
  all: SceneProcedure[],
  { procedureId, ...changes }: NonNullable<AssistantDraftDto["procedures"]>[number],
): SceneProcedure[] {
  if (procedureId === undefined) {
    const made = {
      id: uuid(),
      name: "",
      version: 1,
      status: "active",
      startsWith: { entries: [], phrases: [] },
    } as const;
    return [...all, { ...made, steps: [], ...given(changes) } as SceneProcedure];
  }
  if (!all.some(({ id }) => id === procedureId))
    throw new ConflictException(`The procedure ${procedureId} is not of the agent that answers`);
  return all.map((one) => (one.id === procedureId ? { ...one, ...given(changes) } : one));
}

/** What is given, without what is left out. */
const given = <T extends object>(changes: T): Partial<{ [K in keyof T]: Exclude<T[K], undefined> }> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Partial<{
    [K in keyof T]: Exclude<T[K], undefined>;
  }>;
