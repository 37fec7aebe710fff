/**
 * A model of verification by questions, written from the documents, with plain lists and a clock of whole minutes: what
 * each step answers and which events it writes. It shares no code with the application.
 */

export interface Settings {
  requiredCorrectAnswers: number;
  maxWrongPerConversation: number;
  maxWrongPerIdentity24h: number;
  maxWrongPerCallerId24h: number;
  factorLifetimeMinutes: number;
  allowedFactors: string[];
  promptVersion: string | null;
}
export interface Source {
  name: string;
  type: "contact_attributes" | "http";
  prompts: { key: string; prompt: string }[];
}
export interface Workspace {
  id: string;
  settings: Settings;
  sources: Source[];
}
export interface Conversation {
  id: string;
  workspace: Workspace;
  contactId: string;
  callerId: string | null;
}
export interface Question {
  id: string;
  conversation: Conversation;
  source: string;
  key: string;
  prompt: string;
  answered: Moment | null;
  correct: boolean;
}
/** A row of `identity_event` without ids and times. */
export interface Event {
  conversation: string;
  type: string;
  category: string | null;
  factor: string | null;
  principal: string | null;
  dimension: string | null;
  values: string[] | null;
  evidence: string | null;
  prompt: string | null;
}
export interface Outcome {
  status: number;
  body?: object;
}
export type Axis = "conversation" | "identity" | "callerId";

/** Keeps the order of things that happen in the same minute. */
interface Moment {
  minute: number;
  order: number;
}
interface Attempt {
  conversation: Conversation;
  at: Moment;
  wrong: boolean;
  forgiven: boolean;
}
interface Factor {
  conversation: Conversation;
  added: Moment;
  expires: number;
}

const DAY = 24 * 60;
const AXES: Axis[] = ["conversation", "identity", "callerId"];
const LEVELS = ["none", "identified", "high-assurance"];
const OK = { status: 200, body: { ok: true } };
const CONFLICT = { status: 409 };
const NOTHING = { category: null, factor: null, principal: null, dimension: null, values: null, evidence: null };

export class Model {
  readonly events: Event[] = [];
  readonly conversations: Conversation[] = [];
  readonly questions: Question[] = [];
  private readonly attempts: Attempt[] = [];
  private readonly factors: Factor[] = [];
  private minute = 0;
  private order = 0;

  pass(minutes: number): void {
    this.minute += minutes;
  }

  /** @returns the questions, whose ids come from the application */
  ask(conversation: Conversation, count: number): { status: number; questions: Question[] } {
    const { sources, settings } = conversation.workspace;
    if (
      !this.configured(conversation) ||
      !settings.allowedFactors.includes("kba_dynamic") ||
      this.remaining(conversation) < 1
    )
      return { status: 409, questions: [] };
    const asked = (source: string, key: string): number =>
      this.questions.filter((one) => one.conversation === conversation && one.source === source && one.key === key)
        .length;
    const questions = sources
      .flatMap(({ name, prompts }) => prompts.map((one) => ({ ...one, source: name, times: asked(name, one.key) })))
      // Among equals, the order of the list decides.
      .sort((a, b) => a.times - b.times)
      .slice(0, count)
      .map(({ source, key, prompt }): Question => ({
        id: "",
        conversation,
        source,
        key,
        prompt,
        answered: null,
        correct: false,
      }));
    for (const { source } of questions)
      this.add(conversation, { type: "kbv_question_asked", category: "knowledge", evidence: `tool:${source}` });
    this.questions.push(...questions);
    return { status: 200, questions };
  }

  answer(conversation: Conversation, question: Question | undefined, right: boolean): Outcome {
    if (question?.conversation !== conversation) return { status: 404 };
    const { settings, sources } = conversation.workspace;
    if (!settings.allowedFactors.includes("kba_dynamic") || this.remaining(conversation) < 1 || question.answered)
      return CONFLICT;
    const { source } = question;
    const attached = sources.find(({ name }) => name === source);
    question.answered = this.now();
    const passed = (question.correct = right && attached !== undefined);
    if (attached?.type === "http")
      this.add(conversation, { type: "verification_agent_context_used", evidence: `tool:${source}` });
    if (passed) {
      this.add(conversation, { type: "kbv_question_passed", category: "knowledge", evidence: `tool:${source}` });
      if (this.completes(conversation)) this.addFactor(conversation, source);
    } else {
      this.attempts.push({ conversation, at: question.answered, wrong: true, forgiven: false });
      this.add(conversation, { type: "kbv_question_failed", category: "knowledge", evidence: `tool:${source}` });
      this.add(conversation, {
        type: "factor_failed",
        category: "knowledge",
        factor: "kba_dynamic",
        evidence: `kbv:${source}`,
      });
      for (const axis of AXES)
        if (this.against(conversation, axis).filter(({ wrong }) => wrong).length === cap(settings, axis))
          this.lock(conversation, axis);
    }
    return {
      status: 200,
      body: {
        result: passed ? "passed" : "failed",
        remainingAttempts: Math.max(0, this.remaining(conversation)),
        assuranceLevel: this.level(conversation),
      },
    };
  }

  /** The process dies after it counted an answer and before it compared it. */
  crash(question: Question): void {
    question.answered = this.now();
    this.attempts.push({ conversation: question.conversation, at: question.answered, wrong: false, forgiven: false });
  }

  unlock(conversation: Conversation): Outcome {
    for (const axis of AXES) for (const attempt of this.against(conversation, axis)) attempt.forgiven = true;
    return OK;
  }

  /** If the level is reached, nothing has to be configured. */
  require(conversation: Conversation, level: string): Outcome {
    if (LEVELS.indexOf(this.level(conversation)) >= LEVELS.indexOf(level)) return OK;
    this.configured(conversation);
    return CONFLICT;
  }

  /** Locks are in minutes from now. Null if only an unlock ends them. */
  assurance(conversation: Conversation): {
    level: string;
    factors: number;
    locks: Record<Axis, { minutes: number | null } | null>;
  } {
    const locks = Object.fromEntries(
      AXES.map((axis) => {
        const most = cap(conversation.workspace.settings, axis);
        const against = this.against(conversation, axis);
        if (against.length < most) return [axis, null];
        return [axis, { minutes: axis === "conversation" ? null : against.at(-most)!.at.minute + DAY - this.minute }];
      }),
    ) as Record<Axis, { minutes: number | null } | null>;
    return { level: this.level(conversation), factors: this.valid(conversation).length, locks };
  }

  remaining(conversation: Conversation): number {
    return Math.min(
      ...AXES.map((axis) => cap(conversation.workspace.settings, axis) - this.against(conversation, axis).length),
    );
  }

  private now(): Moment {
    return { minute: this.minute, order: ++this.order };
  }

  /** The attempts that count against the conversation, its person or its caller, oldest first. */
  private against({ contactId, callerId, ...rest }: Conversation, axis: Axis): Attempt[] {
    return this.attempts.filter(({ forgiven, at, conversation: other }) => {
      if (forgiven) return false;
      if (axis === "conversation") return other.id === rest.id;
      return (
        this.minute - at.minute < DAY &&
        (axis === "identity" ? other.contactId === contactId : callerId !== null && other.callerId === callerId)
      );
    });
  }

  private valid(conversation: Conversation): Factor[] {
    return this.factors.filter((factor) => factor.conversation === conversation && factor.expires > this.minute);
  }

  /** Right answers are always one category of factor: knowledge. */
  private level(conversation: Conversation): string {
    return this.valid(conversation).length ? "identified" : "none";
  }

  private completes(conversation: Conversation): boolean {
    const { requiredCorrectAnswers, factorLifetimeMinutes } = conversation.workspace.settings;
    const since = Math.max(
      0,
      ...this.factors.filter((factor) => factor.conversation === conversation).map(({ added }) => added.order),
    );
    const right = this.questions.filter(
      (one) =>
        one.conversation === conversation &&
        one.correct &&
        one.answered!.order > since &&
        this.minute - one.answered!.minute < factorLifetimeMinutes,
    );
    return new Set(right.map(({ source, key }) => `${source} ${key}`)).size >= requiredCorrectAnswers;
  }

  private addFactor(conversation: Conversation, source: string): void {
    const before = this.level(conversation);
    this.factors.push({
      conversation,
      added: this.now(),
      expires: this.minute + conversation.workspace.settings.factorLifetimeMinutes,
    });
    this.add(conversation, {
      type: "factor_added",
      category: "knowledge",
      factor: "kba_dynamic",
      evidence: `kbv:${source}`,
    });
    if (before === "none")
      this.add(conversation, { type: "assurance_level_reached", dimension: "assurance_level", values: ["identified"] });
  }

  private lock(conversation: Conversation, axis: Axis): void {
    const most = cap(conversation.workspace.settings, axis);
    if (axis === "conversation")
      this.add(conversation, { type: "identity_locked_per_call", evidence: `lockout:per_call:cap=${most}` });
    else if (axis === "identity")
      this.add(conversation, { type: "identity_locked_per_24h", evidence: `per_24h:cap=${most}` });
    else
      this.add(conversation, {
        type: "ani_blocked",
        principal: null,
        dimension: "caller_ani",
        values: [conversation.callerId!],
      });
  }

  private configured(conversation: Conversation): boolean {
    const { id, sources } = conversation.workspace;
    if (sources.length) return true;
    this.add(conversation, {
      type: "verification_not_configured",
      principal: null,
      dimension: "workspace_id",
      values: [id],
    });
    return false;
  }

  private add(
    { id, contactId, workspace: { settings } }: Conversation,
    event: Partial<Event> & { type: string },
  ): void {
    this.events.push({ conversation: id, ...NOTHING, principal: contactId, prompt: settings.promptVersion, ...event });
  }
}

const cap = (settings: Settings, axis: Axis): number =>
  ({
    conversation: settings.maxWrongPerConversation,
    identity: settings.maxWrongPerIdentity24h,
    callerId: settings.maxWrongPerCallerId24h,
  })[axis];
