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

export function fromNdjson(content: string): Line[] {
  return content.split("\n").flatMap((text, index): Line[] => {
    if (!text.trim()) return [];
    const line = index + 1;
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === "object" && value !== null && !Array.isArray(value))
        return [{ line, value: value as Record<string, unknown> }];
      return [{ line, error: "The line is not a JSON object" }];
    } catch {
      return [{ line, error: "The line is not JSON" }];
    }
  });
}

/** How many bytes of CSV are read before others have their turn. The parser takes half a second for 1 MB. */
const BYTES_PER_TURN = 65_536;

async function* inTurns(content: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; at += BYTES_PER_TURN) {
    yield bytes.subarray(at, at + BYTES_PER_TURN);
    await setImmediate();
  }
}

/** @throws BadRequestException: a column is unknown */
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
    on_skip: (error) => {
      lines.push({ line: error?.lines as number, error: `The line is not CSV: ${error?.message}` });
      return undefined;
    },
  });
  const rows = Readable.from(inTurns(content)).pipe(parser) as AsyncIterable<{
    record: string[];
    info: { lines: number };
  }>;
  for await (const { record, info } of rows) {
    const line = begins;
    begins = info.lines + 1;
    if (!header) {
      const unknown = record.filter((name) => !Object.hasOwn(fields, name.trim()));
      if (unknown.length) throw new BadRequestException(`content names unknown columns: ${unknown.join(", ")}`);
      header = record.map((name) => name.trim());
      continue;
    }
    if (record.length !== header.length)
      lines.push({ line, error: `The line has ${record.length} fields instead of ${header.length}` });
    else
      lines.push({
        line,
        value: Object.fromEntries(
          header.flatMap((name, i) => (record[i] === "" ? [] : [[name, valueOf(record[i]!, fields[name])]])),
        ),
      });
  }
  return lines.sort((a, b) => a.line - b.line);
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
