import { HttpException, Injectable, PayloadTooLargeException } from "@nestjs/common";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";

const GB = 1_073_741_824;
const WHOLE_TENANT = { unrestricted: "the quota is the tenant's" } as const;

/** No row: the quota does not have this much left. */
const TAKE = query<{ size: number; quota: number }>()(
  "attachmentQuota.take",
  WHOLE_TENANT,
  ({ size, quota }) => sql`
    insert into attachment_usage as u (tenant_id, bytes)
    select ${TENANT}, ${size}::bigint where ${size}::bigint <= ${quota}::bigint
    on conflict (tenant_id) do update set bytes = u.bytes + excluded.bytes
    where u.bytes + excluded.bytes <= coalesce(u.quota_bytes, ${quota}::bigint)
    returning 1`,
);

const GET_QUOTA = query<{ quota: number }, { quota: number }>()(
  "attachmentQuota.get",
  WHOLE_TENANT,
  ({ quota }) => sql`
    select coalesce((select u.quota_bytes from attachment_usage u where u.tenant_id = ${TENANT}), ${quota}::bigint)::float8
      as quota
    from tenant t where t.id = ${TENANT}`,
);

const GIVE_BACK = query<{ size: number }>()(
  "attachmentQuota.giveBack",
  WHOLE_TENANT,
  ({ size }) => sql`
    update attachment_usage u set bytes = greatest(u.bytes - ${size}::bigint, 0) where u.tenant_id = ${TENANT}`,
);

const SET_QUOTA = query<{ quota: number | null }>()(
  "attachmentQuota.set",
  WHOLE_TENANT,
  ({ quota }) => sql`
    insert into attachment_usage as u (tenant_id, bytes, quota_bytes) values (${TENANT}, 0, ${quota}::bigint)
    on conflict (tenant_id) do update set quota_bytes = excluded.quota_bytes
    returning u.bytes::float8 as used`,
);

const LOCK = query()(
  "attachmentQuota.lock",
  WHOLE_TENANT,
  () => sql`
    insert into attachment_usage as u (tenant_id, bytes)
    select ${TENANT}, 0
    where exists (select from attachment_usage where tenant_id = ${TENANT})
      or exists (select from attachment where tenant_id = ${TENANT})
    on conflict (tenant_id) do update set bytes = u.bytes`,
);
const RECOUNT = query()(
  "attachmentQuota.recount",
  WHOLE_TENANT,
  () => sql`
    update attachment_usage u
    set bytes = (select coalesce(sum(a.size), 0) from attachment a where a.tenant_id = ${TENANT})
    where u.tenant_id = ${TENANT}`,
);

/** Limits the bytes of a tenant's attachments. */
@Injectable()
export class AttachmentQuota {
  private readonly bytes: number;

  constructor(
    private readonly db: Database,
    { attachmentQuotaBytes }: Config,
  ) {
    this.bytes = attachmentQuotaBytes;
  }

  /**
   * Counts a file, or refuses it. Deleting its row gives the bytes back.
   * @throws PayloadTooLargeException
   */
  async take(tx: Tx, size: number): Promise<void> {
    if ((await tx.query(TAKE, { size, quota: this.bytes })).length) return;
    const [{ quota }] = (await tx.query(GET_QUOTA, { quota: this.bytes })) as [{ quota: number }];
    throw new QuotaUsedUp(quota);
  }

  /** Gives back what a file without a row has taken. */
  async giveBack(tx: Tx, size: number): Promise<void> {
    await tx.query(GIVE_BACK, { size });
  }

  /**
   * Sets the quota of one side. What is stored stays, also if it is more.
   * @param gb null: the server's, `ATTACHMENT_QUOTA_GB`
   * @returns the bytes of the quota, and those in use
   */
  set(caller: SystemCaller, gb: number | null): Promise<{ quota: number; used: number }> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      const [row] = await tx.query(SET_QUOTA, { quota: gb === null ? null : gb * GB });
      return { quota: gb === null ? this.bytes : gb * GB, used: row!.used };
    });
  }

  /** Counts again. A process that is killed between taking and storing leaves bytes that belong to no file. */
  recount(caller: SystemCaller): Promise<void> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      await tx.query(LOCK);
      await tx.query(RECOUNT);
    });
  }
}

class QuotaUsedUp extends PayloadTooLargeException {
  constructor(quota: number) {
    super(
      `The attachments of this tenant may take up ${Math.round((quota / GB) * 10) / 10} GB together, and there is no room left for this one`,
    );
  }
}

/** The disk is nearly full. Everything but files goes on. */
export class NoRoomForFiles extends HttpException {
  constructor() {
    super("The server has no room for files at the moment. Everything else works", 507);
  }
}
