import { ConflictException } from "@nestjs/common";
import { toE164 } from "../../contacts/phone.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import { ARCHIVED } from "../../platform/http/errors.js";
import type { ProofChannel } from "../verification/proof-channel.js";
import type { VerificationContext } from "../verification/verification-context.js";

/** Who asks the person to prove who they are. */
export interface Asker {
  brand: string;
  workspace: string;
}
/** The address of the contact that a link or a code goes to. */
export interface ProofRecipient {
  /** The id of the contact's address. If it is removed and added again, it is another one. */
  pointId: string;
  address: string;
  /** Whether a proof of the address raises the level. */
  counts: boolean;
}

type Found = Asker & { archived: boolean; merged: boolean } & {
  [Key in keyof ProofRecipient]: ProofRecipient[Key] | null;
};

/**
 * An address counts if the contact was created with it, or if it has been on the contact for `coolOffHours`. Otherwise
 * whoever can change a contact could add an address of their own and identify themselves with it.
 */
const FIND_RECIPIENT = query<
  { workspaceId: string; contactId: string; kind: "email" | "phone"; to?: string; coolOffHours: number },
  Found
>()(
  "possession.findRecipient",
  "checked",
  ({ workspaceId, contactId, kind, to, coolOffHours }) => sql`
    select b.name as brand, w.name as workspace, w.status = 'archived' as archived,
      k.merged_into_id is not null as merged, a.id as "pointId", a.value as address, a.counts
    from workspace w
    join brand b on b.tenant_id = ${TENANT} and b.id = w.brand_id
    join contact k on k.tenant_id = ${TENANT} and k.id = ${contactId}
    left join lateral (
      select p.id, p.value, v.counts
      from contact_point p
      cross join lateral (
        select p.original or p.added_at <= clock_timestamp() - make_interval(hours => ${coolOffHours}::int) as counts
      ) v
      where p.tenant_id = ${TENANT} and p.contact_id = k.id and p.kind = ${kind}
        and (${to}::text is null or p.value = ${to})
      order by not v.counts, p.verified_at is null, p.position
      limit 1
    ) a on true
    where w.tenant_id = ${TENANT} and w.id = ${workspaceId}`,
);

const ADDRESSES = { email: "email address", sms: "phone number" };

/**
 * The address is always one of the contact's own: the one in `to`, or one that counts, a verified one first.
 * @throws ConflictException: the workspace is archived, the contact was merged, or it has no such address
 */
export async function findRecipient(
  tx: Tx,
  { workspaceId, contactId, settings }: VerificationContext,
  channel: ProofChannel,
  to?: string,
): Promise<Asker & ProofRecipient> {
  const [found] = await tx.query(FIND_RECIPIENT, {
    workspaceId,
    contactId,
    kind: channel === "email" ? "email" : "phone",
    to: channel === "email" ? to?.toLowerCase() : to && (toE164(to) ?? to),
    coolOffHours: settings.addressCoolOffHours,
  });
  const { archived, merged, brand, workspace, pointId, address, counts } = found!;
  if (archived) throw new ConflictException(ARCHIVED);
  if (merged) throw new ConflictException("The contact was merged into another one");
  if (pointId === null || address === null || counts === null)
    throw new ConflictException(
      to === undefined
        ? `The contact has no ${ADDRESSES[channel]}`
        : `The address in to is not one of the contact's ${ADDRESSES[channel]}${channel === "email" ? "es" : "s"}`,
    );
  return { brand, workspace, pointId, address, counts };
}
