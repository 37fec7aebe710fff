import { Check, Entity, ForeignKey, Unique } from "typeorm";
import { Id, Now, TenantId, Text } from "../../platform/database/columns.js";
import { isOneOf, namedEnum } from "../../platform/enums/named-enum.js";

export const LABEL_COLOURS = namedEnum(
  "LabelColour",
  "The colour of a label. The dashboard shows a shade that can be read on light and on dark.",
  ["gray", "red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"],
);
export type LabelColour = (typeof LABEL_COLOURS)[number];

/**
 * A label that the tenant has defined. Conversations hold labels by name, so that integrations can use their own. Those
 * that are not defined have no row here.
 */
@Entity("label")
@ForeignKey("tenant", ["tenantId"], ["id"])
@Unique("label_name", ["tenantId", "name"])
@Check("label_colour", isOneOf("colour", LABEL_COLOURS))
export class LabelEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Text() name: string;
  @Text({ default: "gray" }) colour: LabelColour;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}
