import { namedEnum } from "../../platform/enums/named-enum.js";

export const REPORTS = namedEnum("ReportName", "What a report counts.", {
  volume: "conversations, when they began",
  "first-reply": "first replies, and how long contacts waited for them",
  reply: "replies to contacts who waited, and how long they did",
  resolution: "conversations that are resolved, and how long that took",
  backlog: "conversations that were not resolved at the end of a time",
  assistant: "resolved conversations in which an assistant answered, and the share without people",
  automation: "conversations that the assistant was on for, and the share that it answered without people",
  containment: "conversations that the assistant answered, and the share without a person within seven days",
  "hand-over": "hand-overs of the assistant to people",
  csat: "answers to surveys, and the share of satisfied contacts",
  "busiest-hours": "conversations by the hour of the week in which they began",
});
export type ReportName = (typeof REPORTS)[number];

export const REPORT_INTERVALS = namedEnum("ReportInterval", "How a period is divided.", [
  "hour",
  "day",
  "week",
  "month",
]);
export type ReportInterval = (typeof REPORT_INTERVALS)[number];

export const REPORT_GROUPS = namedEnum("ReportGrouping", "What a report is grouped by.", [
  "workspace",
  "channel",
  "member",
  "label",
  "brand",
  "resolution",
  "handledBy",
  "reason",
]);
export type ReportGroup = (typeof REPORT_GROUPS)[number];

/** The group of what has no value, such as conversations without a label. */
export const NO_GROUP = "none";
