import { Injectable } from "@nestjs/common";
import { suspendRowAudit } from "../audit/audit-entries.js";
import { type Environment, system, type SystemCaller } from "../platform/caller/caller.js";
import { calendarCredentialsPlace } from "../calendar/providers/calendar-credentials.js";
import { credentialsPlace, fingerprint } from "../channels/channel-credentials.js";
import { Config } from "../platform/config/config.js";
import { Database } from "../platform/database/database.js";
import { Sealer, sealedUnder } from "../platform/database/seal.js";
import type { Tx } from "../platform/database/transaction.js";
import { type Mail, recipientHashes } from "../platform/outbox/outbox.service.js";

const BATCH = 200;

type Row = Record<string, string> & { old: string };
interface SealedColumn {
  table: string;
  column: string;
  /** What its sealer is called. */
  purpose: string;
  /** The columns that name a row, beside the tenant. */
  key: readonly string[];
  /** What the bytes are bound to. */
  place: (tenantId: string, row: Row) => string;
  /** A column with a keyed hash of what is sealed, as SQL has it in hexadecimal. */
  hash?: { column: string; type: "bytea" | "text"; of: (sealer: Sealer, tenantId: string, value: never) => string };
}

const byId = (tenantId: string, { id }: Row): string => tenantId + id!;
const byName = (tenantId: string, { workspace_id: workspaceId, name }: Row): string => tenantId + workspaceId! + name!;

/** Every column with something sealed in it. A test compares with the tables. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: "outbox_message",
    column: "sealed",
    purpose: "outbox",
    key: ["id"],
    place: byId,
    hash: {
      column: "recipient",
      type: "bytea",
      of: (sealer, tenantId, { to }: Mail) => recipientHashes(sealer, tenantId, to)[0]!.toString("hex"),
    },
  },
  {
    table: "channel",
    column: "credentials",
    purpose: "channels",
    key: ["id"],
    place: (tenantId, { id }) => credentialsPlace(tenantId, id!),
    hash: { column: "credential_fingerprint", type: "text", of: fingerprint },
  },
  {
    table: "calendar_connection",
    column: "credentials",
    purpose: "calendars",
    key: ["id", "server_url"],
    place: (tenantId, { id, server_url: url }) => calendarCredentialsPlace(tenantId, id!, url!),
    hash: { column: "credential_fingerprint", type: "text", of: fingerprint },
  },
  {
    table: "verification_source",
    column: "sealed",
    purpose: "verification sources",
    key: ["workspace_id", "name"],
    place: byName,
  },
  { table: "eid_scheme", column: "sealed", purpose: "eid schemes", key: ["workspace_id", "name"], place: byName },
  { table: "eid_request", column: "sealed", purpose: "eid requests", key: ["id"], place: byId },
  { table: "signing_key", column: "sealed", purpose: "signing key", key: ["id"], place: byId },
];

/** How many were sealed anew, by table, and how many could not be opened. */
export interface Rotated {
  sealed: Record<string, number>;
  unreadable: number;
}

/**
 * Seals under the newest master key whatever was sealed under an older one, while everything runs: a row that somebody changes
 * meanwhile is theirs. Whatever ends it, the next run does what is left.
 */
@Injectable()
export class RotateKeysService {
  constructor(
    private readonly db: Database,
    private readonly config: Config,
  ) {}

  async run(): Promise<Rotated> {
    const rotated: Rotated = { sealed: {}, unreadable: 0 };
    const sides = await this.db.global<{ id: string; environment: Environment }>(
      "select id, environment from tenant order by created_at, id",
    );
    for (const { id, environment } of sides) {
      for (const column of SEALED_COLUMNS) await this.rotate(system("rotate-keys", id, environment), column, rotated);
    }
    return rotated;
  }

  private async rotate(caller: SystemCaller, column: SealedColumn, rotated: Rotated): Promise<void> {
    const sealer = new Sealer(this.config.secretKeys, column.purpose);
    for (let unreadable = 0; ;) {
      const { seen, sealed, failed } = await this.db.transaction(caller, (tx) =>
        this.batch(tx, column, sealer, unreadable),
      );
      rotated.sealed[column.table] = (rotated.sealed[column.table] ?? 0) + sealed;
      rotated.unreadable += failed;
      unreadable += failed;
      if (seen < BATCH) return;
    }
  }

  /** @param unreadable how many at the beginning of the order were found not to open */
  private async batch(
    tx: Tx,
    { table, column, key, place, hash }: SealedColumn,
    sealer: Sealer,
    unreadable: number,
  ): Promise<{ seen: number; sealed: number; failed: number }> {
    tx.changesNothingVisible();
    await suspendRowAudit(tx);
    const names = key.join(", ");
    const rows = await tx.query<Row>(
      `select ${key.map((name) => `${name}::text`).join(", ")}, encode(${column}, 'hex') as old from ${table}
      where tenant_id = :tenant and length(${column}) > 0 and substring(${column} from 1 for length(:head::bytea)) <> :head order by ${names} offset :unreadable::int limit :batch::int`,
      { head: sealedUnder(this.config.secretKeys[0]!), unreadable, batch: BATCH },
    );
    const { tenantId } = tx.caller;
    const again = rows.flatMap((row) => {
      try {
        const value = sealer.open<never>(Buffer.from(row.old, "hex"), place(tenantId, row));
        return [
          {
            ...row,
            new: sealer.seal(value, place(tenantId, row)).toString("hex"),
            hash: hash?.of(sealer, tenantId, value),
          },
        ];
      } catch {
        return [];
      }
    });
    const values = { rows: JSON.stringify(again) };
    // The application may not change a signing key, but seal it anew.
    const done =
      table === "signing_key"
        ? await tx.query(
            `select from jsonb_to_recordset(:rows::jsonb) as r (id uuid, old text, new text) where reseal_signing_key(:tenant, r.id, decode(r.old, 'hex'), decode(r.new, 'hex'))`,
            values,
          )
        : await tx.query(
            `update ${table} t set ${column} = decode(r.new, 'hex')${hash ? `, ${hash.column} = ${hash.type === "bytea" ? `decode(r.hash, 'hex')` : "r.hash"}` : ""}
          from jsonb_to_recordset(:rows::jsonb) as r (${key.map((name) => `${name} ${name.endsWith("id") ? "uuid" : "text"}`).join(", ")}, old text, new text, hash text)
          where t.tenant_id = :tenant and ${key.map((name) => `t.${name} = r.${name}`).join(" and ")} and t.${column} = decode(r.old, 'hex') returning 1`,
            values,
          );
    return { seen: rows.length, sealed: done.length, failed: rows.length - again.length };
  }
}
