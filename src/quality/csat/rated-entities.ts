import type { Outcome } from "../../platform/outcomes/record-outcomes.js";
import type { CsatSurveyEntity } from "./csat.entity.js";

type RatedEntity = Pick<Outcome, "workspaceId" | "entityType" | "entityId">;

/** The entities that a survey's answer is counted for. */
export function ratedEntities({
  workspaceId,
  channelId,
  memberId,
  agentIds,
}: Pick<CsatSurveyEntity, "workspaceId" | "channelId" | "memberId" | "agentIds">): RatedEntity[] {
  const entity =
    (entityType: Outcome["entityType"]) =>
    (entityId: string): RatedEntity => ({ workspaceId, entityType, entityId });
  return [
    entity("workspace")(workspaceId),
    entity("channel")(channelId),
    ...(memberId === null ? [] : [entity("member")(memberId)]),
    ...agentIds.map(entity("agent")),
  ];
}
