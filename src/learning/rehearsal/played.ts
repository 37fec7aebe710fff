import type { AssuranceLevel } from "../../conversations/assurance-level.js";
import { answerIn } from "../../assistant/digressions.service.js";
import { HITS } from "../../assistant/judgement.js";
import type { ProcedureReader } from "../../assistant/procedures/reading.js";
import type { LanguageModel } from "../../assistant/language-model.js";
import type { KbHit } from "../../assistant/plan.js";
import { type Asked, Digressions } from "../../assistant/procedures/digressions.js";
import type { Digression } from "../../assistant/procedures/engine.js";
import type { OpenRun, SaveArgs, Taken } from "../../assistant/procedures/procedure-runs.queries.js";
import { type Known, ProcedureStore } from "../../assistant/procedures/procedure-store.js";
import type { State } from "../../assistant/procedures/state.js";
import { boundOf, shownTo } from "../../assistant/tools/argument-schema.js";
import { BUILT_IN, isBuiltIn } from "../../assistant/tools/built-in.js";
import type { Bound } from "../../assistant/tools/tool-calls.queries.js";
import {
  type MadeCall,
  type OfferedTool,
  ToolCalls,
  type ToolOutcome,
  type ToolRequest,
  type ToolRun,
} from "../../assistant/tools/tool-calls.js";
import type { ToolGate } from "../../assistant/tools/tool-gate.js";
import type { KbEntryDto } from "../../knowledge/kb-entries/kb-entries.dto.js";
import type { KbSaid } from "../../knowledge/kb-entries/kb-entries.queries.js";
import type { EntrySearchService, Meanings } from "../../knowledge/review/entry-search.service.js";
import type { Caller, SystemCaller } from "../../platform/caller/caller.js";
import type { Database } from "../../platform/database/database.js";
import { Json } from "../../platform/http/json.js";
import type { Scene } from "./scene.js";

/** A tool would be called, and nobody says what it would answer. */
export class Unanswered extends Error {}

/** What a tool answers, in the order of the calls. */
export interface ToolAnswer {
  tool: string;
  answer: unknown;
}

/** A language model costs money and says something else each time: a play goes on without it. */
export const NO_MODEL: LanguageModel = {
  configured: false,
  think: () => Promise.reject(new Error("A play has no language model")),
};
export const READS_NOTHING: ProcedureReader = { read: () => Promise.resolve({ off: null }) };

/** What two plays that are compared have in common: a search is made once for both, unless one has other entries. */
export class Shared {
  readonly meanings: Meanings = new Map();
  readonly found = new Map<string, Promise<KbHit[]>>();
}

/** Searches as the assistant does, among the entries of the scene, and counts nothing. */
export class PlayedSearch {
  constructor(
    private readonly finder: EntrySearchService<KbEntryDto, KbSaid>,
    private readonly scene: Scene,
    private readonly shared: Shared,
  ) {}

  async search(caller: Caller, workspaceId: string, { q = "" }: { q?: string }): Promise<Json<KbHit[]>> {
    const { found, meanings } = this.shared;
    const { draft } = this.scene;
    const hits =
      (draft ? undefined : found.get(q)) ?? this.finder.lookIn(caller, workspaceId, q, HITS, { draft, meanings });
    if (!draft) found.set(q, hits);
    return Json.of(await hits);
  }
}

/** Asks nobody for proof: where it would be asked for, the play ends. */
export const PLAYED_DIALOGUE = {
  ask: () => Promise.resolve({ kind: "asked" } as const),
  answer: () => Promise.resolve(undefined),
};

export class PlayedDigressions extends Digressions {
  constructor(
    private readonly search: PlayedSearch,
    private readonly scene: Scene,
  ) {
    super();
  }

  async answer(caller: Caller, about: Asked): Promise<Digression | undefined> {
    const found = (await this.search.search(caller, about.workspaceId, { q: about.text })).parse();
    return answerIn(found, about, this.scene.thresholds);
  }
}

/** Keeps in memory how far the procedure of a play is. */
export class PlayedStore extends ProcedureStore {
  private open: OpenRun | null = null;
  /** The tools that the turn has called. */
  called: string[] = [];
  procedureId: string | null = null;

  constructor(
    private readonly scene: Scene,
    private readonly level: AssuranceLevel,
  ) {
    super();
  }

  /** A turn begins. */
  begin(): void {
    this.called = [];
    this.procedureId = this.open?.procedureId ?? null;
  }

  known(): Promise<Known> {
    const { workspaceId, today, procedures } = this.scene;
    const active = procedures.filter(({ status }) => status === "active");
    return Promise.resolve({
      workspaceId,
      today,
      level: this.level,
      open: structuredClone(this.open),
      starts: active
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ id, name, startsWith }) => ({ procedureId: id, name, startsWith })),
    });
  }

  steps(_caller: SystemCaller, _run: ToolRun, procedureId: string): Promise<Taken | undefined> {
    return Promise.resolve(this.taken(procedureId));
  }

  note(_caller: SystemCaller, _run: ToolRun, _steps: readonly object[], saved: SaveArgs | null): Promise<null> {
    if (saved) this.save(saved);
    return Promise.resolve(null);
  }

  save({ id, procedureId, state, ending }: SaveArgs): void {
    const taken = this.taken(procedureId);
    this.procedureId = procedureId;
    this.open = taken && ending === null ? { ...taken, id, state: JSON.parse(state) as State } : null;
  }

  private taken(procedureId: string): Taken | undefined {
    const found = this.scene.procedures.find(({ id }) => id === procedureId);
    if (!found) return undefined;
    const entries = Object.fromEntries(this.scene.said.map(({ id, answer }) => [id, answer]));
    return { procedureId, version: found.version, steps: structuredClone(found.steps), entries };
  }
}

/** Nobody: what was done for a contact before counts for nobody of this id. */
const NOBODY = {
  id: "00000000-0000-0000-0000-000000000000",
  externalId: "test-contact",
  name: null,
  language: null,
  emails: ["contact@example.com"],
  phones: ["+15550100"],
  labels: [],
  attributes: {},
};

/** Decides about calls as for any contact, and makes none: the test says what each tool answers. */
export class PlayedTools extends ToolCalls {
  private readonly left: ToolAnswer[];
  private readonly refused = new Set<string>();

  constructor(
    private readonly db: Database,
    private readonly gate: ToolGate,
    private readonly scene: Scene,
    private readonly about: { channelType: string; level: AssuranceLevel },
    private readonly store: PlayedStore,
    answers: readonly ToolAnswer[],
  ) {
    super();
    this.left = [...answers];
  }

  offered(): Promise<OfferedTool[]> {
    const { agent, tools } = this.scene;
    const ours = agent.tools.filter(isBuiltIn).map((name) => ({ name, ...BUILT_IN[name] }));
    const own = tools
      .filter(({ name }) => agent.tools.includes(name))
      .map(({ name, description, effect, publicFields, parameters }) => ({
        ...{ name, description, effect, publicFields, parameters: shownTo(parameters) },
        bound: boundOf(parameters).map(([property]) => property),
      }));
    return Promise.resolve([...ours, ...own]);
  }

  made(): Promise<MadeCall[]> {
    return Promise.resolve([]);
  }

  async call(
    caller: SystemCaller,
    run: ToolRun,
    { tool, arguments: given }: ToolRequest,
    { tainted }: { tainted: boolean },
  ): Promise<ToolOutcome> {
    const bound = this.boundOf(run, tool);
    const checked = this.gate.check(caller.tenantId, tool, given, bound);
    if (typeof checked === "string") return { kind: "refused", reason: checked };
    const { effect, reason } = await this.db.transaction(caller, (tx) => {
      tx.changesNothingVisible();
      return this.gate.decide(tx, tool, checked, bound, tainted, { played: true });
    });
    switch (effect) {
      case "deny": {
        const again = this.refused.has(checked.hash);
        this.refused.add(checked.hash);
        return again ? { kind: "escalated", reason } : { kind: "refused", reason };
      }
      case "escalate":
        return { kind: "escalated", reason };
      case "verify":
        return { kind: "waits", for: "verification", pendingActionId: null };
      case "require_approval":
        return { kind: "waits", for: "approval", pendingActionId: null };
      case "allow":
        this.store.called.push(tool);
        return { kind: "result", value: this.answerOf(tool) };
    }
  }

  /** @throws Unanswered */
  private answerOf(tool: string): unknown {
    const at = this.left.findIndex((answer) => answer.tool === tool);
    if (at >= 0) return this.left.splice(at, 1)[0]!.answer;
    if (isBuiltIn(tool)) return { ok: true };
    throw new Unanswered(tool);
  }

  private boundOf({ conversationId }: ToolRun, tool: string): Bound {
    const { workspaceId, primaryLanguage, agent, tools } = this.scene;
    const own = tools.find(({ name }) => name === tool);
    return {
      workspaceId,
      conversationId,
      agentId: agent.id,
      channelType: this.about.channelType,
      priority: "none",
      labels: [],
      primaryLanguage,
      level: this.about.level,
      senderProof: "none",
      contact: NOBODY,
      tools: agent.tools,
      guardrails: agent.guardrails,
      tool: own ? { ...own, url: "", statusUrl: null } : null,
      sealed: null,
      policies: [],
      off: null,
      workspaceOff: null,
    };
  }
}
