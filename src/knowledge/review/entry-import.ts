import { BadRequestException } from "@nestjs/common";
import { plainToInstance } from "class-transformer";
import { validate, type ValidationError } from "class-validator";
import { v7 as uuid } from "uuid";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { outsideRequest } from "../../platform/caller/request-context.js";
import type { Database } from "../../platform/database/database.js";
import { Json } from "../../platform/http/json.js";
import { WorkspaceEntity } from "../../workspaces/workspace.entity.js";
import { columnOf } from "./entries.queries.js";
import type { Alike, EntrySearch } from "./entry-search.service.js";
import type { ExportDto, ExportPartDto, Import, ImportErrorDto, ImportReportDto } from "./import.dto.js";
import type { Life } from "./life.js";
import { type Fields, fromCsv, fromNdjson, toLines } from "./lines.js";
import { wordsOf } from "./ranking.js";
import type { NewEntryDto, ReviewedEntryDto } from "./reviewed-entry.dto.js";

const MOST_LINES = 10_000;
/** Rows of one statement: none may take as long as a statement is given. */
const BATCH = 500;
const EXPORTED_AT_ONCE = 1_000;
const MOST_DEPTH = 32;
const MOST_HINTS = 1_000;
/** More are compared with each other, word for word, and not with what is there: that costs a millisecond or two each. */
const MOST_COMPARED = 1_000;

/** How the entries of a kind are written in lines. */
export interface Written<New, Said, Hint> {
  table: string;
  /** What a line may hold: each is a column of the same name. */
  fields: Fields;
  /** What a line has to be. */
  type: new () => New;
  /** What a line leaves to its workspace. */
  from?: (workspace: WorkspaceEntity) => Partial<New>;
  /** What it is asked for by. */
  question: (entry: Said) => string;
  /** How the report points at an entry that a line likely duplicates or contradicts. */
  hint: (alike: Alike<Said & { id: string }>) => Hint;
}

/** Many entries at once: each line stands or falls by itself, all good ones in one transaction. */
export class EntryImport<Entry extends ReviewedEntryDto & Said, New extends NewEntryDto & Said, Said, Hint> {
  private readonly inserting: string;

  constructor(
    private readonly db: Database,
    private readonly life: Life<Entry, unknown>,
    private readonly finder: EntrySearch<Entry, Said>,
    private readonly written: Written<New, Said, Hint>,
  ) {
    const columns = ["id", "duplicate_of_id", ...Object.keys(written.fields).map(columnOf)];
    this.inserting = `insert into ${written.table} (tenant_id, workspace_id, source, changed_by, ${columns.join(", ")})
      select :tenant, :workspaceId, 'import', :by, ${columns.map((column) => `e.${column}`).join(", ")} from jsonb_populate_recordset(null::${written.table}, :entries::jsonb) e`;
  }

  async export(
    caller: Caller,
    workspaceId: string,
    { format = "ndjson", status, cursor }: ExportDto,
  ): Promise<Json<ExportPartDto>> {
    const { data, nextCursor } = (
      await this.life.list(outsideRequest(caller), workspaceId, {
        status,
        limit: EXPORTED_AT_ONCE,
        cursor,
      })
    ).parse();
    return Json.of({
      format,
      content: toLines(format, this.written.fields, data),
      ...(nextCursor !== undefined && { nextCursor }),
    });
  }

  async import(
    caller: Caller,
    workspaceId: string,
    { format, content }: Import,
  ): Promise<Json<ImportReportDto & { similar: (Hint & { line: number })[] }>> {
    const lines = format === "csv" ? fromCsv(content, this.written.fields) : fromNdjson(content);
    if (lines.length > MOST_LINES)
      throw new BadRequestException(
        `content has ${lines.length} entries; at most ${MOST_LINES} can be imported at once`,
      );
    const errors: ImportErrorDto[] = [];
    const good: { line: number; entry: New }[] = [];
    for (const { line, value, error } of lines) {
      const checked = value ? await this.check(value) : { error: error! };
      if ("error" in checked) errors.push({ line, error: checked.error });
      else good.push({ line, entry: checked.entry });
    }
    return this.db.transaction(caller, async (tx) => {
      const workspace = await tx.findOrThrow(WorkspaceEntity, { id: workspaceId });
      tx.within(workspaceId);
      const left = this.written.from?.(workspace) ?? {};
      const similar: (Hint & { line: number })[] = [];
      const said = new Map<string, Said & { id: string }>();
      for (let from = 0; from < good.length; from += BATCH) {
        const batch = good.slice(from, from + BATCH);
        const there: Alike<Said & { id: string }>[][] =
          good.length > MOST_COMPARED
            ? []
            : await this.finder.alike(
                tx,
                workspaceId,
                batch.map(({ entry }) => entry),
              );
        const entries = batch.map(({ line, entry }, i) => {
          const id = uuid();
          const alike = there[i] ?? [];
          const words = wordsOf(this.written.question(entry)).join(" ");
          // Of the lines before, those of this batch are not in yet.
          const twin = said.get(words);
          if (!twin) said.set(words, { ...entry, id });
          else if (!alike.some((other) => other.entry.id === twin.id))
            alike.unshift({ entry: twin, likeness: 1, kind: this.finder.kindOf(entry, twin) });
          similar.push(
            ...alike.slice(0, MOST_HINTS - similar.length).map((one) => ({ line, ...this.written.hint(one) })),
          );
          return columnsOf({ ...left, ...given(entry), id, duplicateOfId: alike[0]?.entry.id ?? null });
        });
        await tx.query(this.inserting, { workspaceId, entries: JSON.stringify(entries), by: callerId(caller) });
      }
      return Json.of({ imported: good.length, failed: errors.length, errors, similar });
    });
  }

  /** A line that passes is an entry; one that does not is told why. */
  private async check(value: Record<string, unknown>): Promise<{ entry: New } | { error: string }> {
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(this.written.fields, name));
    if (unknown.length) return { error: `Unknown fields: ${unknown.join(", ")}` };
    // As deep as a body may be; what comes next goes down by calls.
    if (isDeeper(value, MOST_DEPTH)) return { error: `The line is nested deeper than ${MOST_DEPTH} levels` };
    // What PostgreSQL could not keep would undo the good lines too.
    if (/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(value)))
      return { error: "The line holds characters that cannot be kept" };
    const entry = plainToInstance(this.written.type, value);
    const errors = await validate(entry, { whitelist: true, forbidNonWhitelisted: true });
    return errors.length ? { error: errors.flatMap(sentences).join("; ") } : { entry };
  }
}

function isDeeper(value: unknown, most: number): boolean {
  let level = [value];
  for (let depth = 0; depth <= most && level.length; depth++)
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? (Object.values(one) as unknown[]) : []));
  return level.length > 0;
}

const sentences = ({ constraints = {} }: ValidationError): string[] => Object.values(constraints).slice(-1);
const given = (entry: object): object =>
  Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
const columnsOf = (entry: object): object =>
  Object.fromEntries(Object.entries(entry).map(([field, value]) => [columnOf(field), value as unknown]));
