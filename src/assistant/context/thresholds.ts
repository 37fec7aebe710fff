import { type Sql, sql } from "../../platform/database/sql.js";
import { DEFAULT_THRESHOLDS } from "./decision.js";

const constant = (value: number): Sql => sql([String(value)]);

/** The thresholds of the workspace whose `assistant_settings` are `x`, which need not exist, as JSON. */
export const THRESHOLDS = sql`json_build_object(
        'answerConfidence', coalesce(x.answer_confidence, ${constant(DEFAULT_THRESHOLDS.answerConfidence)}),
        'margin', coalesce(x.margin, ${constant(DEFAULT_THRESHOLDS.margin)}),
        'clarifyConfidence', coalesce(x.clarify_confidence, ${constant(DEFAULT_THRESHOLDS.clarifyConfidence)}))`;
