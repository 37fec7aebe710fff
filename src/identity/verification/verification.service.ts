import { ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { recordAuditEntry } from "../../audit/audit-entries.js";
import { ASSURANCE_LEVELS } from "../../conversations/assurance-level.js";
import { raise } from "../../conversations/attention/raise.js";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { Json, type Ok, ok } from "../../platform/http/json.js";
import { OutboundError } from "../../platform/outbound/outbound.client.js";
import { recordOutcomes } from "../../platform/outcomes/record-outcomes.js";
import { sameAnswer } from "../answers/same-answer.js";
import { type IdentityEventOrigin, recordIdentityEvent } from "../events/identity-event.js";
import { type Source, VerificationSourcesService } from "../settings/verification-sources.service.js";
import { addFactor, refreshLevel } from "./assurance-level.js";
import { ExpectedAnswers, type Person } from "./expected-answers.js";
import type {
  AnswerResultDto,
  SubmitAnswerDto,
  AskedQuestionsDto,
  AskQuestionsDto,
  AssuranceDto,
  RequireVerificationDto,
} from "./verification.dto.js";
import { VerificationQuestionEntity } from "./verification.entity.js";
import { CHOOSE_QUESTIONS, COUNT_RIGHT_ANSWERS, FIND_CONFIGURED, GET_ASSURANCE } from "./verification.queries.js";
import { type VerificationContext, VerificationContexts } from "./verification-context.js";
import {
  type Cap,
  countWrongAnswer,
  forgiveAttempts,
  giveBackAttempt,
  LOCKED,
  remainingAttempts,
  takeAttempt,
} from "./wrong-answer-caps.js";

const NOT_ALLOWED = "The workspace does not allow proof by questions (kba_dynamic)";

/** Who asks. `promptVersion`: of an agent's instructions, in place of the workspace's setting. */
interface Asker {
  promptVersion?: string;
}
/** Chooses questions, and records that they were asked. */
export type Choose = (how: { count: number } & Asker) => Promise<AskedQuestionsDto>;

/** How the customer's look-up tool did. */
type ToolOutcome = "answered" | "failed";

/** Proof by knowledge: asks questions, compares answers, counts wrong ones, and gates what needs a level. */
@Injectable()
export class VerificationService {
  private readonly contexts: VerificationContexts;

  constructor(
    private readonly db: Database,
    private readonly sources: VerificationSourcesService,
    private readonly expected: ExpectedAnswers,
    config: Config,
  ) {
    this.contexts = new VerificationContexts(config.secretKeys);
  }

  /**
   * Chooses the questions that were asked least so far. A person of whom nothing is on file is asked the same ones.
   * @throws ConflictException if verification is locked or no source is attached
   */
  ask(caller: Caller, conversationId: string, { count = 1 }: AskQuestionsDto): Promise<Json<AskedQuestionsDto>> {
    return this.asking(caller, conversationId, async (tx, choose) => Json.of(await choose({ count })));
  }

  /**
   * Lets `work` choose questions in its own transaction, so that what it does with them happens with the choice or not at all.
   * @throws as `ask`
   */
  asking<T>(caller: Caller, conversationId: string, work: (tx: Tx, choose: Choose) => Promise<T>): Promise<T> {
    return this.noteIfNotConfigured(caller, conversationId, "Questions were requested", (tx) =>
      work(tx, (how) => this.choose(tx, conversationId, how)),
    );
  }

  private async choose(
    tx: Tx,
    conversationId: string,
    { count, ...by }: { count: number } & Asker,
  ): Promise<AskedQuestionsDto> {
    const context = await this.contextOf(tx, conversationId, by);
    const { workspaceId, contactId, settings } = context;
    if (!(await this.configured(tx, context)).sources) throw new NotConfigured();
    if (!settings.allowedFactors.includes("kba_dynamic")) throw new ConflictException(NOT_ALLOWED);
    if ((await remainingAttempts(tx, context, settings)) < 1) throw new ConflictException(LOCKED);
    const chosen = await tx.query(CHOOSE_QUESTIONS, { workspaceId, conversationId, count });
    const questions = chosen.map((question) => ({ id: uuid(), conversationId, contactId, ...question }));
    if (questions.length) await tx.insert(VerificationQuestionEntity, questions);
    for (const { id, source } of questions) {
      await recordIdentityEvent(tx, this.origin(context, `question:${id}:asked`), {
        eventType: "kbv_question_asked",
        factorCategory: "knowledge",
        factorBoundToPrincipal: contactId,
        evidenceRef: `tool:${source}`,
      });
    }
    return { questions: questions.map(({ id, prompt }) => ({ questionId: id, prompt })) };
  }

  /**
   * Compares one answer. It is counted before it is compared, in a transaction of its own, so that neither a race nor a
   * crash gets more wrong answers compared than the caps allow.
   * @throws NotFoundException (the question), ConflictException (answered before, locked, or no longer allowed)
   */
  async answer(
    caller: Caller,
    conversationId: string,
    { questionId, answer }: SubmitAnswerDto,
    by: Asker = {},
  ): Promise<Json<AnswerResultDto>> {
    const taken = await this.db.separateTransaction(caller, async (tx) => {
      const context = await this.contexts.find(tx, conversationId, "shared");
      const question = await tx.findOrThrow(VerificationQuestionEntity, { id: questionId, conversationId });
      if (!context.settings.allowedFactors.includes("kba_dynamic")) return "not allowed";
      const attempt = await takeAttempt(tx, questionId, context, context.settings);
      if (attempt !== "taken") return attempt;
      const source = await this.sources.find(tx, context.workspaceId, question.source);
      return {
        language: context.language,
        question,
        source,
        person: await this.expected.person(tx, context.contactId),
      };
    });
    const expected =
      typeof taken === "object" && taken.source
        ? await this.expectedAnswers(caller.tenantId, taken.source, taken.question.key, taken.person)
        : undefined;
    return this.db.transaction(caller, async (tx) => {
      // A repeat with the same Idempotency-Key gets the first answer before it comes to these checks.
      if (taken === "not allowed") throw new ConflictException(NOT_ALLOWED);
      if (taken === "locked") throw new ConflictException(LOCKED);
      if (taken === "answered") throw new ConflictException("This question has been answered; ask another one");
      const passed = expected?.answers.some((one) => sameAnswer(one, answer, taken.language)) ?? false;
      return this.settle(tx, conversationId, taken.question, passed, expected?.tool, by);
    });
  }

  private async expectedAnswers(
    tenantId: string,
    source: Source,
    key: string,
    person: Person,
  ): Promise<{ answers: string[]; tool?: ToolOutcome }> {
    try {
      const { answers, lookedUp } = await this.expected.answers(tenantId, source, key, person);
      return { answers, tool: lookedUp ? "answered" : undefined };
    } catch (error) {
      // The answer counts as wrong. Otherwise a tool that fails would be a way around the caps.
      if (error instanceof OutboundError) return { answers: [], tool: "failed" };
      throw error;
    }
  }

  /** Records the result of a comparison. */
  private async settle(
    tx: Tx,
    conversationId: string,
    { id: questionId, source }: VerificationQuestionEntity,
    passed: boolean,
    tool: ToolOutcome | undefined,
    by: Asker,
  ): Promise<Json<AnswerResultDto>> {
    // Locks the conversation first, as an erasure does. If it was erased during the look-up, this is 404.
    const context = await this.contextOf(tx, conversationId, by);
    const { contactId, settings } = context;
    // If its contact was merged into another one during the look-up, the answer is about the wrong person.
    if (!(await tx.update(VerificationQuestionEntity, { id: questionId }, { correct: passed }))) throw notFound();
    const bound = { factorBoundToPrincipal: contactId, evidenceRef: `tool:${source}` } as const;
    const origin = (step: string) => this.origin(context, `question:${questionId}:${step}`);
    if (tool) {
      const bad = tool === "failed";
      await recordIdentityEvent(tx, origin("context"), { eventType: "verification_agent_context_used", ...bound });
      await recordOutcomes(tx, [
        {
          workspaceId: context.workspaceId,
          metric: "tool",
          entityType: "tool",
          entityId: source,
          scale: 1,
          value: Number(bad),
          bad,
        },
      ]);
    }
    if (passed) {
      await giveBackAttempt(tx, questionId);
      await recordIdentityEvent(tx, origin("passed"), {
        eventType: "kbv_question_passed",
        factorCategory: "knowledge",
        ...bound,
      });
      if (await this.completesFactor(tx, context)) {
        await addFactor(tx, {
          ...this.origin(context),
          contactId,
          factorType: "kba_dynamic",
          factorCategory: "knowledge",
          evidenceRef: `kbv:${source}`,
          lifetimeMinutes: settings.factorLifetimeMinutes,
        });
      }
    } else {
      await recordIdentityEvent(tx, origin("failed"), {
        eventType: "kbv_question_failed",
        factorCategory: "knowledge",
        ...bound,
      });
      await recordIdentityEvent(tx, origin("factor_failed"), {
        eventType: "factor_failed",
        factorCategory: "knowledge",
        factorType: "kba_dynamic",
        factorBoundToPrincipal: contactId,
        evidenceRef: `kbv:${source}`,
      });
      for (const cap of await countWrongAnswer(tx, questionId, context, settings))
        await this.recordLock(tx, cap, context, questionId);
    }
    const { level } = await refreshLevel(tx, conversationId);
    return Json.of<AnswerResultDto>({
      result: passed ? "passed" : "failed",
      remainingAttempts: await remainingAttempts(tx, context, settings),
      assuranceLevel: level,
    });
  }

  /** Whether there are now enough right answers for a knowledge factor. */
  private async completesFactor(tx: Tx, { conversationId, settings }: VerificationContext): Promise<boolean> {
    const [row] = await tx.query(COUNT_RIGHT_ANSWERS, { conversationId, minutes: settings.factorLifetimeMinutes });
    return row!.right >= settings.requiredCorrectAnswers;
  }

  private async recordLock(tx: Tx, cap: Cap, context: VerificationContext, questionId: string): Promise<void> {
    const { conversationId, settings, contactId, callerId: phone } = context;
    const origin = this.origin(context, `question:${questionId}:lock:${cap}`);
    if (cap === "conversation")
      await recordIdentityEvent(tx, origin, {
        eventType: "identity_locked_per_call",
        factorBoundToPrincipal: contactId,
        evidenceRef: `lockout:per_call:cap=${settings.maxWrongPerConversation}`,
      });
    else if (cap === "identity")
      await recordIdentityEvent(tx, origin, {
        eventType: "identity_locked_per_24h",
        factorBoundToPrincipal: contactId,
        evidenceRef: `per_24h:cap=${settings.maxWrongPerIdentity24h}`,
      });
    else
      await recordIdentityEvent(tx, origin, {
        eventType: "ani_blocked",
        scopeDimension: "caller_ani",
        scopeValues: [phone!],
      });
    await raise(tx, {
      conversationId,
      type: "identity_locked",
      severity: "high",
      reason: "Too many wrong answers were given to verification questions",
    });
  }

  /** @throws ConflictException, saying what is missing, unless the conversation has this level now */
  require(caller: Caller, conversationId: string, { level, purpose }: RequireVerificationDto): Promise<Json<Ok>> {
    return this.noteIfNotConfigured(caller, conversationId, purpose, async (tx) => {
      const context = await this.contexts.find(tx, conversationId, "exclusive");
      const { level: now } = await refreshLevel(tx, conversationId);
      if (ASSURANCE_LEVELS.indexOf(now) >= ASSURANCE_LEVELS.indexOf(level)) return ok();
      const { sources, schemes } = await this.configured(tx, context);
      if (!sources && !(schemes && context.settings.allowedFactors.includes("eid_verified"))) throw new NotConfigured();
      const locked = (await remainingAttempts(tx, context, context.settings)) < 1;
      throw new ConflictException(
        `This needs the assurance level ${level}; the conversation has reached ${now}${locked ? ". Questions are locked after too many wrong answers" : ""}`,
      );
    });
  }

  assurance(caller: Caller, conversationId: string): Promise<Json<AssuranceDto>> {
    return this.db.read(caller, GET_ASSURANCE, { conversationId, pepper: this.contexts.pepper });
  }

  /** Forgives the wrong answers towards all three caps. The attempts keep who forgave them, and when. */
  unlock(caller: Caller, conversationId: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      const context = await this.contexts.find(tx, conversationId, "shared");
      const { attempts, reached } = await forgiveAttempts(tx, context, context.settings, callerId(caller));
      if (attempts) {
        await recordAuditEntry(tx, {
          change: "updated",
          resourceType: "conversation",
          resourceId: conversationId,
          workspaceId: context.workspaceId,
          conversationId,
          fields: reached.map((cap) => `locks.${cap}`),
          counts: { wrongAnswersForgiven: attempts },
        });
      }
      return ok();
    });
  }

  private async configured(
    tx: Tx,
    { workspaceId }: VerificationContext,
  ): Promise<{ sources: boolean; schemes: boolean }> {
    const [row] = await tx.query(FIND_CONFIGURED, { workspaceId });
    return row!;
  }

  /**
   * Does `work`. If the workspace has no way to verify anybody, this is recorded as an event and an attention item. They
   * are written in a transaction of their own, because the refusal rolls back the request's.
   */
  private async noteIfNotConfigured<T>(
    caller: Caller,
    conversationId: string,
    purpose: string,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.db.transaction(caller, work);
    } catch (error) {
      if (error instanceof NotConfigured) {
        await this.db.separateTransaction(caller, async (tx) => {
          const context = await this.contexts.find(tx, conversationId, "shared");
          await recordIdentityEvent(tx, this.origin(context, `unconfigured:${uuid()}`), {
            eventType: "verification_not_configured",
            scopeDimension: "workspace_id",
            scopeValues: [context.workspaceId],
          });
          await raise(tx, {
            conversationId,
            type: "verification_not_configured",
            severity: "medium",
            reason: `${error.message}. ${purpose}`,
          });
        });
      }
      throw error;
    }
  }

  /** The conversation, locked. Its events carry the version of whoever asks. */
  private async contextOf(tx: Tx, conversationId: string, { promptVersion }: Asker): Promise<VerificationContext> {
    const context = await this.contexts.find(tx, conversationId, "exclusive");
    return promptVersion === undefined ? context : { ...context, settings: { ...context.settings, promptVersion } };
  }

  private origin({ conversationId, settings }: VerificationContext, transitionKey = ""): IdentityEventOrigin {
    return { conversationId, transitionKey, promptVersion: settings.promptVersion ?? undefined };
  }
}

class NotConfigured extends ConflictException {
  constructor() {
    super("No verification source is attached to the workspace");
  }
}
