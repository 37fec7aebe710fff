import { setImmediate } from "node:timers/promises";
import { validate } from "class-validator";
import { v7 as uuid } from "uuid";
import { columnOf } from "../../platform/database/sql.js";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { outsideRequest } from "../../platform/caller/request-context.js";
import type { Database } from "../../platform/database/database.js";
import { instantiate } from "../../platform/http/instantiate.js";
import { Json } from "../../platform/http/json.js";
import { sentences } from "../../platform/http/validation.js";
import { WorkspaceEntity } from "../../workspaces/workspace.entity.js";
import type { Query } from "../../platform/database/statements.js";
import type { Alike, EntrySearchService } from "./entry-search.service.js";
import type { ExportDto, ExportPartDto, Import, ImportErrorDto, ImportReportDto } from "./import.dto.js";
import type { ReviewWorkflow } from "./review-workflow.js";
import { fromCsv, fromNdjson, toLines } from "./entry-lines.js";
import { wordsOf } from "./similarity.js";
import type { NewEntryDto, ReviewedEntryDto } from "./reviewed-entry.dto.js";

/** How many are checked before others have their turn. */
const LINES_PER_TURN = 200;
/** Rows of one statement, few enough for the statement timeout. */
const BATCH = 500;
const EXPORT_PAGE = 1_000;
const MAX_DEPTH = 32;
const MAX_HINTS = 1_000;
/** NUL and half a surrogate pair, as JSON writes them. A backslash that belongs to the text is written as two. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;
/**
 * Larger imports are compared only with themselves, word for word. Comparing with stored entries costs a millisecond or
 * two for each line.
 */
const MAX_COMPARED = 1_000;

/** How the entries of a kind are written in lines. */
export interface Written<New, Said, Hint> {
  /** The class that validates a line. */
  type: new () => New;
  /** The values that come from the workspace if a line lacks them. */
  from?: (workspace: WorkspaceEntity) => Partial<New>;
  /** The question that the entry answers. */
  question: (entry: Said) => string;
  /** How the report names an entry that a line likely duplicates or contradicts. */
  hint: (alike: Alike<Said & { id: string }>) => Hint;
}

/** Imports and exports entries. Each line is checked by itself; all good ones are added in one transaction. */
export class EntryImport<Entry extends ReviewedEntryDto & Said, New extends NewEntryDto & Said, Said, Hint> {
  private readonly insert: Query<{ workspaceId: string; by: string | null; entries: string }, unknown>;

  constructor(
    private readonly db: Database,
    private readonly workflow: ReviewWorkflow<Entry, unknown>,
    private readonly finder: EntrySearchService<Entry, Said>,
    private readonly written: Written<New, Said, Hint>,
  ) {
    this.insert = workflow.changes.import(Object.keys(workflow.lines));
  }

  async export(
    caller: Caller,
    workspaceId: string,
    { format = "ndjson", status, cursor }: ExportDto,
  ): Promise<Json<ExportPartDto>> {
    const part = { status, limit: EXPORT_PAGE, cursor };
    const { data, nextCursor } = (await this.workflow.export(outsideRequest(caller), workspaceId, part)).parse();
    return Json.of({
      format,
      content: toLines(format, this.workflow.lines, data),
      ...(nextCursor !== undefined && { nextCursor }),
    });
  }

  async import(
    caller: Caller,
    workspaceId: string,
    { format, content }: Import,
  ): Promise<Json<ImportReportDto & { similar: (Hint & { line: number })[] }>> {
    const lines = format === "csv" ? await fromCsv(content, this.workflow.lines) : await fromNdjson(content);
    const errors: ImportErrorDto[] = [];
    const good: { line: number; entry: New }[] = [];
    for (const [i, { line, value, error }] of lines.entries()) {
      if (i % LINES_PER_TURN === LINES_PER_TURN - 1) await setImmediate();
      const checked = value ? await this.check(value) : { error: error! };
      if ("error" in checked) errors.push({ line, error: checked.error });
      else good.push({ line, entry: checked.entry });
    }
    return this.db.transaction(caller, async (tx) => {
      const workspace = await tx.findOrThrow(WorkspaceEntity, { id: workspaceId });
      tx.changesWorkspace(workspaceId);
      const left = this.written.from?.(workspace) ?? {};
      const similar: (Hint & { line: number })[] = [];
      const said = new Map<string, Said & { id: string }>();
      for (let from = 0; from < good.length; from += BATCH) {
        const batch = good.slice(from, from + BATCH);
        const there: Alike<Said & { id: string }>[][] =
          good.length > MAX_COMPARED
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
          // Lines of this batch are not stored yet, so they are compared here.
          const twin = said.get(words);
          if (!twin) said.set(words, { ...entry, id });
          else if (!alike.some((other) => other.entry.id === twin.id))
            alike.unshift({ entry: twin, likeness: 1, kind: this.finder.kindOf(entry, twin) });
          similar.push(
            ...alike.slice(0, MAX_HINTS - similar.length).map((one) => ({ line, ...this.written.hint(one) })),
          );
          return columnsOf({ ...left, ...given(entry), id, duplicateOfId: alike[0]?.entry.id ?? null });
        });
        await tx.query(this.insert, { workspaceId, entries: JSON.stringify(entries), by: callerId(caller) });
      }
      return Json.of({ imported: good.length, failed: errors.length, errors, similar });
    });
  }

  /** Validates a line: the entry, or what is wrong. */
  private async check(value: Record<string, unknown>): Promise<{ entry: New } | { error: string }> {
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(this.workflow.lines, name));
    if (unknown.length) return { error: `Unknown fields: ${unknown.join(", ")}` };
    // The same limit as for bodies. The validator recurses.
    if (isDeeper(value, MAX_DEPTH)) return { error: `The line is nested deeper than ${MAX_DEPTH} levels` };
    // PostgreSQL cannot store these characters, and its error would undo the good lines too.
    if (UNSTORABLE.test(JSON.stringify(value))) return { error: "The line holds characters that cannot be kept" };
    const entry = instantiate(this.written.type, value);
    const errors = await validate(entry, { whitelist: true, forbidNonWhitelisted: true });
    return errors.length ? { error: errors.flatMap((error) => sentences(error)).join("; ") } : { entry };
  }
}

function isDeeper(value: unknown, most: number): boolean {
  let level = [value];
  for (let depth = 0; depth <= most && level.length; depth++)
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? (Object.values(one) as unknown[]) : []));
  return level.length > 0;
}

const given = (entry: object): object =>
  Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
const columnsOf = (entry: object): object =>
  Object.fromEntries(Object.entries(entry).map(([field, value]) => [columnOf(field), value as unknown]));
