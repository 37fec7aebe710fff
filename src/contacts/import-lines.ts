import { BadRequestException } from "@nestjs/common";
import { parse } from "csv-parse/sync";
import { checkText, decode, parseObject } from "../platform/http/body-reader.js";
import { checked } from "../platform/http/validation.js";
import { CreateContactDto } from "./contacts.dto.js";

/** One line of an import: a contact, or the reason why it is not one. */
export interface ReadLine {
  line: number;
  contact?: CreateContactDto;
  error?: string;
}

/** The maximum number of lines of one record (quoted fields may have line breaks). */
const MAX_RECORD = 100;
/** Of one record, and of the first line, in bytes. A megabyte in one line takes a third of a second to read. */
const MAX_RECORD_BYTES = 65_536;
/** With blank ones. Records may have several, and each takes memory before it is read. */
const MAX_LINES = 200_000;
const COLUMNS = ["externalId", "name", "emails", "phones", "language", "labels"];
const LISTS = ["emails", "phones", "labels"];
const ATTRIBUTE = /^attributes\.(?!__proto__$).+/;

/** The lines with their ends, without a byte order mark. */
function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = bytes.subarray(0, 3).equals(Buffer.from("\ufeff")) ? 3 : 0; from < bytes.length;) {
    const end = bytes.indexOf(LF, from);
    const next = end < 0 ? bytes.length : end + 1;
    lines.push(bytes.subarray(from, next));
    if (lines.length > MAX_LINES)
      throw new BadRequestException(`At most ${MAX_LINES} lines at a time, blank ones included`);
    from = next;
  }
  return lines;
}
const [LF, CR] = [10, 13];
const isBlank = (line: Buffer): boolean =>
  line.length <= MAX_RECORD_BYTES && withoutEnd(line).every((byte) => byte === 32 || byte === 9);
function withoutEnd(line: Buffer): Buffer {
  if (line.at(-1) !== LF) return line;
  return line.subarray(0, line.at(-2) === CR ? -2 : -1);
}

function assertShort(record: Buffer, what: string): Buffer {
  if (record.length > MAX_RECORD_BYTES)
    throw new BadRequestException(`The ${what} has more than ${MAX_RECORD_BYTES} bytes`);
  return record;
}

/** An error concerns its own line only. Reading goes on with the next line. */
function read(line: number, work: () => object): ReadLine {
  try {
    const value = work();
    checkText(value, "the line");
    if (!Object.keys(value).length) throw new BadRequestException("The line says nothing of a contact");
    return { line, contact: checked(CreateContactDto, value) };
  } catch (error) {
    if (error instanceof BadRequestException) return { line, error: error.message };
    throw error;
  }
}

/** Reads one JSON object per line. */
export function* readNdjson(bytes: Buffer): Generator<ReadLine> {
  for (const [index, line] of linesOf(bytes).entries()) {
    if (!isBlank(line))
      yield read(index + 1, () => parseObject(decode(assertShort(withoutEnd(line), "line"), "line"), "line"));
  }
}

/**
 * Reads one record per line. Only quoted fields may have line breaks. The first line names the columns.
 * @throws BadRequestException: the columns cannot be determined
 */
export function* readCsv(bytes: Buffer): Generator<ReadLine> {
  const lines = linesOf(bytes);
  const first = lines.findIndex((line) => !isBlank(line));
  if (first < 0) throw new BadRequestException("The body is empty: its first line names the columns");
  const { delimiter, columns } = headerOf(decode(assertShort(withoutEnd(lines[first]!), "first line"), "first line"));
  for (let index = first + 1; index < lines.length; index++) {
    if (isBlank(lines[index]!)) continue;
    const length = recordLength(lines, index, delimiter, columns.length);
    const record = withoutEnd(Buffer.concat(lines.slice(index, index + length)));
    yield read(index + 1, () => valueOf(columns, fieldsOf(decode(assertShort(record, "line"), "line"), delimiter)));
    index += length - 1;
  }
}

function headerOf(line: string): { delimiter: string; columns: string[] } {
  const readings = [",", ";", "\t"].map((delimiter) => ({ delimiter, fields: fieldsIf(line, delimiter) }));
  // Quoted names can be read with the right delimiter alone. If none is right, the error says what is wrong.
  if (readings.every(({ fields }) => !fields)) fieldsOf(line, ",");
  const candidates = readings.flatMap(({ delimiter, fields }) =>
    fields ? [{ delimiter, columns: fields.map((name) => name.trim()) }] : [],
  );
  const { delimiter, columns } = candidates.reduce((best, one) =>
    one.columns.length > best.columns.length ? one : best,
  );
  const unknown = columns.find((name) => !COLUMNS.includes(name) && !ATTRIBUTE.test(name));
  if (unknown !== undefined)
    throw new BadRequestException(
      `The first line names a column ${JSON.stringify(unknown)}, which should not exist: there are ${COLUMNS.join(", ")} and attributes.<name>`,
    );
  if (new Set(columns).size < columns.length) throw new BadRequestException("The first line names a column twice");
  return { delimiter, columns };
}

/**
 * How many lines a record has. It has one, unless a quote that it opens is closed on a later line and the lines in
 * between form one complete record.
 */
function recordLength(lines: readonly Buffer[], from: number, delimiter: string, width: number): number {
  let quotes = 0;
  let bytes = 0;
  for (let length = 1; length <= MAX_RECORD && from + length <= lines.length; length++) {
    bytes += lines[from + length - 1]!.length;
    if (bytes > MAX_RECORD_BYTES) break;
    for (const byte of lines[from + length - 1]!) if (byte === 34) quotes++;
    if (quotes % 2) continue;
    return length === 1 ||
      isRecord(withoutEnd(Buffer.concat(lines.slice(from, from + length))).toString(), delimiter, width)
      ? length
      : 1;
  }
  return 1;
}

const isRecord = (text: string, delimiter: string, width: number): boolean =>
  fieldsIf(text, delimiter)?.length === width;

function fieldsIf(text: string, delimiter: string): string[] | undefined {
  try {
    return fieldsOf(text, delimiter);
  } catch {
    return undefined;
  }
}

function fieldsOf(text: string, delimiter: string): string[] {
  let records: string[][];
  try {
    records = parse(text, { delimiter, relaxColumnCount: true, recordDelimiter: "\n" });
  } catch {
    throw new BadRequestException(
      "The quotes of the line are not in order: a field with quotes in it is quoted, and they are doubled",
    );
  }
  if (records.length !== 1) throw new BadRequestException("The line is not one record");
  return records[0]!;
}

/** Leaves empty fields out. The values of a list are separated by `|`. */
function valueOf(columns: readonly string[], fields: readonly string[]): object {
  if (fields.length !== columns.length)
    throw new BadRequestException(`The line has ${fields.length} fields, the first line has ${columns.length}`);
  const value: Record<string, unknown> = {};
  const attributes: Record<string, string> = {};
  for (const [index, name] of columns.entries()) {
    // What people say is kept as it is; a value that must have a certain form may have spaces around it.
    const free = name === "name" || ATTRIBUTE.test(name);
    const field = free ? fields[index]! : fields[index]!.trim();
    if (field === "") continue;
    if (ATTRIBUTE.test(name)) attributes[name.slice("attributes.".length)] = field;
    else
      value[name] = LISTS.includes(name)
        ? field
            .split("|")
            .map((one) => one.trim())
            .filter(Boolean)
        : field;
  }
  return Object.keys(attributes).length ? { ...value, attributes } : value;
}
