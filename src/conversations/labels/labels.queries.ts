import { sql, TENANT } from "../../platform/database/sql.js";
import { one, page, polled, projection, time } from "../../platform/database/statements.js";
import type { LabelDto } from "./labels.dto.js";

const LABEL = projection<LabelDto>({
  id: sql`r.id`,
  name: sql`r.name`,
  colour: sql`r.colour`,
  createdAt: time(sql`r.created_at`),
  updatedAt: time(sql`r.updated_at`),
});
const OF_TENANT = { unrestricted: "labels belong to the whole tenant" };

export const LIST_LABELS = polled(
  page<LabelDto>("labels.list", OF_TENANT, ({ limit, after0 }) => ({
    rows: sql`
      select r.* from label r
      where r.tenant_id = ${TENANT} and r.name > coalesce(${after0}::text, '')
      order by r.name limit ${limit} + 1`,
    position: [sql`r.name`],
    item: LABEL,
  })),
);

export const GET_LABEL = one<LabelDto, { id: string }>(
  "labels.get",
  OF_TENANT,
  ({ id }) => sql`select ${LABEL} from label r where r.tenant_id = ${TENANT} and r.id = ${id}`,
);
