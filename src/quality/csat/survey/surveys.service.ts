import { Injectable, NotFoundException } from "@nestjs/common";
import { raise } from "../../../conversations/attention/raise.js";
import { type Caller, system } from "../../../platform/caller/caller.js";
import { Database } from "../../../platform/database/database.js";
import type { Tx } from "../../../platform/database/transaction.js";
import { recordOutcomes } from "../../../platform/outcomes/record-outcomes.js";
import { isSatisfied } from "../score-summary.js";
import { ratedEntities } from "../rated-entities.js";
import { type NamedSurvey, SurveyLinks } from "./survey-links.js";
import {
  ADD_COMMENT,
  COUNT_HELPFUL,
  GET_SURVEY,
  LOCK_CONVERSATION,
  type OpenSurvey,
  RATE,
  type RatedSurvey,
} from "./surveys.queries.js";

/** A score and a comment, each null if there is none. */
export interface Answer {
  score: number | null;
  comment: string | null;
}
/**
 * The result of an answer: `rated`: stored; `commented`: a comment was added to an earlier one; `known`: there was one
 * before; `invalid`: no score of the scale was chosen.
 */
export type AnswerResult = "rated" | "commented" | "known" | "invalid";

/** Surveys, as contacts see and answer them. */
@Injectable()
export class SurveysService {
  constructor(
    private readonly db: Database,
    private readonly links: SurveyLinks,
  ) {}

  /** Changes nothing, because mail scanners open links, too. @returns null: there is no such survey, or it is closed */
  async open(token: string): Promise<OpenSurvey | null> {
    const named = this.links.read(token);
    return named && this.find(named);
  }

  /** Only the first answer counts, also among concurrent ones. @returns null: there is no such survey, or it is closed */
  async answer(token: string, answer: Answer): Promise<{ survey: OpenSurvey; outcome: AnswerResult } | null> {
    const named = this.links.read(token);
    if (!named) return null;
    const outcome = await this.db.transaction(visitor(named), (tx) => this.answerWithin(tx, named, answer));
    const survey = await this.find(named);
    return survey && { survey, outcome: outcome ?? (survey.score === null ? "invalid" : "known") };
  }

  private async find(named: NamedSurvey): Promise<OpenSurvey | null> {
    try {
      return (await this.db.read(visitor(named), GET_SURVEY, { id: named.id })).parse();
    } catch (error) {
      if (error instanceof NotFoundException) return null;
      throw error;
    }
  }

  private async answerWithin(
    tx: Tx,
    { id }: NamedSurvey,
    { score, comment }: Answer,
  ): Promise<AnswerResult | undefined> {
    tx.changesNothingVisible();
    await tx.query(LOCK_CONVERSATION, { id });
    const [rated] = score === null ? [] : await tx.query(RATE, { id, score, comment });
    if (rated) {
      tx.changesWorkspace(rated.workspaceId);
      await this.recordRating(tx, rated, score!);
      return "rated";
    }
    const [commented] = comment === null ? [] : await tx.query(ADD_COMMENT, { id, comment });
    if (!commented) return undefined;
    tx.changesWorkspace(commented.workspaceId);
    return "commented";
  }

  private async recordRating(tx: Tx, rated: RatedSurvey, score: number): Promise<void> {
    const { workspaceId, conversationId, kbEntryIds, scale, lowScoreThreshold } = rated;
    const bad = score <= lowScoreThreshold;
    const entries = kbEntryIds.map((entityId) => ({ workspaceId, entityType: "kb_entry" as const, entityId }));
    await recordOutcomes(tx, [
      ...[...ratedEntities(rated), ...entries].map((one) => ({
        ...one,
        metric: "csat" as const,
        scale,
        value: score,
        bad,
      })),
      // What the answers were good for was counted when the conversation was resolved.
      ...(bad ? entries.map((one) => ({ ...one, metric: "answer" as const, scale: 1, value: 1, bad })) : []),
    ]);
    if (isSatisfied({ score, scale })) await tx.query(COUNT_HELPFUL, { kbEntryIds });
    if (bad)
      await raise(tx, {
        conversationId,
        type: "csat_low",
        severity: "medium",
        reason: `The contact rated the conversation ${score} of ${scale}`,
      });
  }
}

/** The holder of the token. The side, live or test, makes no difference here. */
const visitor = ({ tenantId }: NamedSurvey): Caller => system("csat survey", tenantId, "live");
