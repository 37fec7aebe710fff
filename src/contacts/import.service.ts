import { setImmediate } from "node:timers/promises";
import { BadRequestException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { type Caller, callerId } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import { sql, TENANT } from "../platform/database/sql.js";
import { query } from "../platform/database/statements.js";
import type { Tx } from "../platform/database/transaction.js";
import { Json } from "../platform/http/json.js";
import { contactInReach, SEARCHED_WORKSPACES, type Self } from "./contact-reach.js";
import { EXTERNAL_ID_TAKEN } from "./contacts.service.js";
import type { ContactImportReportDto } from "./import.dto.js";
import { type ReadLine, readCsv, readNdjson } from "./import-lines.js";

export const IMPORT = { types: ["text/csv", "application/x-ndjson"], maxBytes: 10_485_760 } as const;
const MAX_LINES = 20_000;
/** How long lines are read before other requests get a turn. */
const MS_PER_TURN = 20;
/** Contacts per insert statement. */
const BATCH = 1_000;

/** `contacts` and `points` are JSON. Returns no row for a contact whose externalId is taken. */
const ADD = query<{ contacts: string; points: string; by: string | null }>()(
  "contacts.import",
  { unrestricted: "new contacts belong to the caller that imports them" },
  ({ contacts, points, by }) => sql`
    with added as (
      insert into contact (tenant_id, id, external_id, external_id_vouched_within, name, language, labels, attributes, created_by)
      select ${TENANT}, g.id, g."externalId", ${SEARCHED_WORKSPACES}, g.name, g.language, array(select jsonb_array_elements_text(g.labels)),
        coalesce(g.attributes, '{}'), ${by}
      from jsonb_to_recordset(${contacts}::jsonb)
        as g (id uuid, "externalId" text, name text, language text, labels jsonb, attributes jsonb)
      on conflict (tenant_id, external_id) do nothing
      returning id
    ), points as (
      insert into contact_point (tenant_id, id, contact_id, kind, value, position, vouched_within, original)
      select ${TENANT}, gen_random_uuid(), a.id, p.kind, p.value, p.position, ${SEARCHED_WORKSPACES}, true
      from jsonb_to_recordset(${points}::jsonb) as p ("contactId" uuid, kind text, value text, position integer)
        join added a on a.id = p."contactId"
    )
    select id from added`,
);

/** Those externalIds that contacts out of the caller's reach have. */
const FIND_OUT_OF_REACH = query<Self & { externalIds: readonly string[] }>()(
  "contacts.findOutOfReach",
  { unrestricted: "it gives back externalIds that the caller knows" },
  ({ self, externalIds }) => sql`
    select k.external_id as "externalId" from contact k
    where k.tenant_id = ${TENANT} and k.external_id = any(${externalIds}::text[]) and not ${contactInReach("k", self)}`,
);

interface Line extends ReadLine {
  id: string;
}

/** Imports contacts. All valid lines are added in one transaction. Each invalid line gets an error. */
@Injectable()
export class ImportService {
  constructor(private readonly db: Database) {}

  /** @throws BadRequestException: the body cannot be read at all, or has too many lines */
  async import(caller: Caller, type: string, bytes: Buffer): Promise<Json<ContactImportReportDto>> {
    const lines = await this.read(/^text\/csv/i.test(type) ? readCsv(bytes) : readNdjson(bytes));
    return this.db.transaction(caller, async (tx) => {
      const added = new Set<string>();
      const good = lines.filter(({ contact }) => contact);
      for (let first = 0; first < good.length; first += BATCH)
        for (const id of await this.addWithinReach(tx, good.slice(first, first + BATCH))) added.add(id);
      return Json.of<ContactImportReportDto>({
        imported: added.size,
        failed: lines.length - added.size,
        lines: lines.map(({ line, id, error }) =>
          added.has(id)
            ? { line, contactId: id, error: null }
            : { line, contactId: null, error: error ?? EXTERNAL_ID_TAKEN },
        ),
      });
    });
  }

  private async read(source: Generator<ReadLine>): Promise<Line[]> {
    const lines: Line[] = [];
    const externalIds = new Map<string, number>();
    let began = performance.now();
    for (const one of source) {
      if (lines.length === MAX_LINES) throw new BadRequestException(`At most ${MAX_LINES} lines at a time`);
      lines.push({ id: uuid(), ...withoutRepeats(one, externalIds) });
      if (performance.now() - began < MS_PER_TURN) continue;
      await setImmediate();
      began = performance.now();
    }
    return lines;
  }

  /**
   * An externalId that a contact out of reach has is not taken: the line becomes a contact without it.
   * @returns the ids of the added contacts; contacts whose externalId is taken within reach are missing
   */
  private async addWithinReach(tx: Tx, lines: readonly Line[]): Promise<string[]> {
    const added = await this.add(tx, lines);
    if (added.length === lines.length || tx.caller.reach.level === "tenant") return added;
    const done = new Set(added);
    const refused = lines.filter(({ id }) => !done.has(id));
    const externalIds = refused.map(({ contact }) => contact!.externalId!);
    const found = await tx.query(FIND_OUT_OF_REACH, { externalIds, self: callerId(tx.caller) });
    const outOfReach = new Set(found.map(({ externalId }) => externalId));
    const without = refused
      .filter(({ contact }) => outOfReach.has(contact!.externalId!))
      .map((line) => ({ ...line, contact: { ...line.contact, externalId: null } }));
    return without.length ? [...added, ...(await this.add(tx, without))] : added;
  }

  /** @returns the ids of the added contacts; contacts whose externalId is taken are missing */
  private async add(tx: Tx, lines: readonly Line[]): Promise<string[]> {
    const points = lines.flatMap(({ id, contact: { emails = [], phones = [] } = {} }) =>
      [
        ...emails.map((value) => ({ contactId: id, kind: "email", value })),
        ...phones.map((value) => ({ contactId: id, kind: "phone", value })),
      ].map((point, position) => ({ ...point, position })),
    );
    const added = await tx.query(ADD, {
      contacts: JSON.stringify(lines.map(({ id, contact }) => ({ ...contact, id }))),
      points: JSON.stringify(points),
      by: callerId(tx.caller),
    });
    return added.map(({ id }) => id);
  }
}

/** Rejects a line that has the same externalId as an earlier line. */
function withoutRepeats(one: ReadLine, externalIds: Map<string, number>): ReadLine {
  const externalId = one.contact?.externalId;
  if (!externalId) return one;
  const before = externalIds.get(externalId);
  if (before !== undefined) return { line: one.line, error: `The line has the externalId of line ${before}` };
  externalIds.set(externalId, one.line);
  return one;
}
