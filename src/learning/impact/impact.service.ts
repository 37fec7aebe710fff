import { ConflictException, Injectable } from "@nestjs/common";
import type { Decision } from "../../assistant/context/decision.js";
import type { Considered } from "../../knowledge/review/search.queries.js";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { Json } from "../../platform/http/json.js";
import { AskedAgain, type Hit } from "../asked-again/asked-again.service.js";
import type { ImpactChangeDto, ImpactDecisionDto, ImpactExampleDto, KbEntryImpactDto } from "./impact.dto.js";
import { type Asked, GET_SUBJECT, type Subject } from "./impact.queries.js";

const DAYS = 30;
const MAX_QUESTIONS = 1_000;
const MAX_EXAMPLES = 5;

type Change = "newlyAnswered" | "answeredOtherwise" | "newlyAmbiguous" | "noLongerAnswered";
const CHANGES: readonly Change[] = ["newlyAnswered", "answeredOtherwise", "newlyAmbiguous", "noLongerAnswered"];

/** A question in one language, with each time that it was asked. */
interface Group {
  question: string;
  language: string;
  asked: Asked[];
}
interface Both {
  before: Decision<Hit>;
  after: Decision<Hit>;
}

/** What an entry changes about the questions of the last days. */
@Injectable()
export class ImpactService {
  constructor(
    private readonly db: Database,
    private readonly again: AskedAgain,
  ) {}

  /** @throws NotFoundException, ConflictException: the entry is rejected or archived */
  preview(caller: Caller, id: string): Promise<Json<KbEntryImpactDto>> {
    return this.again.alone(async (until) => {
      const subject = (await this.db.read(caller, GET_SUBJECT, { id, days: DAYS, most: MAX_QUESTIONS })).parse();
      const { status, replaces } = subject;
      if (status !== "pending" && status !== "approved")
        throw new ConflictException(`Only a pending or approved entry has an impact; this one is ${status}`);
      const groups = groupsOf(subject);
      const decided = await this.again.decideAll(caller, subject, groups, until, ({ question }): Considered[] => [
        { question, without: [id], withEntry: null },
        { question, without: replaces === null ? [] : [replaces], withEntry: status === "pending" ? id : null },
      ]);
      const compared = decided.map(([before, after]) => ({ before: before!, after: after! }));
      const skipped = groups.slice(compared.length).reduce((sum, { asked }) => sum + asked.length, 0);
      return Json.of({
        kbEntryId: id,
        since: subject.since,
        questions: subject.asked.length - skipped,
        skipped,
        ...(await this.report(caller, subject, groups, compared)),
      });
    });
  }

  private async report(
    caller: Caller,
    { workspaceId }: Subject,
    groups: readonly Group[],
    compared: readonly Both[],
  ): Promise<Record<Change, ImpactChangeDto>> {
    const changed = new Map(CHANGES.map((change) => [change, { count: 0, examples: [] as (Asked & Both)[] }]));
    compared.forEach((both, i) => {
      const change = changeOf(both);
      if (!change) return;
      const { asked } = groups[i]!;
      const into = changed.get(change)!;
      into.count += asked.length;
      if (into.examples.length < MAX_EXAMPLES) into.examples.push({ ...asked[0]!, ...both });
    });
    const conversationIds = [...changed.values()].flatMap(({ examples }) => examples.map((one) => one.conversationId));
    const redact = await this.again.redactorOf(caller, workspaceId, conversationIds);
    const shown = (example: Asked & Both): ImpactExampleDto => ({
      conversationId: example.conversationId,
      messageId: example.messageId,
      question: redact(example.conversationId, example.question),
      before: decisionOf(example.before),
      after: decisionOf(example.after),
    });
    return Object.fromEntries(
      [...changed].map(([change, { count, examples }]) => [change, { count, examples: examples.map(shown) }]),
    ) as Record<Change, ImpactChangeDto>;
  }
}

/** The questions about which something may change, each once, the newest first. */
function groupsOf({ asked }: Subject): Group[] {
  const groups = new Map<string, Group>();
  for (const one of asked) {
    if (!one.touched) continue;
    const { language } = one;
    const key = `${language} ${one.question}`;
    const group = groups.get(key);
    if (group) group.asked.push(one);
    else groups.set(key, { question: one.question, language, asked: [one] });
  }
  return [...groups.values()];
}

function changeOf({ before, after }: Both): Change | undefined {
  if (after.action === "answer") {
    if (before.action !== "answer") return "newlyAnswered";
    return before.hit.entry.answer === after.hit.entry.answer ? undefined : "answeredOtherwise";
  }
  if (after.action === "clarify") return before.action === "clarify" ? undefined : "newlyAmbiguous";
  return before.action === "answer" ? "noLongerAnswered" : undefined;
}

function decisionOf(decision: Decision<Hit>): ImpactDecisionDto {
  const hits = decision.action === "answer" ? [decision.hit] : decision.action === "clarify" ? decision.hits : [];
  return {
    decision: decision.action,
    entries: hits.map(({ entry }) => ({ kbEntryId: entry.id, question: entry.question })),
  };
}
