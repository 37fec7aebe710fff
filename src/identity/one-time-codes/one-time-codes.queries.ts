import { sql, TENANT } from "../../platform/database/sql.js";
import { query, time } from "../../platform/database/statements.js";
import { isOpen, SURROUNDINGS } from "../possession/open-proof.js";
import type { ProofChannel } from "../verification/proof-channel.js";

interface NewCode {
  codeId: string;
  conversationId: string;
  contactId: string;
  channel: ProofChannel;
  pointId: string;
  counts: boolean;
  codeHash: Buffer;
  minutes: number;
}
export const INSERT_CODE = query<NewCode, { expiresAt: string }>()(
  "oneTimeCodes.insert",
  "checked",
  ({ codeId, conversationId, contactId, channel, pointId, counts, codeHash, minutes }) => sql`
    insert into one_time_code (tenant_id, id, conversation_id, contact_id, channel, point_id, counts, code_hash,
      expires_at)
    values (${TENANT}, ${codeId}, ${conversationId}, ${contactId}, ${channel}, ${pointId}, ${counts}, ${codeHash},
      clock_timestamp() + make_interval(mins => ${minutes}::int))
    returning ${time(sql`expires_at`)} as "expiresAt"`,
);

/** Takes one try, before anything is compared. No row: the code cannot be used, or all its tries are taken. */
export const TAKE_TRY = query<{ codeId: string; factorType: string; max: number }>()(
  "oneTimeCodes.takeTry",
  "checked",
  ({ codeId, factorType, max }) => sql`
    update one_time_code l set tries = l.tries + 1
    from ${SURROUNDINGS}
    where l.tenant_id = ${TENANT} and l.id = ${codeId} and l.tries < ${max}
      and c.tenant_id = ${TENANT} and c.id = l.conversation_id and w.deleted_at is null
      and ${isOpen(factorType)}
    returning l.tries, l.code_hash as "codeHash"`,
);

/** Why no try was taken. */
export const FIND_STATE = query<{ codeId: string; max: number }, { state: "used" | "tried" | "late" }>()(
  "oneTimeCodes.findState",
  "checked",
  ({ codeId, max }) => sql`
    select case
      when l.redeemed_at is not null then 'used'
      when l.tries >= ${max} then 'tried'
      else 'late'
    end as state
    from one_time_code l
    where l.tenant_id = ${TENANT} and l.id = ${codeId}`,
);
