import type { Outcome } from "../../platform/outcomes/outcomes.service.js";
import type { CsatSurveyEntity } from "./csat.entity.js";

type Concerned = Pick<Outcome, "workspaceId" | "entityType" | "entityId">;

/** Whom a survey is about, each an entity of the statistics. */
export function concerned({
  workspaceId,
  channelId,
  memberId,
  agentIds,
}: Pick<CsatSurveyEntity, "workspaceId" | "channelId" | "memberId" | "agentIds">): Concerned[] {
  const entity =
    (entityType: Outcome["entityType"]) =>
    (entityId: string): Concerned => ({ workspaceId, entityType, entityId });
  return [
    entity("workspace")(workspaceId),
    entity("channel")(channelId),
    ...(memberId === null ? [] : [entity("member")(memberId)]),
    ...agentIds.map(entity("agent")),
  ];
}
