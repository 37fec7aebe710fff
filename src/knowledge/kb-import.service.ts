import { BadRequestException, Injectable } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { parse } from 'csv-parse/sync';
import { v7 as uuid } from 'uuid';
import { type Caller, callerId } from '../caller/caller.js';
import { Database } from '../database/database.js';
import { Json } from '../http/json.js';
import { WorkspaceEntity } from '../workspaces/workspace.entity.js';
import { CreateKbEntryDto, type ExportKbEntriesDto, type ImportDto, type ImportErrorDto, type ImportHintDto, type ImportReportDto, type KbEntryDto, type KbExportDto, type LikelySameDto } from './kb-entries.dto.js';
import { KbEntriesService } from './kb-entries.service.js';
import { KbSearchService, kindOf } from './kb-search.service.js';
import { wordsOf } from './ranking.js';

const MOST_LINES = 10_000;
/** Rows of one statement: none may take as long as a statement is given. */
const BATCH = 500;
const EXPORTED_AT_ONCE = 1_000;
const MOST_HINTS = 1_000;
/** More are compared with each other, word for word, and not with what is there: that costs a millisecond or two each. */
const MOST_COMPARED = 1_000;
const FIELDS = ['question', 'answer', 'alternateQuestions', 'language', 'labels', 'validUntil', 'status'] as const satisfies (keyof KbEntryDto)[];
const KNOWN = new Set<string>(FIELDS);
const LISTS = new Set(['alternateQuestions', 'labels']);

interface Line { line: number; value?: Record<string, unknown>; error?: string }

/** Many entries at once: each line stands or falls by itself, all good ones in one transaction. */
@Injectable()
export class KbImportService {
  constructor(private readonly db: Database, private readonly entries: KbEntriesService, private readonly finder: KbSearchService) {}

  async export(caller: Caller, workspaceId: string, { format = 'ndjson', status, cursor }: ExportKbEntriesDto): Promise<Json<KbExportDto>> {
    const { data, nextCursor } = (await this.entries.list({ ...caller, ifNoneMatch: undefined }, workspaceId, { status, limit: EXPORTED_AT_ONCE, cursor })).parse();
    const content = format === 'csv' ? [FIELDS.join(','), ...data.map((entry) => FIELDS.map((name) => cell(entry[name])).join(','))] : data.map((entry) => JSON.stringify(entry, [...FIELDS]));
    return Json.of({ format, content: content.map((line) => `${line}\n`).join(''), ...(nextCursor !== undefined && { nextCursor }) });
  }

  async import(caller: Caller, workspaceId: string, { format, content }: ImportDto): Promise<Json<ImportReportDto>> {
    const lines = format === 'csv' ? fromCsv(content) : fromNdjson(content);
    if (lines.length > MOST_LINES) throw new BadRequestException(`content has ${lines.length} entries; at most ${MOST_LINES} can be imported at once`);
    const errors: ImportErrorDto[] = [];
    const good: { line: number; entry: CreateKbEntryDto }[] = [];
    for (const { line, value, error } of lines) {
      const checked = value ? await check(value) : { error: error! };
      if ('error' in checked) errors.push({ line, error: checked.error });
      else good.push({ line, entry: checked.entry });
    }
    return this.db.transaction(caller, async (tx) => {
      const { primaryLanguage } = await tx.findOrThrow(WorkspaceEntity, { id: workspaceId });
      tx.within(workspaceId);
      const similar: ImportHintDto[] = [];
      const said = new Map<string, { id: string; question: string; answer: string }>();
      for (let from = 0; from < good.length; from += BATCH) {
        const lines = good.slice(from, from + BATCH);
        const alike = good.length > MOST_COMPARED ? lines.map(() => []) : await this.finder.alike(tx, workspaceId, lines.map(({ entry }) => entry));
        const entries = lines.map(({ line, entry }, i) => {
          const id = uuid();
          const words = wordsOf(entry.question).join(' ');
          // Of the lines before, those of this batch are not in yet.
          const twin = said.get(words);
          const like: LikelySameDto[] = alike[i]!;
          if (twin && !like.some(({ kbEntryId }) => kbEntryId === twin.id)) like.unshift({ kbEntryId: twin.id, question: twin.question, likeness: 1, kind: kindOf(entry.answer, twin.answer) });
          else if (!twin) said.set(words, { id, question: entry.question, answer: entry.answer });
          similar.push(...like.slice(0, MOST_HINTS - similar.length).map((hint) => ({ line, ...hint })));
          return { ...entry, id, language: entry.language ?? primaryLanguage, validUntil: entry.validUntil ?? null, duplicateOfId: like[0]?.kbEntryId ?? null };
        });
        await tx.query(`insert into kb_entry (tenant_id, id, workspace_id, status, question, answer, alternate_questions, language, labels, source, valid_until, duplicate_of_id, changed_by)
          select :tenant, e.id, :workspaceId, e.status, e.question, e.answer, array(select jsonb_array_elements_text(e."alternateQuestions")), e.language,
            array(select jsonb_array_elements_text(e.labels)), 'import', e."validUntil", e."duplicateOfId", :by
          from jsonb_to_recordset(:entries) as e (id uuid, status text, question text, answer text, "alternateQuestions" jsonb, language text, labels jsonb, "validUntil" timestamptz, "duplicateOfId" uuid)`,
        { workspaceId, entries: JSON.stringify(entries), by: callerId(caller) });
      }
      return Json.of<ImportReportDto>({ imported: good.length, failed: errors.length, errors, similar });
    });
  }
}

function fromNdjson(content: string): Line[] {
  return content.split('\n').flatMap((text, index): Line[] => {
    if (!text.trim()) return [];
    const line = index + 1;
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return [{ line, value: value as Record<string, unknown> }];
      return [{ line, error: 'The line is not a JSON object' }];
    } catch {
      return [{ line, error: 'The line is not JSON' }];
    }
  });
}

function fromCsv(content: string): Line[] {
  let header: string[] | undefined;
  const lines: Line[] = [];
  let begins = 1;
  const rows = parse(content, {
    bom: true, info: true, relax_column_count: true, skip_empty_lines: true, skip_records_with_error: true,
    on_skip: (error) => { lines.push({ line: error?.lines as number, error: `The line is not CSV: ${error?.message}` }); return undefined; },
  }) as unknown as { record: string[]; info: { lines: number } }[];
  for (const { record, info } of rows) {
    const line = begins;
    begins = info.lines + 1;
    if (!header) {
      const unknown = record.filter((name) => !KNOWN.has(name.trim()));
      if (unknown.length) throw new BadRequestException(`content names unknown columns: ${unknown.join(', ')}`);
      header = record.map((name) => name.trim());
      continue;
    }
    if (record.length !== header.length) lines.push({ line, error: `The line has ${record.length} fields instead of ${header.length}` });
    else lines.push({ line, value: Object.fromEntries(header.flatMap((name, i) => (record[i] === '' ? [] : [[name, LISTS.has(name) ? listOf(record[i]!) : record[i]]]))) });
  }
  return lines.sort((a, b) => a.line - b.line);
}

/** A line that passes is an entry; one that does not is told why. */
async function check(value: Record<string, unknown>): Promise<{ entry: CreateKbEntryDto } | { error: string }> {
  const unknown = Object.keys(value).filter((name) => !KNOWN.has(name));
  if (unknown.length) return { error: `Unknown fields: ${unknown.join(', ')}` };
  // What PostgreSQL could not keep would undo the good lines too.
  if (/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(value))) return { error: 'The line holds characters that cannot be kept' };
  const entry = plainToInstance(CreateKbEntryDto, value);
  const errors = await validate(entry, { whitelist: true, forbidNonWhitelisted: true });
  return errors.length ? { error: errors.flatMap(sentences).join('; ') } : { entry };
}

const sentences = ({ constraints = {} }: ValidationError): string[] => Object.values(constraints).slice(-1);

function listOf(field: string): unknown {
  if (!field.startsWith('[')) return field.split('|').map((part) => part.trim());
  try {
    return JSON.parse(field);
  } catch {
    return field;
  }
}

const cell = (value: string | string[] | null): string => {
  const text = Array.isArray(value) ? (value.length ? JSON.stringify(value) : '') : value ?? '';
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
};
