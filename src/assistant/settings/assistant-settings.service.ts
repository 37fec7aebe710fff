import { BadRequestException, Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { requestOf } from "../../platform/caller/request-context.js";
import { Database } from "../../platform/database/database.js";
import { Json } from "../../platform/http/json.js";
import { DEFAULT_THRESHOLDS, type Thresholds } from "../context/decision.js";
import { decideIn } from "../judgement.js";
import type {
  AssistantPreviewDto,
  AssistantSettingsDto,
  DecisionCountsDto,
  PutAssistantSettingsDto,
} from "./assistant-settings.dto.js";
import { GET_SETTINGS } from "../context/thresholds.queries.js";
import { LAST_QUESTIONS, type LastQuestions, PUT_SETTINGS } from "./assistant-settings.queries.js";

/** So many questions a preview looks at. */
const MAX_QUESTIONS = 200;

@Injectable()
export class AssistantSettingsService {
  constructor(private readonly db: Database) {}

  get(caller: Caller, workspaceId: string): Promise<Json<AssistantSettingsDto>> {
    return this.db.read(caller, GET_SETTINGS, { workspaceId });
  }

  /** @throws BadRequestException: it would ask back about entries that answer */
  put(caller: Caller, workspaceId: string, body: PutAssistantSettingsDto): Promise<Json<AssistantSettingsDto>> {
    const thresholds = thresholdsOf(body);
    return this.db.transaction(caller, async (tx) => {
      tx.changesWorkspace(workspaceId);
      await tx.query(PUT_SETTINGS, { workspaceId, ...thresholds });
      return tx.read(GET_SETTINGS, { workspaceId });
    });
  }

  /**
   * What these thresholds would have decided about the last questions, with the entries that were found then. Changes nothing.
   * @throws BadRequestException: as `put`
   */
  preview(caller: Caller, workspaceId: string, body: PutAssistantSettingsDto): Promise<Json<AssistantPreviewDto>> {
    const thresholds = thresholdsOf(body);
    const args = { workspaceId, most: MAX_QUESTIONS };
    const answer = (found: Json<LastQuestions>) => Json.of(compare(found.parse(), thresholds));
    if (!requestOf(caller)?.idempotency) return this.db.read(caller, LAST_QUESTIONS, args).then(answer);
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      return answer(await tx.read(LAST_QUESTIONS, args));
    });
  }
}

function thresholdsOf(body: PutAssistantSettingsDto): Thresholds {
  const thresholds = { ...DEFAULT_THRESHOLDS, ...body };
  if (thresholds.clarifyConfidence > thresholds.answerConfidence)
    throw new BadRequestException("clarifyConfidence must not be above answerConfidence");
  return thresholds;
}

function compare(
  { asked, thresholds: present, primaryLanguage }: LastQuestions,
  thresholds: Thresholds,
): AssistantPreviewDto {
  const decided = asked.map(({ retrieved, ...message }) => {
    const hits = retrieved.entries.map(({ language, confidence }) => ({ entry: { language }, confidence }));
    const by = (them: Thresholds): keyof DecisionCountsDto =>
      retrieved.chosen ? "answer" : decideIn(hits, { thresholds: them, primaryLanguage }, retrieved).action;
    return { ...message, from: by(present), to: by(thresholds) };
  });
  const counts = (which: "from" | "to"): DecisionCountsDto => {
    const of = (action: keyof DecisionCountsDto): number => decided.filter((one) => one[which] === action).length;
    return { answer: of("answer"), clarify: of("clarify"), hand_off: of("hand_off") };
  };
  return {
    questions: decided.length,
    before: counts("from"),
    after: counts("to"),
    changed: decided.filter(({ from, to }) => from !== to),
  };
}
