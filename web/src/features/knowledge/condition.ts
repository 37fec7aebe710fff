import type { TFunction } from "i18next";

type Condition = Record<string, unknown>;
const OPERATORS = ["eq", "ne", "gt", "gte", "lt", "lte", "in", "contains", "exists"] as const;

/** A condition as one sentence, such as "all of (refund.amount is at most 20; …)". */
export function conditionInWords(condition: Condition, t: TFunction): string {
  const list = (parts: unknown): string =>
    Array.isArray(parts) ? `(${parts.map((part) => conditionInWords(part as Condition, t)).join("; ")})` : "()";
  if ("all" in condition) return `${t("policy.all")} ${list(condition.all)}`;
  if ("any" in condition) return `${t("policy.any")} ${list(condition.any)}`;
  if ("not" in condition) return `${t("policy.not")} (${conditionInWords(condition.not as Condition, t)})`;
  const op = OPERATORS.find((one) => one === condition.op);
  if (!op || typeof condition.field !== "string") return JSON.stringify(condition);
  const value = Array.isArray(condition.value) ? condition.value.map(String).join(", ") : condition.value;
  const words = `${condition.field} ${t(`policy.op.${op}`)}`;
  if (op === "exists") return value === false ? `${t("policy.not")} (${words})` : words;
  return `${words} ${typeof value === "string" ? `“${value}”` : JSON.stringify(value)}`;
}
