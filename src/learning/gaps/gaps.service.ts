import { Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { Json } from "../../platform/http/json.js";
import { AskedAgain } from "../asked-again/asked-again.service.js";
import { matterAsked, says } from "../evidence.js";
import { GET_MISSED, type Missed, type MissedIn } from "./gaps.queries.js";
import type { KbGapDto, KbGapsDto } from "./gaps.dto.js";
import { groupAlike } from "./grouping.js";

const DAYS = 30;
const MAX_QUESTIONS = 1_000;
const MAX_GAPS = 50;
const MAX_EXAMPLES = 5;
const MAX_ALTERNATES = 10;

/** A question in one language, with each time that it was asked. */
interface Question extends Pick<Missed, "question" | "language" | "terms"> {
  asked: Missed[];
}

/** What the knowledge base lacks: what the assistant handed over, and would hand over again. */
@Injectable()
export class GapsService {
  constructor(
    private readonly db: Database,
    private readonly again: AskedAgain,
  ) {}

  /** @throws NotFoundException */
  list(caller: Caller, workspaceId: string): Promise<Json<KbGapsDto>> {
    return this.again.alone(async (until) => {
      const found = (await this.db.read(caller, GET_MISSED, { workspaceId, days: DAYS, most: MAX_QUESTIONS })).parse();
      // Groups that are asked more often are looked at first, while there is time.
      const groups = groupAlike(distinct(found.missed)).sort(byFrequency);
      const questions = groups.flat();
      const decided = await this.again.decideAll(caller, found, questions, until, ({ question }) => [
        { question, without: [], withEntry: null },
      ]);
      const missing = new Set(questions.filter((_, n) => decided[n] && decided[n][0]!.action !== "answer"));
      const gaps = groups
        .map((group) => group.filter((one) => missing.has(one)))
        .filter((group) => group.length)
        .sort(byFrequency);
      const looked = timesOf(questions.slice(0, decided.length));
      return Json.of<KbGapsDto>({
        workspaceId,
        since: found.since,
        questions: found.missed.length,
        skipped: found.missed.length - looked,
        gaps: await this.shown(caller, found, gaps.slice(0, MAX_GAPS)),
      });
    });
  }

  private async shown(caller: Caller, { workspaceId }: MissedIn, gaps: readonly Question[][]): Promise<KbGapDto[]> {
    const ofEach = gaps.map((questions) => ({
      questions: questions.slice(0, 1 + MAX_ALTERNATES),
      examples: questions
        .flatMap(({ asked }) => asked)
        .sort((a, b) => (a.at < b.at ? 1 : -1))
        .slice(0, MAX_EXAMPLES),
    }));
    const ids = ofEach.flatMap(({ questions, examples }) =>
      [...questions.map(({ asked }) => asked[0]!), ...examples].map(({ conversationId }) => conversationId),
    );
    const redact = await this.again.redactorOf(caller, workspaceId, [...new Set(ids)]);
    const textOf = ({ conversationId, question }: Missed): string => matterAsked(redact(conversationId, question));
    return gaps.flatMap((gap, n) => {
      const { questions, examples } = ofEach[n]!;
      const texts = [...new Set(questions.map(({ asked }) => textOf(asked[0]!)).filter(says))];
      const [question, ...alternateQuestions] = texts;
      if (question === undefined) return [];
      return {
        count: timesOf(gap),
        question,
        alternateQuestions,
        language: gap[0]!.language,
        examples: examples.map((one) => ({
          conversationId: one.conversationId,
          messageId: one.messageId,
          question: textOf(one),
          at: one.at,
        })),
      };
    });
  }
}

const timesOf = (questions: readonly Question[]): number => questions.reduce((sum, { asked }) => sum + asked.length, 0);
const byFrequency = (a: readonly Question[], b: readonly Question[]): number => timesOf(b) - timesOf(a);

/** Each question once, the most frequent first, and of those the newest. */
function distinct(missed: readonly Missed[]): Question[] {
  const questions = new Map<string, Question>();
  for (const one of missed) {
    const key = `${one.language} ${one.question.toLowerCase()}`;
    const known = questions.get(key);
    if (known) known.asked.push(one);
    else questions.set(key, { ...one, asked: [one] });
  }
  return [...questions.values()].sort((a, b) => b.asked.length - a.asked.length);
}
