import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { BadRequestException } from "@nestjs/common";
import { parse } from "csv-parse";
import { stringify } from "csv-stringify/sync";
import { defused, fused } from "../../platform/http/csv.js";

/**
 * The fields of a line, and how a CSV cell becomes a value: as plain text, as several values separated by `|`, or as
 * JSON.
 */
export type Fields = Readonly<Record<string, "text" | "list" | "json">>;
export interface Line {
  line: number;
  value?: Record<string, unknown>;
  error?: string;
}

/** An import has no more. */
const MAX_LINES = 10_000;
/** How many lines are read before others have their turn. A line that is no JSON costs as much as a long one. */
const LINES_PER_TURN = 200;

/** @throws BadRequestException: there are too many */
export async function fromNdjson(content: string): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [index, text] of content.split("\n").entries()) {
    if (!text.trim()) continue;
    await add(lines, ndjsonLine(text, index + 1));
  }
  return lines;
}

function ndjsonLine(text: string, line: number): Line {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return { line, value: value as Record<string, unknown> };
    return { line, error: "The line is not a JSON object" };
  } catch {
    return { line, error: "The line is not JSON" };
  }
}

function assertFew(lines: readonly Line[]): void {
  if (lines.length > MAX_LINES)
    throw new BadRequestException(`content has more than ${MAX_LINES} entries, the most that can be imported at once`);
}

/** The rest is not read once there are too many. */
async function add(lines: Line[], line: Line): Promise<void> {
  lines.push(line);
  assertFew(lines);
  if (lines.length % LINES_PER_TURN === 0) await setImmediate();
}

/** How many unknown columns an error names. */
const MAX_NAMED = 20;

/** How many bytes of CSV are parsed before others have their turn: they may be hundreds of lines that are none, each with its error. */
const BYTES_PER_TURN = 512;
/** An option of every stream, which the parser's types leave out. Otherwise it takes all that is buffered in one turn. */
const ONE_BY_ONE = { writableHighWaterMark: 1 };

/** Stops when there are too many lines: those that are no CSV come before the rows around them are read. */
async function* inTurns(content: string, lines: readonly Line[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length && lines.length <= MAX_LINES; at += BYTES_PER_TURN) {
    yield bytes.subarray(at, at + BYTES_PER_TURN);
    await setImmediate();
  }
}

/** @throws BadRequestException: a column is unknown, or there are too many lines */
export async function fromCsv(content: string, fields: Fields): Promise<Line[]> {
  let header: string[] | undefined;
  const lines: Line[] = [];
  let begins = 1;
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    ...ONE_BY_ONE,
    on_skip: (error) => {
      lines.push({ line: error?.lines as number, error: `The line is not CSV: ${error?.message}` });
      return undefined;
    },
  });
  const rows = Readable.from(inTurns(content, lines), { highWaterMark: 1 }).pipe(parser) as AsyncIterable<{
    record: string[];
    info: { lines: number };
  }>;
  for await (const { record, info } of rows) {
    const line = begins;
    begins = info.lines + 1;
    if (!header) {
      const unknown = record.filter((name) => !Object.hasOwn(fields, name.trim()));
      if (unknown.length)
        throw new BadRequestException(`content names unknown columns: ${unknown.slice(0, MAX_NAMED).join(", ")}`);
      header = record.map((name) => name.trim());
      continue;
    }
    await add(lines, csvLine(record, line, header, fields));
  }
  assertFew(lines);
  return lines.sort((a, b) => a.line - b.line);
}

function csvLine(record: string[], line: number, header: string[], fields: Fields): Line {
  if (record.length !== header.length)
    return { line, error: `The line has ${record.length} fields instead of ${header.length}` };
  const values = header.flatMap((name, i) => (record[i] === "" ? [] : [[name, valueOf(record[i]!, fields[name])]]));
  return { line, value: Object.fromEntries(values) as Record<string, unknown> };
}

function valueOf(cell: string, kind: Fields[string] | undefined): unknown {
  const field = fused(cell);
  if (kind === "text") return field;
  if (kind === "list" && !field.startsWith("[")) return field.split("|").map((part) => part.trim());
  try {
    return JSON.parse(field);
  } catch {
    return field;
  }
}

/** Writes a value in the form that `valueOf` reads. */
function cellOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null || value === undefined || (Array.isArray(value) && !value.length) ? "" : JSON.stringify(value);
}

/** Other line breaks, and spaces at the ends: programs that read CSV lose them unless the cell is quoted. And semicolons, see `defused`. */
const QUOTED = /^\s|\s$|[\r;]/;

/** @param values each has the names of `fields`, in their order */
export function toLines(format: "csv" | "ndjson", fields: Fields, values: readonly object[]): string {
  if (format === "ndjson") return values.map((value) => `${JSON.stringify(value)}\n`).join("");
  const names = Object.keys(fields);
  const rows = values.map((value) => names.map((name) => defused(cellOf((value as Record<string, unknown>)[name]))));
  return stringify([names, ...rows], { quoted_match: QUOTED });
}
