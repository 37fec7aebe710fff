import { inReach, list, one, page, polled, REACHABLE, time } from "../../platform/database/statement.js";
import type { ReviewedEntryDto } from "./reviewed-entry.dto.js";

/** What tells one kind of reviewed entries from another. */
export interface Kind<Entry> {
  /** As in the paths of its routes. */
  name: string;
  table: string;
  /** Its select list, over a row `r`. */
  projection: string;
  /** What the entries say: the fields that an edit may change and versions keep, each a column of the same name. */
  content: readonly (keyof Entry & string)[];
}

/** Of a row `r`, what all entries have. */
export const LIFE: Record<keyof ReviewedEntryDto, string> = {
  id: "r.id",
  workspaceId: "r.workspace_id",
  status: "r.status",
  source: "r.source",
  confidence: "r.confidence",
  evidence: "r.evidence",
  evidenceCount: "jsonb_array_length(r.evidence)",
  duplicateOfId: "r.duplicate_of_id",
  reviewedBy: "r.reviewed_by",
  reviewedAt: time("r.reviewed_at"),
  rejectionReason: "r.rejection_reason",
  validUntil: time("r.valid_until"),
  usage: `json_build_object('retrieved', r.retrieved, 'answered', r.answered, 'helpful', r.helpful)`,
  version: "r.version",
  createdAt: time("r.created_at"),
  updatedAt: time("r.updated_at"),
};

/** How it becomes JSON. Unlike every other absent value, a confidence that nobody gave is missing rather than null. */
export const ENTRY_JSON = `to_jsonb(r) - case when r.confidence is null then 'confidence' else '' end`;

export const IN_VISIBLE_WORKSPACE = `exists (select from workspace w where w.id = :workspaceId and ${REACHABLE})`;

export const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What a row `r` says in these fields, as JSON. */
export const contentOf = (content: readonly string[]): string =>
  `jsonb_build_object(${content.map((field) => `'${field}', ${field === "validUntil" ? time("r.valid_until") : `r.${columnOf(field)}`}`).join(", ")})`;

/** The reads that all kinds have. */
export function readsOf<Entry, Version>({ name, table, projection, content }: Kind<Entry>) {
  const within = `r.tenant_id = :tenant and r.workspace_id = :workspaceId`;
  return {
    get: polled(
      one<Entry, { id: string }>(
        `${name}.get`,
        "workspace",
        `select ${projection} from ${table} r where r.tenant_id = :tenant and r.id = :id and ${inReach("r")}`,
        ENTRY_JSON,
      ),
    ),
    pending: polled(
      list<Entry, { workspaceId: string; limit: number }>(
        `${name}.pending`,
        "workspace",
        `select ${projection} from ${table} r where ${within} and r.status = 'pending' order by r.created_at, r.id limit :limit`,
        { visible: IN_VISIBLE_WORKSPACE, json: ENTRY_JSON },
      ),
    ),
    list: polled(
      page<Entry, { workspaceId: string; status?: string; limit: number }>(`${name}.list`, "workspace", {
        rows: `select r.* from ${table} r where ${within} and (:status::text is null or r.status = :status)
          and (:after0::timestamptz is null or (r.created_at, r.id) < (:after0::timestamptz, :after1::uuid))
        order by r.created_at desc, r.id desc limit :limit + 1`,
        position: [time("r.created_at"), "r.id"],
        item: projection,
        visible: IN_VISIBLE_WORKSPACE,
        json: ENTRY_JSON,
      }),
    ),
    /** The version that stands, and those before it. */
    versions: polled(
      list<Version, { id: string }>(
        `${name}.versions`,
        "workspace",
        `
      select * from (
        select r.version, ${contentOf(content)} as content, r.changed_by as "changedBy", r.change_reason as reason from ${table} r where r.tenant_id = :tenant and r.id = :id
        union all
        select v.version, v.content, v.changed_by, v.reason from ${table}_version v where v.tenant_id = :tenant and v.entry_id = :id) r order by r.version desc`,
        {
          visible: `exists (select from ${table} e where e.tenant_id = :tenant and e.id = :id and ${inReach("e")})`,
          json: `r.content || to_jsonb(r) - 'content'`,
        },
      ),
    ),
  };
}
