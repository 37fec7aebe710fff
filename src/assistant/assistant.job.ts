import { HttpException, Injectable, Logger, type OnModuleInit } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { v7 as uuid } from "uuid";
import { raise } from "../conversations/attention/raise.js";
import { type ForPeople, MessageReceived } from "../conversations/conversation-events.js";
import type { SystemCaller } from "../platform/caller/caller.js";
import { Config } from "../platform/config/config.js";
import { Database } from "../platform/database/database.js";
import type { Tx } from "../platform/database/transaction.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import type { DueQueue } from "../platform/jobs/due-queue.js";
import { JobRunner } from "../platform/jobs/job-runner.js";
import { withTimeout } from "../platform/outbound/with-timeout.js";
import { AssistantService, thoughtOf } from "./assistant.service.js";
import { ALL_OF_CONTEXT, type Context, GET_CONTEXT } from "./context/context.queries.js";
import type { Thought } from "./plan.js";
import { withoutProofs } from "./context/question.js";
import { RunEndingService, WAIT_SECONDS } from "./run-ending.service.js";
import {
  BEGIN,
  type Begun,
  CLAIM,
  type DueConversation,
  HOLD,
  LEAVE_TO_PEOPLE,
  LAG,
  QUEUE,
  RETURN,
} from "./runs.queries.js";

const CONCURRENCY = 4;
/** The same where a run mostly waits for a language model. */
const CONCURRENCY_OF_MODEL = 32;
/** What is left for the end of a run after the time of the language model and of its tools is up. */
const ENDING_MS = 500;
/** A lease is so much longer than the run may take. */
const GRACE_SECONDS = 10;
/** A process that died so often has died of the run. */
const MAX_ATTEMPTS = 3;
const NOT_SHOWN = "The contact did not show who they are in time";
/** Runs that become due within this time are claimed together. */
const GATHER_MS = 25;

/** Why people get a conversation as soon as a message comes in. */
const FOR_PEOPLE: Record<ForPeople, string> = {
  participant: "Somebody in copy has written: the assistant answers the contact alone",
  elsewhere: "Another workspace got the same mail first: its assistant answers it",
  loop: "Many mails were answered without a person within the hour: a program may write at the other end",
};

/**
 * Writes a run for each message that the assistant handles, and carries the runs out, those of one conversation one after the
 * other. A run whose process dies is begun again after its lease. Whatever fails is handed over to people.
 */
@Injectable()
export class AssistantJob implements OnModuleInit {
  private readonly log = new Logger("assistant");
  private readonly queue: DueQueue<DueConversation>;
  /** In processes that run jobs. */
  private runs = false;
  /** The times at which this process claims again. */
  private readonly wakings = new Set<number>();

  constructor(
    jobs: JobRunner,
    private readonly db: Database,
    private readonly events: DomainEvents,
    private readonly config: Config,
    private readonly assistant: AssistantService,
    private readonly ending: RunEndingService,
  ) {
    this.queue = jobs.queue<DueConversation>({
      name: "assistant",
      claim: (room) => jobs.acrossTenants(CLAIM, { ...room, graceSeconds: GRACE_SECONDS }),
      lag: LAG,
      concurrency: config.ASSISTANT_URL === undefined ? CONCURRENCY : CONCURRENCY_OF_MODEL,
      followUps: true,
      work: (caller, due) => this.work(caller, due),
    });
  }

  onModuleInit(): void {
    this.events.handle(MessageReceived, (tx, message) => this.add(tx, message));
  }

  /** Finds what other processes wrote, and what those that died left. */
  @Interval(1_000)
  poll(): Promise<void> {
    this.runs = true;
    return this.tick();
  }

  tick(): Promise<void> {
    return this.queue.tick();
  }

  private async add(tx: Tx, { id: messageId, conversationId, forPeople }: MessageReceived): Promise<void> {
    if (forPeople) return this.leaveToPeople(tx, conversationId, FOR_PEOPLE[forPeople]);
    const queued = await tx.query(QUEUE, {
      id: uuid(),
      messageId,
      conversationId,
      byKey: tx.caller.kind === "apiKey",
      waitSeconds: WAIT_SECONDS,
      chatSeconds: this.config.ASSISTANT_CHAT_SECONDS,
      mailSeconds: this.config.ASSISTANT_MAIL_SECONDS,
    });
    if (queued.length) tx.afterCommit(() => this.wakeWhenDue());
  }

  private async leaveToPeople(tx: Tx, id: string, reason: string): Promise<void> {
    const [left] = await tx.query(LEAVE_TO_PEOPLE, { id });
    if (left?.changes) await raise(tx, { conversationId: id, type: "handoff_requested", severity: "medium", reason });
  }

  private wakeWhenDue(): void {
    if (!this.runs || this.queue.stopping) return;
    const at = Math.ceil((Date.now() + WAIT_SECONDS * 1_000 + 1) / GATHER_MS) * GATHER_MS;
    if (this.wakings.has(at)) return;
    this.wakings.add(at);
    setTimeout(() => {
      this.wakings.delete(at);
      void this.tick();
    }, at - Date.now()).unref();
  }

  private async work(caller: SystemCaller, { id, limitSeconds }: DueConversation): Promise<void> {
    const begun = await this.begin(caller, id);
    if (!begun) return;
    const { run, context } = begun;
    const thought = await this.think(caller, run, context, limitSeconds);
    try {
      await this.ending.end(caller, run, context, thought);
    } catch (error) {
      if (!(error instanceof HttpException)) throw error;
      this.log.warn(`the reply of run ${run.id} is handed over: ${error.message}`);
      await this.ending.end(caller, run, context, failed(thought));
    }
  }

  /** @returns undefined if nothing is left to do: the conversation is out of the queue then */
  private begin(caller: SystemCaller, conversationId: string): Promise<{ run: Begun; context: Context } | undefined> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      const [held] = await tx.query(HOLD, { conversationId });
      const [run] = held ? await tx.query(BEGIN, { conversationId }) : [];
      if (!held || !run) {
        await tx.query(RETURN, { conversationId, waitSeconds: WAIT_SECONDS });
        return undefined;
      }
      tx.changesWorkspace(held.workspaceId);
      const [context] = await tx.query(GET_CONTEXT, { conversationId, ...ALL_OF_CONTEXT });
      return { run, context: context! };
    });
  }

  private async think(caller: SystemCaller, run: Begun, context: Context, limitSeconds: number): Promise<Thought> {
    const nothing = await thoughtOf(withoutProofs(context), run.sequence, { action: "hand_off", why: "failed" });
    if (context.off !== null) return { ...nothing, plan: { action: "discard", reason: context.off } };
    if (run.died >= MAX_ATTEMPTS) return nothing;
    if (run.overdue) return { ...nothing, plan: { action: "hand_off", why: "passedOn", reason: NOT_SHOWN } };
    const late = (): Error => new Error(`it took longer than ${limitSeconds} s`);
    const limit = limitSeconds * 1_000;
    const thinking = this.assistant.think(caller, run, context, Date.now() + limit - ENDING_MS);
    try {
      return await withTimeout(thinking, limit, late);
    } catch (error) {
      this.log.warn(`run ${run.id} is handed over: ${(error as Error).message}`);
      return nothing;
    }
  }
}

const failed = (thought: Thought): Thought => ({ ...thought, plan: { action: "hand_off", why: "failed" } });
