import { type Parameter, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { one, page, projection, query, REACHABLE, time } from "../../platform/database/statements.js";
import type { ViewDto } from "./views.dto.js";

/** A view `r`. Its order: shared ones, then your own, each by position and name. */
const VIEW = projection<ViewDto>({
  id: sql`r.id`,
  name: sql`r.name`,
  filter: sql`r.filter`,
  sort: sql`r.sort`,
  shared: sql`r.shared`,
  position: sql`r.position`,
  memberId: sql`r.member_id`,
  createdAt: time(sql`r.created_at`),
  updatedAt: time(sql`r.updated_at`),
});

interface Own {
  id: string;
  memberId: string;
}
/** Own views and shared ones. A view of a workspace is for those who have access to it. */
const visible = (memberId: Parameter): Sql => sql`
  (r.shared or r.member_id = ${memberId}) and (r.filter ->> 'workspaceId' is null or exists (
    select from workspace w where w.id = (r.filter ->> 'workspaceId')::uuid and ${REACHABLE}))`;

export const LIST_VIEWS = page<ViewDto, { memberId: string }>(
  "views.list",
  "restricted",
  ({ memberId, limit, after0, after1, after2, after3 }) => ({
    rows: sql`
      select r.* from saved_view r where r.tenant_id = ${TENANT} and ${visible(memberId)}
        and (${after0}::text is null or (not r.shared, r.position, r.name, r.id)
          > (${after0}::boolean, ${after1}::int, ${after2}::text, ${after3}::uuid))
      order by not r.shared, r.position, r.name, r.id limit ${limit} + 1`,
    position: [sql`not r.shared`, sql`r.position`, sql`r.name`, sql`r.id`],
    item: VIEW,
  }),
);

export const GET_VIEW = one<ViewDto, Own>(
  "views.get",
  "restricted",
  ({ id, memberId }) =>
    sql`select ${VIEW} from saved_view r where r.tenant_id = ${TENANT} and r.id = ${id} and ${visible(memberId)}`,
);

/** Locks one, to change it. */
export const FIND_VIEW = query<Own>()(
  "views.find",
  "restricted",
  ({ id, memberId }) => sql`
    select r.shared from saved_view r
    where r.tenant_id = ${TENANT} and r.id = ${id} and ${visible(memberId)} for update of r`,
);

/** Those that the member can see, and so delete. */
export const COUNT_VIEWS = query<{ memberId: string }>()(
  "views.count",
  "restricted",
  ({ memberId }) => sql`
    select count(*) filter (where r.shared)::int as shared, count(*) filter (where not r.shared)::int as own
    from saved_view r where r.tenant_id = ${TENANT} and ${visible(memberId)}`,
);

/** Nobody else sees them. Shared ones stay. */
export const FORGET_VIEWS_OF_REMOVED = query<{ memberId: string }>()(
  "views.forgetOfRemoved",
  { unrestricted: "the member is removed from the whole tenant" },
  ({ memberId }) => sql`
    delete from saved_view v
    where v.tenant_id = ${TENANT} and v.member_id = ${memberId} and not v.shared and exists (
      select from tenant t join member m on m.organisation_id = t.organisation_id
      where t.id = ${TENANT} and m.id = ${memberId} and m.removed_at is not null
    )`,
);
