import { setImmediate } from "node:timers/promises";
import { BadRequestException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { type Caller, callerId } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import type { Tx } from "../platform/database/transaction.js";
import { Json } from "../platform/http/json.js";
import { EXISTS } from "./contacts.service.js";
import type { ContactImportReportDto } from "./import.dto.js";
import { type ReadLine, readCsv, readNdjson } from "./import-lines.js";

export const IMPORT = { types: ["text/csv", "application/x-ndjson"], maxBytes: 10_485_760 } as const;
const MOST_LINES = 20_000;
/** Lines read at a stretch: others are served in between. */
const STRETCH = 100;
/** Contacts added by one statement. */
const BATCH = 1_000;

interface Line extends ReadLine {
  id: string;
}

/** Contacts by the thousand: the good lines in, in one transaction, and each bad one named. */
@Injectable()
export class ImportService {
  constructor(private readonly db: Database) {}

  /** @throws BadRequestException: the body as a whole cannot be read, or has too many lines */
  async import(caller: Caller, type: string, bytes: Buffer): Promise<Json<ContactImportReportDto>> {
    const lines = await this.read(/^text\/csv/i.test(type) ? readCsv(bytes) : readNdjson(bytes));
    return this.db.transaction(caller, async (tx) => {
      const added = new Set<string>();
      const good = lines.filter(({ contact }) => contact);
      for (let first = 0; first < good.length; first += BATCH)
        for (const id of await this.add(tx, good.slice(first, first + BATCH))) added.add(id);
      return Json.of<ContactImportReportDto>({
        imported: added.size,
        failed: lines.length - added.size,
        lines: lines.map(({ line, id, error }) =>
          added.has(id) ? { line, contactId: id, error: null } : { line, contactId: null, error: error ?? EXISTS },
        ),
      });
    });
  }

  private async read(source: Generator<ReadLine>): Promise<Line[]> {
    const lines: Line[] = [];
    const externalIds = new Map<string, number>();
    for (const one of source) {
      if (lines.length === MOST_LINES) throw new BadRequestException(`At most ${MOST_LINES} lines at a time`);
      lines.push({ id: uuid(), ...withoutRepeats(one, externalIds) });
      if (lines.length % STRETCH === 0) await setImmediate();
    }
    return lines;
  }

  /** @returns the ids of those that were added; the others' externalId is taken, also by whoever came first at this moment */
  private async add(tx: Tx, lines: readonly Line[]): Promise<string[]> {
    const points = lines.flatMap(({ id, contact: { emails = [], phones = [] } = {} }) =>
      [
        ...emails.map((value) => ({ contactId: id, kind: "email", value })),
        ...phones.map((value) => ({ contactId: id, kind: "phone", value })),
      ].map((point, position) => ({ ...point, position })),
    );
    const added = await tx.query<{ id: string }>(
      `with added as (
        insert into contact (tenant_id, id, external_id, name, language, labels, attributes, created_by)
        select :tenant, g.id, g."externalId", g.name, g.language, array(select jsonb_array_elements_text(g.labels)), coalesce(g.attributes, '{}'), :by
        from jsonb_to_recordset(:contacts::jsonb) as g (id uuid, "externalId" text, name text, language text, labels jsonb, attributes jsonb)
        on conflict (tenant_id, external_id) do nothing returning id
      ), points as (
        insert into contact_point (tenant_id, id, contact_id, kind, value, position)
        select :tenant, gen_random_uuid(), a.id, p.kind, p.value, p.position
        from jsonb_to_recordset(:points::jsonb) as p ("contactId" uuid, kind text, value text, position integer) join added a on a.id = p."contactId"
      ) select id from added`,
      {
        contacts: JSON.stringify(lines.map(({ id, contact }) => ({ ...contact, id }))),
        points: JSON.stringify(points),
        by: callerId(tx.caller),
      },
    );
    return added.map(({ id }) => id);
  }
}

/** Of two lines with one externalId, the second is refused. */
function withoutRepeats(one: ReadLine, externalIds: Map<string, number>): ReadLine {
  const externalId = one.contact?.externalId;
  if (!externalId) return one;
  const before = externalIds.get(externalId);
  if (before !== undefined) return { line: one.line, error: `The line has the externalId of line ${before}` };
  externalIds.set(externalId, one.line);
  return one;
}
