import { sql, TENANT } from "../../platform/database/sql.js";
import { one, query } from "../../platform/database/statements.js";
import type { PreferencesDto } from "./preferences.dto.js";

const OWN = { unrestricted: "it is the member's own row" };

/** What the member has set; an empty object without a row. */
export const GET_PREFERENCES = one<{ value: Partial<PreferencesDto> }, { memberId: string }>(
  "preferences.get",
  OWN,
  ({ memberId }) => sql`
    select coalesce(p.value, '{}') as value
    from tenant t left join member_preferences p
      on p.organisation_id = t.organisation_id and p.member_id = ${memberId}
    where t.id = ${TENANT}`,
);

/** How the member's mails end. */
export const GET_SIGNATURE = one<{ body: string | null }, { memberId: string }>(
  "preferences.getSignature",
  OWN,
  ({ memberId }) => sql`
    select p.signature as body
    from tenant t left join member_preferences p
      on p.organisation_id = t.organisation_id and p.member_id = ${memberId}
    where t.id = ${TENANT}`,
);
export const PUT_SIGNATURE = query<{ memberId: string; body: string | null }>()(
  "preferences.putSignature",
  OWN,
  ({ memberId, body }) => sql`
    insert into member_preferences (organisation_id, member_id, signature)
    select t.organisation_id, ${memberId}::uuid, ${body}::text from tenant t where t.id = ${TENANT}
    on conflict (organisation_id, member_id) do update set signature = excluded.signature, updated_at = now()`,
);
/** `value`: JSON of `PreferencesDto`. */
export const PUT_PREFERENCES = query<{ memberId: string; value: string }>()(
  "preferences.put",
  OWN,
  ({ memberId, value }) => sql`
    insert into member_preferences (organisation_id, member_id, value)
    select t.organisation_id, ${memberId}::uuid, ${value}::jsonb from tenant t where t.id = ${TENANT}
    on conflict (organisation_id, member_id) do update set value = excluded.value, updated_at = now()`,
);
