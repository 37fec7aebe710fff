import { ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { raise } from "../../conversations/attention/raise.js";
import { recordAuditEntry } from "../../audit/audit-entries.js";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import { one, REACHABLE, time } from "../../platform/database/statement.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { Json, type Ok, ok } from "../../platform/http/json.js";
import { OutboundError } from "../../platform/outbound/outbound.client.js";
import { recordOutcomes } from "../../platform/outcomes/outcomes.service.js";
import { sameAnswer } from "../answers/same-answer.js";
import { recordIdentityEvent } from "../events/identity-event.js";
import { SETTINGS } from "../settings/identity-settings.js";
import { type Source, VerificationSourcesService } from "../settings/verification-sources.service.js";
import { addFactor, LEVEL, LEVELS, refreshLevel } from "./assurance-level.js";
import {
  type AxisName,
  countWrong,
  forgive,
  giveBack,
  LOCKED,
  LOCKS,
  remaining,
  takeAttempt,
} from "./wrong-answer-caps.js";
import { Expected, type Person } from "./expected-answers.js";
import { type Situation, Situations } from "./verification-context.js";
import type {
  AnsweredDto,
  AnswerDto,
  AskedQuestionsDto,
  AskQuestionsDto,
  AssuranceDto,
  RequireDto,
} from "./verification.dto.js";

const NOT_ALLOWED = "The workspace does not allow proof by questions (kba_dynamic)";

interface Question {
  source: string;
  key: string;
}
/** What became of asking a tool of the customer's. */
type Tool = "answered" | "failed";

const GET_ASSURANCE = one<AssuranceDto, { conversationId: string; pepper: Buffer }>(
  "assurance.get",
  "workspace",
  `select ${LEVEL} as level,
    (select coalesce(json_agg(i), '[]') from (
      select f.factor_type as "factorType", f.factor_category as "factorCategory", ${time("f.added_at")} as "addedAt", ${time("f.expires_at")} as "expiresAt"
      from verification_factor f where f.tenant_id = c.tenant_id and f.conversation_id = c.id and f.expires_at > clock_timestamp() order by f.added_at desc, f.id) i) as factors,
    ${LOCKS} as locks
  from conversation c join workspace w on w.tenant_id = c.tenant_id and w.id = c.workspace_id left join identity_settings s on s.tenant_id = w.tenant_id and s.workspace_id = w.id
    cross join lateral (select ${SETTINGS}) v
  where c.tenant_id = :tenant and c.id = :conversationId and ${REACHABLE}`,
);

/** Proving who is calling by what they know: questions, answers, caps, and the level that is reached. */
@Injectable()
export class VerificationService {
  private readonly situations: Situations;

  constructor(
    private readonly db: Database,
    private readonly sources: VerificationSourcesService,
    private readonly expected: Expected,
    config: Config,
  ) {
    this.situations = new Situations(config.secretKeys);
  }

  /**
   * Chooses the questions that were asked least so far, whoever the caller is and whatever is on file of them.
   * @throws ConflictException: locked, or no source is attached
   */
  ask(caller: Caller, conversationId: string, { count = 1 }: AskQuestionsDto): Promise<Json<AskedQuestionsDto>> {
    return this.noting(caller, conversationId, "Questions were asked for", async (tx) => {
      const situation = await this.situations.find(tx, conversationId, "alone");
      if (!(await this.configured(tx, situation)).sources) throw new NotConfigured();
      if (!situation.settings.allowedFactors.includes("kba_dynamic")) throw new ConflictException(NOT_ALLOWED);
      if ((await remaining(tx, situation, situation.settings)) < 1) throw new ConflictException(LOCKED);
      const chosen = await tx.query<Question & { prompt: string }>(
        `select s.name as source, q->>'key' as key, q->>'prompt' as prompt
        from verification_source s cross join lateral jsonb_array_elements(s.questions) with ordinality as e (q, place)
        where s.tenant_id = :tenant and s.workspace_id = :workspaceId
        order by (select count(*) from verification_question v where v.tenant_id = :tenant and v.conversation_id = :conversationId and v.source = s.name and v.key = q->>'key'), s.position, place
        limit :count`,
        { ...situation, count },
      );
      const questions = chosen.map(({ source, key, prompt }) => ({ questionId: uuid(), source, key, prompt }));
      await tx.query(
        `insert into verification_question (tenant_id, id, conversation_id, contact_id, source, key, prompt)
        select :tenant, q."questionId", :conversationId, :contactId, q.source, q.key, q.prompt
        from jsonb_to_recordset(:questions::jsonb) as q ("questionId" uuid, source text, key text, prompt text)`,
        { ...situation, questions: JSON.stringify(questions) },
      );
      for (const { questionId, source } of questions) {
        await recordIdentityEvent(tx, this.at(situation, `question:${questionId}:asked`), {
          eventType: "kbv_question_asked",
          factorCategory: "knowledge",
          factorBoundToPrincipal: situation.contactId,
          evidenceRef: `tool:${source}`,
        });
      }
      return Json.of({ questions: questions.map(({ questionId, prompt }) => ({ questionId, prompt })) });
    });
  }

  /**
   * Compares one answer. It is counted before it is compared, in a transaction of its own, so that neither a race nor a
   * crash lets more wrong ones through than the caps.
   * @throws NotFoundException (the question), ConflictException (answered before, locked, not allowed any more)
   */
  async answer(caller: Caller, conversationId: string, { questionId, answer }: AnswerDto): Promise<Json<AnsweredDto>> {
    const taken = await this.db.separateTransaction(caller, async (tx) => {
      const situation = await this.situations.find(tx, conversationId, "shared");
      const [question] = await tx.query<Question>(
        "select source, key from verification_question where tenant_id = :tenant and id = :questionId and conversation_id = :conversationId",
        { questionId, conversationId },
      );
      if (!question) throw notFound();
      if (!situation.settings.allowedFactors.includes("kba_dynamic")) return "not allowed";
      const attempt = await takeAttempt(tx, questionId, situation, situation.settings);
      if (attempt !== "taken") return attempt;
      const source = await this.sources.find(tx, situation.workspaceId, question.source);
      return { situation, question, source, person: await this.expected.person(tx, situation.contactId) };
    });
    const known =
      typeof taken === "object" && taken.source
        ? await this.onFile(taken.source, taken.question.key, taken.person)
        : undefined;
    return this.db.transaction(caller, async (tx) => {
      // A repeat of this very request has been answered by now.
      if (taken === "not allowed") throw new ConflictException(NOT_ALLOWED);
      if (taken === "locked") throw new ConflictException(LOCKED);
      if (taken === "answered") throw new ConflictException("This question has been answered; ask another one");
      const passed = known?.answers.some((one) => sameAnswer(one, answer, taken.situation.language)) ?? false;
      return this.settle(tx, conversationId, questionId, taken.question, passed, known?.tool);
    });
  }

  /** What is on file for the question; of a tool of the customer's, asked now. */
  private async onFile(source: Source, key: string, person: Person): Promise<{ answers: string[]; tool?: Tool }> {
    try {
      const { answers, lookedUp } = await this.expected.answers(source, key, person);
      return { answers, tool: lookedUp ? "answered" : undefined };
    } catch (error) {
      // Nobody is let through, and the attempt stays taken: otherwise a tool that fails would be a way around the caps.
      if (error instanceof OutboundError) return { answers: [], tool: "failed" };
      throw error;
    }
  }

  private async settle(
    tx: Tx,
    conversationId: string,
    questionId: string,
    { source }: Question,
    passed: boolean,
    tool: Tool | undefined,
  ): Promise<Json<AnsweredDto>> {
    // The conversation first, as an erasure takes them; erased with its contact while it was being looked up, it is not found.
    const situation = await this.situations.find(tx, conversationId, "alone");
    await tx.query(
      "update verification_question set correct = :passed where tenant_id = :tenant and id = :questionId",
      { questionId, passed },
    );
    const bound = { factorBoundToPrincipal: situation.contactId, evidenceRef: `tool:${source}` } as const;
    const at = (step: string) => this.at(situation, `question:${questionId}:${step}`);
    if (tool) {
      const bad = tool === "failed";
      await recordIdentityEvent(tx, at("context"), { eventType: "verification_agent_context_used", ...bound });
      await recordOutcomes(tx, [
        {
          workspaceId: situation.workspaceId,
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
      await giveBack(tx, questionId);
      await recordIdentityEvent(tx, at("passed"), {
        eventType: "kbv_question_passed",
        factorCategory: "knowledge",
        ...bound,
      });
      if (await this.completes(tx, situation)) {
        await addFactor(tx, {
          ...this.at(situation),
          contactId: situation.contactId,
          factorType: "kba_dynamic",
          factorCategory: "knowledge",
          evidenceRef: `kbv:${source}`,
          lifetimeMinutes: situation.settings.factorLifetimeMinutes,
        });
      }
    } else {
      await recordIdentityEvent(tx, at("failed"), {
        eventType: "kbv_question_failed",
        factorCategory: "knowledge",
        ...bound,
      });
      await recordIdentityEvent(tx, at("factor_failed"), {
        eventType: "factor_failed",
        factorCategory: "knowledge",
        factorType: "kba_dynamic",
        factorBoundToPrincipal: situation.contactId,
        evidenceRef: `kbv:${source}`,
      });
      for (const axis of await countWrong(tx, questionId, situation, situation.settings))
        await this.lockOn(tx, axis, situation, questionId);
    }
    const { level } = await refreshLevel(tx, conversationId);
    return Json.of<AnsweredDto>({
      result: passed ? "passed" : "failed",
      remainingAttempts: await remaining(tx, situation, situation.settings),
      assuranceLevel: level,
    });
  }

  /** Whether this right answer is the last that is needed: of so many different questions, right and young enough, since the factor before. */
  private async completes(tx: Tx, { conversationId, settings }: Situation): Promise<boolean> {
    const [row] = await tx.query<{ right: number }>(
      `select count(distinct (q.source, q.key))::int as right from verification_question q
      where q.tenant_id = :tenant and q.conversation_id = :conversationId and q.correct and q.answered_at > clock_timestamp() - make_interval(mins => :minutes::int)
        and q.answered_at > coalesce((select max(f.added_at) from verification_factor f where f.tenant_id = q.tenant_id and f.conversation_id = q.conversation_id and f.factor_type = 'kba_dynamic'), '-infinity')`,
      { conversationId, minutes: settings.factorLifetimeMinutes },
    );
    return row!.right >= settings.requiredCorrectAnswers;
  }

  private async lockOn(tx: Tx, axis: AxisName, situation: Situation, questionId: string): Promise<void> {
    const { settings, contactId, callerId: phone } = situation;
    const at = this.at(situation, `question:${questionId}:lock:${axis}`);
    if (axis === "conversation")
      await recordIdentityEvent(tx, at, {
        eventType: "identity_locked_per_call",
        factorBoundToPrincipal: contactId,
        evidenceRef: `lockout:per_call:cap=${settings.maxWrongPerConversation}`,
      });
    else if (axis === "identity")
      await recordIdentityEvent(tx, at, {
        eventType: "identity_locked_per_24h",
        factorBoundToPrincipal: contactId,
        evidenceRef: `per_24h:cap=${settings.maxWrongPerIdentity24h}`,
      });
    else
      await recordIdentityEvent(tx, at, {
        eventType: "ani_blocked",
        scopeDimension: "caller_ani",
        scopeValues: [phone!],
      });
    await raise(tx, {
      conversationId: situation.conversationId,
      type: "identity_locked",
      severity: "high",
      reason: "Too many wrong answers were given to verification questions",
    });
  }

  /**
   * A gate: 200 where the level is met now.
   * @throws ConflictException saying what is missing
   */
  require(caller: Caller, conversationId: string, { level, purpose }: RequireDto): Promise<Json<Ok>> {
    return this.noting(caller, conversationId, purpose, async (tx) => {
      const situation = await this.situations.find(tx, conversationId, "alone");
      const { level: now } = await refreshLevel(tx, conversationId);
      if (LEVELS.indexOf(now) >= LEVELS.indexOf(level)) return ok();
      const { sources, schemes } = await this.configured(tx, situation);
      if (!sources && !(schemes && situation.settings.allowedFactors.includes("eid_verified")))
        throw new NotConfigured();
      const locked = (await remaining(tx, situation, situation.settings)) < 1;
      throw new ConflictException(
        `This needs the assurance level ${level}; the conversation has reached ${now}${locked ? ". Questions are locked after too many wrong answers" : ""}`,
      );
    });
  }

  assurance(caller: Caller, conversationId: string): Promise<Json<AssuranceDto>> {
    return this.db.read(caller, GET_ASSURANCE, { conversationId, pepper: this.situations.pepper });
  }

  /** Forgives the wrong answers on all three axes; who did it and when stays with each of them. */
  unlock(caller: Caller, conversationId: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      const situation = await this.situations.find(tx, conversationId, "shared");
      const { attempts, locked } = await forgive(tx, situation, situation.settings, callerId(caller));
      if (attempts) {
        await recordAuditEntry(tx, {
          change: "updated",
          resourceType: "conversation",
          resourceId: conversationId,
          workspaceId: situation.workspaceId,
          conversationId,
          fields: locked.map((axis) => `locks.${axis}`),
          counts: { wrongAnswersForgiven: attempts },
        });
      }
      return ok();
    });
  }

  private async configured(tx: Tx, { workspaceId }: Situation): Promise<{ sources: boolean; schemes: boolean }> {
    const attached = (table: string): string =>
      `exists (select from ${table} s where s.tenant_id = :tenant and s.workspace_id = :workspaceId)`;
    const [row] = await tx.query<{ sources: boolean; schemes: boolean }>(
      `select ${attached("verification_source")} as sources, ${attached("eid_scheme")} as schemes`,
      { workspaceId },
    );
    return row!;
  }

  /** Where nothing is configured nobody could ever pass: that is for a person to see, and an event of its own, which the refusal must not undo. */
  private async noting<T>(
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
          const situation = await this.situations.find(tx, conversationId, "shared");
          await recordIdentityEvent(tx, this.at(situation, `unconfigured:${uuid()}`), {
            eventType: "verification_not_configured",
            scopeDimension: "workspace_id",
            scopeValues: [situation.workspaceId],
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

  private at(
    { conversationId, settings }: Situation,
    transitionKey = "",
  ): { conversationId: string; transitionKey: string; promptVersion?: string } {
    return { conversationId, transitionKey, promptVersion: settings.promptVersion ?? undefined };
  }
}

class NotConfigured extends ConflictException {
  constructor() {
    super("No verification source is attached to the workspace");
  }
}
