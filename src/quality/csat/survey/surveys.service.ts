import { Injectable, NotFoundException } from "@nestjs/common";
import { raise } from "../../../conversations/attention/raise.js";
import { type Caller, system } from "../../../platform/caller/caller.js";
import { Database } from "../../../platform/database/database.js";
import type { Tx } from "../../../platform/database/transaction.js";
import { recordOutcomes } from "../../../platform/outcomes/outcomes.service.js";
import { isSatisfied } from "../score-summary.js";
import { concerned } from "../rated-entities.js";
import { type NamedSurvey, SurveyLinks } from "./survey-links.js";
import { COMMENT, GET, HELPED, HOLD, type OpenSurvey, RATE, type Rated } from "./surveys.queries.js";

/** What was chosen, null for nothing, and what was written, null for nothing. */
export interface Answer {
  score: number | null;
  comment: string | null;
}
/** What came of an answer: it was noted; something was added to it; there was one before; or nothing was chosen that there is. */
export type Outcome = "rated" | "commented" | "known" | "invalid";

/** What contacts see of surveys, and answer. */
@Injectable()
export class Surveys {
  constructor(
    private readonly db: Database,
    private readonly links: SurveyLinks,
  ) {}

  /** Looks and changes nothing: mail scanners do so too. @returns null for what is no survey, or one that is gone */
  async look(token: string): Promise<OpenSurvey | null> {
    const named = this.links.read(token);
    return named && this.find(named);
  }

  /** The first answer counts, whoever else answers at the same moment. @returns null for what is no survey, or one that is gone */
  async answer(token: string, answer: Answer): Promise<{ survey: OpenSurvey; outcome: Outcome } | null> {
    const named = this.links.read(token);
    if (!named) return null;
    const outcome = await this.db.transaction(visitor(named), (tx) => this.answerWithin(tx, named, answer));
    const survey = await this.find(named);
    return survey && { survey, outcome: outcome ?? (survey.score === null ? "invalid" : "known") };
  }

  private async find(named: NamedSurvey): Promise<OpenSurvey | null> {
    try {
      return (await this.db.read(visitor(named), GET, { id: named.id })).parse();
    } catch (error) {
      if (error instanceof NotFoundException) return null;
      throw error;
    }
  }

  private async answerWithin(tx: Tx, { id }: NamedSurvey, { score, comment }: Answer): Promise<Outcome | undefined> {
    tx.unseen();
    await tx.query(HOLD, { id });
    const [rated] = score === null ? [] : await tx.query<Rated>(RATE, { id, score, comment });
    if (rated) {
      tx.within(rated.workspaceId);
      await this.note(tx, rated, score!);
      return "rated";
    }
    const [commented] = comment === null ? [] : await tx.query<{ workspaceId: string }>(COMMENT, { id, comment });
    if (!commented) return undefined;
    tx.within(commented.workspaceId);
    return "commented";
  }

  private async note(tx: Tx, rated: Rated, score: number): Promise<void> {
    const { workspaceId, conversationId, kbEntryIds, scale, lowScoreThreshold } = rated;
    const bad = score <= lowScoreThreshold;
    const whom = [
      ...concerned(rated),
      ...kbEntryIds.map((entityId) => ({ workspaceId, entityType: "kb_entry" as const, entityId })),
    ];
    await recordOutcomes(
      tx,
      whom.map((one) => ({ ...one, metric: "csat", scale, value: score, bad })),
    );
    if (isSatisfied({ score, scale })) await tx.query(HELPED, { kbEntryIds });
    if (bad)
      await raise(tx, {
        conversationId,
        type: "csat_low",
        severity: "medium",
        reason: `The contact rated the conversation ${score} of ${scale}`,
      });
  }
}

/** Whoever has the token; which side it is on makes no difference to what is done here. */
const visitor = ({ tenantId }: NamedSurvey): Caller => system("csat survey", tenantId, "live");
