import { BRAND, identifier, type Sql, sql, TENANT, WORKSPACES } from "../platform/database/sql.js";
import { inReach, list, one, polled, projection, query, REACHABLE, time } from "../platform/database/statements.js";
import { CHANNEL, type ChannelDto } from "./channel.dto.js";
import type { WorkspaceStatus } from "./workspace.entity.js";
import type { BrandDto, UpdateWorkspaceDto, WorkspaceDto, WorkspaceSummaryDto } from "./workspaces.dto.js";

/** Where the logo of a workspace is, as a path. Null if it has none. */
export function logoOf(workspace: string): Sql {
  const w = identifier(workspace);
  return sql`'/api/public/logos/' || ${w}.tenant_id || '/' || ${w}.logo_id`;
}

const SUMMARY: Record<keyof WorkspaceSummaryDto, Sql> = {
  id: sql`w.id`,
  name: sql`w.name`,
  status: sql`w.status`,
  brandId: sql`w.brand_id`,
  brandName: sql`b.name`,
  primaryLanguage: sql`w.primary_language`,
  logoUrl: logoOf("w"),
};
const WORKSPACE: Record<keyof WorkspaceDto, Sql> = {
  ...SUMMARY,
  timezone: sql`w.timezone`,
  assistantEnabled: sql`w.assistant_enabled`,
  mailFooter: sql`w.mail_footer`,
  mailLogoUrl: sql`w.mail_logo_url`,
  identityRetentionMonths: sql`w.identity_retention_months`,
  createdAt: time(sql`w.created_at`),
  updatedAt: time(sql`w.updated_at`),
};

/** The fields of a workspace `w` with its brand `b`. */
export const WORKSPACE_FIELDS = projection<WorkspaceDto>(WORKSPACE);
export const REACHABLE_WORKSPACES = sql`
  workspace w join brand b on b.tenant_id = ${TENANT} and b.id = w.brand_id
  where ${REACHABLE}`;

export const LIST_WORKSPACES = polled(
  list<WorkspaceSummaryDto>(
    "workspaces.list",
    "restricted",
    () => sql`
      select ${projection<WorkspaceSummaryDto>(SUMMARY)} from ${REACHABLE_WORKSPACES}
      order by w.created_at, w.id`,
  ),
);

export const GET_WORKSPACE = polled(
  one<WorkspaceDto, { id: string }>(
    "workspaces.get",
    "restricted",
    ({ id }) => sql`select ${WORKSPACE_FIELDS} from ${REACHABLE_WORKSPACES} and w.id = ${id}`,
  ),
);

/** Locks the row before it is replaced, so that `before` is what the update replaces. */
export const UPDATE_WORKSPACE = query<
  {
    id: string;
    allowedFrom?: readonly WorkspaceStatus[];
    setsFooter: boolean;
    setsLogo: boolean;
  } & UpdateWorkspaceDto,
  { languageChanged: boolean }
>()(
  "workspaces.update",
  "restricted",
  ({
    id,
    name,
    primaryLanguage,
    timezone,
    assistantEnabled,
    status,
    allowedFrom,
    mailFooter,
    mailLogoUrl,
    setsFooter,
    setsLogo,
  }) => sql`
    update workspace w set
      name = coalesce(${name}, w.name),
      primary_language = coalesce(${primaryLanguage}, w.primary_language),
      timezone = coalesce(${timezone}, w.timezone),
      assistant_enabled = coalesce(${assistantEnabled}, w.assistant_enabled),
      status = coalesce(${status}, w.status),
      mail_footer = case when ${setsFooter}::boolean then ${mailFooter}::text else w.mail_footer end,
      mail_logo_url = case when ${setsLogo}::boolean then ${mailLogoUrl}::text else w.mail_logo_url end,
      updated_at = now()
    from (
      select id, primary_language from workspace where tenant_id = ${TENANT} and id = ${id} for no key update
    ) before
    where w.id = before.id and ${REACHABLE}
      and (${allowedFrom}::text[] is null or w.status = any(${allowedFrom}))
    returning w.primary_language <> before.primary_language as "languageChanged"`,
);

/**
 * Waits for the transactions that are writing to the workspace. Those that begin later find it archived.
 * Writers hold the lock shared: see `refuse_when_archived` in conversations/open-workspaces.sql.
 */
export const WAIT_FOR_WRITERS = query<{ id: string }>()(
  "workspaces.waitForWriters",
  { unrestricted: "it takes a lock and reads nothing" },
  ({ id }) => sql`
    select pg_advisory_xact_lock(hashtextextended(${id}::uuid::text, 0)) where ${TENANT}::uuid is not null`,
);

export const LIST_CHANNELS = list<ChannelDto, { id: string }>("workspaces.channels", "restricted", ({ id }) => ({
  rows: sql`
    select ${CHANNEL} from channel c
    where c.tenant_id = ${TENANT} and c.workspace_id = ${id} and ${inReach("c")}
    order by c.created_at, c.id`,
  visible: sql`exists (select from workspace w where w.id = ${id} and ${REACHABLE})`,
}));

export const BRAND_FIELDS = projection<BrandDto>({
  id: sql`b.id`,
  name: sql`b.name`,
  createdAt: time(sql`b.created_at`),
  updatedAt: time(sql`b.updated_at`),
});

/** A brand `b` is visible to callers that reach all of it, or one of its workspaces. */
export const IS_BRAND_VISIBLE = sql`(${BRAND}::uuid is null or b.id = ${BRAND})
      and (${WORKSPACES}::uuid[] is null
        or exists (select from workspace w where w.brand_id = b.id and ${REACHABLE}))`;

export const LIST_BRANDS = list<BrandDto>(
  "brands.list",
  "restricted",
  () => sql`
    select ${BRAND_FIELDS} from brand b
    where b.tenant_id = ${TENANT} and ${IS_BRAND_VISIBLE}
    order by b.created_at, b.id`,
);

export const GET_BRAND = one<BrandDto, { id: string }>(
  "brands.get",
  { unrestricted: "only owners and admins change brands, and they see the whole tenant" },
  ({ id }) => sql`select ${BRAND_FIELDS} from brand b where b.tenant_id = ${TENANT} and b.id = ${id}`,
);
