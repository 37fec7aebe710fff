import { Injectable } from "@nestjs/common";
import { suspendRowAudit } from "../audit/audit-entries.js";
import { TOTP_SEAL, totpSealContext } from "../auth/second-factors/totp.js";
import { system, type SystemCaller } from "../platform/caller/caller.js";
import { PUSH_SEAL } from "../notices/push.service.js";
import { connectionSealContext } from "../calendar/providers/calendar-credentials.js";
import { channelSealContext, fingerprint, TOKEN_SEAL, tokenSealContext } from "../channels/channel-credentials.js";
import { Config } from "../platform/config/config.js";
import { Database } from "../platform/database/database.js";
import { Sealer, sealedUnder } from "../platform/database/seal.js";
import type { Tx } from "../platform/database/transaction.js";
import type { OutboxPayload } from "../platform/outbox/outbox-kind.js";
import { recipientHashes } from "../platform/outbox/outbox.service.js";
import {
  findOutdated,
  LIST_SIDES,
  REPLACE_SIGNING_KEYS,
  replaceSealed,
  type SealedColumnShape,
  type SealedRow,
} from "./rotate-keys.queries.js";

const BATCH = 200;

interface SealedColumn extends SealedColumnShape {
  /** Of the `Sealer` that encrypts the column. */
  purpose: string;
  /** What the encryption is bound to, so that a value cannot be moved to another row. */
  context: (tenantId: string, row: SealedRow) => string;
  /** A column with a keyed hash of the value. `of` gives it in hexadecimal. */
  hash?: SealedColumnShape["hash"] & { of: (sealer: Sealer, tenantId: string, value: never) => string };
}

const byId = (tenantId: string, { id }: SealedRow): string => tenantId + id!;
const byName = (tenantId: string, { workspace_id: workspaceId, name }: SealedRow): string =>
  tenantId + workspaceId! + name!;

/** Every column that holds encrypted values. A test compares this list with the tables. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: "outbox_message",
    column: "sealed",
    purpose: "outbox",
    key: ["id"],
    context: byId,
    hash: {
      column: "recipient",
      type: "bytea",
      of: (sealer, tenantId, { to }: OutboxPayload) => recipientHashes(sealer, tenantId, to)[0]!.toString("hex"),
    },
  },
  {
    table: "channel",
    column: "credentials",
    purpose: "channels",
    key: ["id"],
    context: (tenantId, { id }) => channelSealContext(tenantId, id!),
    hash: { column: "credential_fingerprint", type: "text", of: fingerprint },
  },
  {
    table: "channel",
    column: "tokens",
    purpose: TOKEN_SEAL,
    key: ["id"],
    context: (tenantId, { id }) => tokenSealContext(tenantId, id!),
  },
  {
    table: "calendar_connection",
    column: "credentials",
    purpose: "calendars",
    key: ["id", "server_url"],
    context: (tenantId, { id, server_url: url }) => connectionSealContext(tenantId, id!, url!),
    hash: { column: "credential_fingerprint", type: "text", of: fingerprint },
  },
  {
    table: "verification_source",
    column: "sealed",
    purpose: "verification sources",
    key: ["workspace_id", "name"],
    context: byName,
  },
  { table: "eid_scheme", column: "sealed", purpose: "eid schemes", key: ["workspace_id", "name"], context: byName },
  { table: "tool", column: "sealed", purpose: "tools", key: ["id"], context: byId },
  { table: "webhook_endpoint", column: "sealed", purpose: "webhooks", key: ["id"], context: byId },
  { table: "eid_request", column: "sealed", purpose: "eid requests", key: ["id"], context: byId },
  {
    table: "second_factor",
    column: "sealed",
    purpose: TOTP_SEAL,
    owner: "organisation_id",
    key: ["id"],
    context: (tenantId, { id }) => totpSealContext(tenantId, id!),
  },
  {
    table: "push_subscription",
    column: "sealed",
    purpose: PUSH_SEAL,
    owner: "organisation_id",
    key: ["id"],
    context: byId,
  },
  { table: "signing_key", column: "sealed", purpose: "signing key", key: ["id"], context: byId },
];

const STATEMENTS = SEALED_COLUMNS.map((column) => ({
  column,
  find: findOutdated(column),
  replace: column.table === "signing_key" ? REPLACE_SIGNING_KEYS : replaceSealed(column),
}));

/** How many values were encrypted again, by table, and how many could not be decrypted. */
export interface Rotated {
  sealed: Record<string, number>;
  unreadable: number;
}

/**
 * Encrypts again, under the newest master key, every value that was encrypted under an older one. Parley can run
 * meanwhile: a row that changes in between is skipped, because it has a new value already. If it is interrupted, run it
 * again.
 */
@Injectable()
export class RotateKeysService {
  constructor(
    private readonly db: Database,
    private readonly config: Config,
  ) {}

  async run(): Promise<Rotated> {
    const rotated: Rotated = { sealed: {}, unreadable: 0 };
    for (const { id, environment } of await this.db.all(LIST_SIDES))
      for (const statements of STATEMENTS)
        await this.rotate(system("rotate-keys", id, environment), statements, rotated);
    return rotated;
  }

  private async rotate(caller: SystemCaller, statements: (typeof STATEMENTS)[number], rotated: Rotated): Promise<void> {
    const { column } = statements;
    const sealer = new Sealer(this.config.secretKeys, column.purpose);
    for (let unreadable = 0; ;) {
      const { seen, sealed, failed } = await this.db.transaction(caller, (tx) =>
        this.batch(tx, statements, sealer, unreadable),
      );
      rotated.sealed[column.table] = (rotated.sealed[column.table] ?? 0) + sealed;
      rotated.unreadable += failed;
      unreadable += failed;
      if (seen < BATCH) return;
    }
  }

  /** @param unreadable how many rows at the beginning of the order could not be decrypted, and are skipped */
  private async batch(
    tx: Tx,
    { column: { context, hash }, find, replace }: (typeof STATEMENTS)[number],
    sealer: Sealer,
    unreadable: number,
  ): Promise<{ seen: number; sealed: number; failed: number }> {
    tx.changesNothingVisible();
    await suspendRowAudit(tx);
    const newest = sealedUnder(this.config.secretKeys[0]!);
    const rows = await tx.query(find, { newest, skip: unreadable, batch: BATCH });
    const { tenantId } = tx.caller;
    const again = rows.flatMap((row) => {
      try {
        const value = sealer.open<never>(Buffer.from(row.old, "hex"), context(tenantId, row));
        return [
          {
            ...row,
            new: sealer.seal(value, context(tenantId, row)).toString("hex"),
            hash: hash?.of(sealer, tenantId, value),
          },
        ];
      } catch {
        return [];
      }
    });
    const done = await tx.query(replace, { rows: JSON.stringify(again) });
    return { seen: rows.length, sealed: done.length, failed: rows.length - again.length };
  }
}
