import { HttpException, Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { v7 as uuid } from "uuid";
import { type Environment, system } from "../../../platform/caller/caller.js";
import { MessagesService } from "../../../conversations/messages.service.js";
import { Database } from "../../../platform/database/database.js";
import type { Tx } from "../../../platform/database/transaction.js";
import { recordOutcomes } from "../../../platform/outcomes/outcomes.service.js";
import { concerned } from "../rated-entities.js";
import { SURVEY_LINK } from "./survey-links.js";
import { questionFor } from "./survey-texts.js";
import { ADD, CANDIDATE, type Candidate, CLAIM, HOLD, HOLD_CONTACT, TAKE } from "./send-surveys.queries.js";

const EVERY_MS = 5_000;
const BATCH = 100;
const LEASE_SECONDS = 60;
/** For how long a survey can be answered. */
const VALID_DAYS = 30;

interface Due {
  tenantId: string;
  conversationId: string;
  environment: Environment;
  until: string;
}

/** Asks the contacts of resolved conversations when it is time, on one process each, or finds that they are not to be asked. */
@Injectable()
export class SendSurveysJob {
  private readonly log = new Logger("csat");
  private busy = false;

  constructor(
    private readonly db: Database,
    private readonly messages: MessagesService,
  ) {}

  @Interval(EVERY_MS)
  async tick(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      while ((await this.askDue()) === BATCH);
    } catch (error) {
      this.log.warn(`surveys that are due wait for the next round: ${(error as Error).message}`);
    } finally {
      this.busy = false;
    }
  }

  /** One that fails is tried again when its lease ends, and holds up nobody. */
  private async askDue(): Promise<number> {
    const claimed = await this.db.global<Due>(CLAIM, [LEASE_SECONDS, BATCH]);
    for (const due of claimed) {
      await this.db
        .transaction(system("csat", due.tenantId, due.environment), (tx) => this.decide(tx, due))
        .catch((error: unknown) =>
          this.log.warn(`conversation ${due.conversationId} waits for its survey: ${(error as Error).message}`),
        );
    }
    return claimed.length;
  }

  private async decide(tx: Tx, { conversationId, until }: Due): Promise<void> {
    tx.unseen();
    const [conversation] = await tx.query<{ contactId: string }>(HOLD, { conversationId });
    if (!conversation) return;
    await tx.query(HOLD_CONTACT, conversation);
    if (!(await tx.query(TAKE, { conversationId, until })).length) return;
    const [candidate] = await tx.query<Candidate>(CANDIDATE, { conversationId });
    if (candidate) await this.ask(tx, conversationId, candidate);
  }

  private async ask(tx: Tx, conversationId: string, candidate: Candidate): Promise<void> {
    const { active, ...about } = candidate;
    const id = uuid();
    const asked = questionFor(about);
    const notSent = active
      ? await this.send(tx, conversationId, { id, body: `${asked.question}\n\n${SURVEY_LINK}` })
      : "The channel does not work, or is disabled";
    await tx.query(ADD, { ...about, ...asked, id, conversationId, notSent, validDays: VALID_DAYS });
    if (notSent === null)
      await recordOutcomes(
        tx,
        concerned(about).map((whom) => ({ ...whom, metric: "csat_asked", scale: about.scale, value: 0, bad: false })),
      );
  }

  /** @returns why there is no way; what was done for it is undone */
  private async send(tx: Tx, conversationId: string, message: { id: string; body: string }): Promise<string | null> {
    try {
      await tx.savepoint(() => this.messages.announceWithin(tx, conversationId, message));
      return null;
    } catch (error) {
      if (!(error instanceof HttpException)) throw error;
      tx.unseen();
      return error.message;
    }
  }
}
