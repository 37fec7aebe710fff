import { BadRequestException } from "@nestjs/common";
import { parse } from "csv-parse/sync";

/** The fields of a line; how a cell of CSV becomes a value: as it stands, as several separated by `|`, or as JSON. */
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

/** @throws BadRequestException: a column that nobody knows */
export function fromCsv(content: string, fields: Fields): Line[] {
  let header: string[] | undefined;
  const lines: Line[] = [];
  let begins = 1;
  const rows = parse(content, {
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      lines.push({ line: error?.lines as number, error: `The line is not CSV: ${error?.message}` });
      return undefined;
    },
  }) as unknown as { record: string[]; info: { lines: number } }[];
  for (const { record, info } of rows) {
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

function valueOf(field: string, kind: Fields[string] | undefined): unknown {
  if (kind === "text") return field;
  if (kind === "list" && !field.startsWith("[")) return field.split("|").map((part) => part.trim());
  try {
    return JSON.parse(field);
  } catch {
    return field;
  }
}

/** What `valueOf` reads as the same value. */
function cell(value: unknown): string {
  const text =
    typeof value === "string"
      ? value
      : value === null || value === undefined || (Array.isArray(value) && !value.length)
        ? ""
        : JSON.stringify(value);
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

export function toLines(format: "csv" | "ndjson", fields: Fields, values: readonly object[]): string {
  const names = Object.keys(fields);
  const picked = values.map((value) => names.map((name) => (value as Record<string, unknown>)[name]));
  const lines =
    format === "csv"
      ? [names.join(","), ...picked.map((row) => row.map(cell).join(","))]
      : picked.map((row) => JSON.stringify(Object.fromEntries(names.map((name, i) => [name, row[i]]))));
  return lines.map((line) => `${line}\n`).join("");
}
