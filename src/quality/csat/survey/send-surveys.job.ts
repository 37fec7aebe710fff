import { HttpException, Injectable } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { v7 as uuid } from "uuid";
import { MessagesService } from "../../../conversations/messages.service.js";
import { Database } from "../../../platform/database/database.js";
import type { Tx } from "../../../platform/database/transaction.js";
import type { DueQueue } from "../../../platform/jobs/due-queue.js";
import { JobRunner } from "../../../platform/jobs/job-runner.js";
import { recordOutcomes } from "../../../platform/outcomes/record-outcomes.js";
import { ratedEntities } from "../rated-entities.js";
import { SURVEY_LINK } from "./survey-links.js";
import { questionFor } from "./survey-texts.js";
import {
  type Candidate,
  CLAIM_SURVEYS,
  type DueSurvey,
  FIND_CANDIDATE,
  INSERT_SURVEY,
  LOCK_CONTACT,
  LOCK_CONVERSATION,
  SURVEYS_LAG,
  TAKE_DUE,
} from "./send-surveys.queries.js";

const BATCH = 100;
const LEASE_SECONDS = 60;
/** How long a survey can be answered. */
const VALID_DAYS = 30;

/** Sends surveys to the contacts of resolved conversations when their delay is over, unless the contact is not to be asked. */
@Injectable()
export class SendSurveysJob {
  private readonly queue: DueQueue<DueSurvey>;

  constructor(
    jobs: JobRunner,
    db: Database,
    private readonly messages: MessagesService,
  ) {
    this.queue = jobs.queue<DueSurvey>({
      name: "csat",
      claim: (room) => jobs.acrossTenants(CLAIM_SURVEYS, { seconds: LEASE_SECONDS, ...room }),
      lag: SURVEYS_LAG,
      concurrency: 1,
      batch: BATCH,
      work: (caller, due) => db.transaction(caller, (tx) => this.decide(tx, due)),
    });
  }

  @Interval(5_000)
  tick(): Promise<void> {
    return this.queue.tick();
  }

  /** Sends the survey, or removes it from the queue where the contact is not to be asked. */
  async decide(tx: Tx, { id: conversationId, until }: DueSurvey): Promise<void> {
    tx.changesNothingVisible();
    const [conversation] = await tx.query(LOCK_CONVERSATION, { conversationId });
    if (!conversation) return;
    await tx.query(LOCK_CONTACT, conversation);
    if (!(await tx.query(TAKE_DUE, { conversationId, until })).length) return;
    const [candidate] = await tx.query(FIND_CANDIDATE, { conversationId });
    if (candidate) await this.ask(tx, conversationId, candidate);
  }

  private async ask(tx: Tx, conversationId: string, candidate: Candidate): Promise<void> {
    const { active, ...about } = candidate;
    const id = uuid();
    const asked = questionFor(about);
    const notSent = active
      ? await this.send(tx, conversationId, { id, body: `${asked.question}\n\n${SURVEY_LINK}` })
      : "The channel does not work, or is disabled";
    await tx.query(INSERT_SURVEY, { ...about, ...asked, id, conversationId, notSent, validDays: VALID_DAYS });
    if (notSent === null)
      await recordOutcomes(
        tx,
        ratedEntities(about).map((whom) => ({
          ...whom,
          metric: "csat_asked",
          scale: about.scale,
          value: 0,
          bad: false,
        })),
      );
  }

  /** @returns why the survey could not be sent; its message is then undone. Null: it was sent */
  private async send(tx: Tx, conversationId: string, message: { id: string; body: string }): Promise<string | null> {
    try {
      await tx.savepoint(() => this.messages.announceWithin(tx, conversationId, message));
      return null;
    } catch (error) {
      if (!(error instanceof HttpException)) throw error;
      tx.changesNothingVisible();
      return error.message;
    }
  }
}
