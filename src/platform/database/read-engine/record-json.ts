/**
 * PostgreSQL's `row_to_json` looks up the type of each value of each row, which takes longer than reading the rows. So
 * lists come as `record_send` gives them, and their JSON is written here, byte for byte as `row_to_json` would write it.
 *
 * A record is a number of columns, then for each column the number of its type, the length of its value and the value, as
 * the type's own send function gives it. A length of -1 is null. All numbers are big-endian.
 */
type Writer = (from: number, length: number) => void;

/** Scratch buffers that have grown beyond this are not kept. */
const KEPT_BYTES = 1 << 20;
/** No value's JSON is longer than six times its bytes and this: a control character becomes `\u0001`, a `null` in an array has four bytes. */
const SPARE_BYTES = 64;

const NOTHING = Buffer.alloc(0);

/** What is read. */
let input: Buffer = NOTHING;
/** What is written, as far as `end`. */
let output = Buffer.allocUnsafeSlow(64 * 1024);
let end = 0;

function reserve(bytes: number): void {
  if (end + bytes <= output.length) return;
  const larger = Buffer.allocUnsafeSlow(2 * (end + bytes));
  output.copy(larger, 0, 0, end);
  output = larger;
}

const int32 = (at: number): number =>
  (input[at]! << 24) | (input[at + 1]! << 16) | (input[at + 2]! << 8) | input[at + 3]!;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const HYPHEN = 0x2d;
const ZERO = 0x30;
const [ARRAY_BEGIN, ARRAY_END, OBJECT_END] = [0x5b, 0x5d, 0x7d];
const HEX = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0")).join(""));
const ESCAPES = new Map([...'\b\f\n\r\t"\\'].map((c) => [c.charCodeAt(0), JSON.stringify(c).charCodeAt(2)]));

function ascii(text: string): void {
  for (let n = 0; n < text.length; n++) output[end++] = text.charCodeAt(n);
}

function literal(source: Uint8Array): void {
  reserve(source.length + SPARE_BYTES);
  output.set(source, end);
  end += source.length;
}

function verbatim(from: number, length: number): void {
  end += input.copy(output, end, from, from + length);
}

function text(from: number, length: number): void {
  const source = input;
  const target = output;
  let at = end;
  target[at++] = QUOTE;
  for (let n = from; n < from + length; n++) {
    const byte = source[n]!;
    if (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH) target[at++] = byte;
    else {
      end = at;
      escape(byte);
      at = end;
    }
  }
  target[at++] = QUOTE;
  end = at;
}

/** Whether both values have the same bytes. */
function isSame(one: number, other: number, length: number): boolean {
  const source = input;
  for (let n = 0; n < length; n++) if (source[one + n] !== source[other + n]) return false;
  return true;
}

function escape(byte: number): void {
  output[end++] = BACKSLASH;
  const short = ESCAPES.get(byte);
  if (short !== undefined) output[end++] = short;
  else ascii(`u00${byte.toString(16).padStart(2, "0")}`);
}

function uuid(from: number): void {
  const source = input;
  const target = output;
  const hex = HEX;
  let at = end;
  target[at++] = QUOTE;
  for (let n = 0; n < 16; n++) {
    if (n === 4 || n === 6 || n === 8 || n === 10) target[at++] = HYPHEN;
    const byte = 2 * source[from + n]!;
    target[at++] = hex[byte]!;
    target[at++] = hex[byte + 1]!;
  }
  target[at++] = QUOTE;
  end = at;
}

function boolean(from: number): void {
  ascii(input[from] ? "true" : "false");
}

function number(value: number): void {
  if (value >= 0 && value < 10) output[end++] = ZERO + value;
  else ascii(String(value));
}

const DAY_US = 86_400_000_000;
/** PostgreSQL counts from 2000-01-01. The calendar below begins on 0000-03-01, so that a leap day is the last day of a year. */
const DAYS_BEFORE_2000 = 730_425;
const DAYS_OF_400_YEARS = 146_097;
const INFINITY = 0x7fff_ffff;

/** A time as `time` in `statements.ts` gives it: ISO 8601, UTC, milliseconds cut off. Infinite times are null. */
function timestamp(from: number): void {
  const high = int32(from);
  const low = int32(from + 4) >>> 0;
  if ((high === INFINITY && low === 0xffff_ffff) || (high === ~INFINITY && low === 0)) return ascii("null");
  const microseconds = high * 0x1_0000_0000 + low;
  const day = Math.floor(microseconds / DAY_US);
  if (Number.isSafeInteger(microseconds)) writeTime(day, Math.floor((microseconds - day * DAY_US) / 1_000));
  else {
    // Before 1715 and after 2285: a number cannot hold the microseconds.
    const exact = input.readBigInt64BE(from);
    const ofDay = ((exact % BigInt(DAY_US)) + BigInt(DAY_US)) % BigInt(DAY_US);
    writeTime(Number((exact - ofDay) / BigInt(DAY_US)), Number(ofDay / 1_000n));
  }
}

/** @param day since 2000-01-01 */
function writeTime(day: number, milliseconds: number): void {
  output[end++] = QUOTE;
  date(day + DAYS_BEFORE_2000);
  output[end++] = 0x54; // T
  const seconds = (milliseconds / 1_000) | 0;
  const minutes = (seconds / 60) | 0;
  const hours = (minutes / 60) | 0;
  twoDigits(hours);
  output[end++] = COLON;
  twoDigits(minutes - 60 * hours);
  output[end++] = COLON;
  twoDigits(seconds - 60 * minutes);
  output[end++] = 0x2e; // .
  const thousandths = milliseconds - 1_000 * seconds;
  const hundreds = (thousandths / 100) | 0;
  output[end++] = ZERO + hundreds;
  twoDigits(thousandths - 100 * hundreds);
  output[end++] = 0x5a; // Z
  output[end++] = QUOTE;
}

function twoDigits(value: number): void {
  const tens = (value / 10) | 0;
  output[end++] = ZERO + tens;
  output[end++] = ZERO + value - 10 * tens;
}

/** The proleptic Gregorian calendar in whole numbers; see Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms". */
function date(days: number): void {
  const era = Math.floor(days / DAYS_OF_400_YEARS);
  const dayOfEra = days - era * DAYS_OF_400_YEARS;
  const yearOfEra =
    ((dayOfEra - ((dayOfEra / 1_460) | 0) + ((dayOfEra / 36_524) | 0) - ((dayOfEra / 146_096) | 0)) / 365) | 0;
  const dayOfYear = dayOfEra - (365 * yearOfEra + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0));
  const monthFromMarch = ((5 * dayOfYear + 2) / 153) | 0;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + 400 * era + (month <= 2 ? 1 : 0);
  // The year 0 is 1 BC, and so on. `to_char` leaves "BC" out.
  const shown = year > 0 ? year : 1 - year;
  if (shown > 9_999) ascii(String(shown));
  else {
    twoDigits((shown / 100) | 0);
    twoDigits(shown % 100);
  }
  output[end++] = HYPHEN;
  twoDigits(month);
  output[end++] = HYPHEN;
  twoDigits(dayOfYear - (((153 * monthFromMarch + 2) / 5) | 0) + 1);
}

/** Number of dimensions, whether there are nulls, the elements' type; the length and the first index of each dimension; the elements. */
function array(from: number): void {
  const dimensions = int32(from);
  if (dimensions > 1) throw new Error("an array with several dimensions is not written as JSON: use to_json(…)");
  const count = dimensions ? int32(from + 12) : 0;
  const write = writerOf(int32(from + 8), "of an array");
  output[end++] = ARRAY_BEGIN;
  let at = from + 20;
  for (let n = 0; n < count; n++) {
    if (n) output[end++] = COMMA;
    const length = int32(at);
    if (length < 0) ascii("null");
    else write(at + 4, length);
    at += 4 + Math.max(length, 0);
  }
  output[end++] = ARRAY_END;
}

/** By the numbers of PostgreSQL's types, which never change (`pg_type.dat`). */
const WRITERS = new Map<number, Writer>([
  [16, boolean],
  [20, (from) => ascii(input.readBigInt64BE(from).toString())], // bigint
  [21, (from) => number(input.readInt16BE(from))], // smallint
  [23, (from) => number(int32(from))], // integer
  [25, text],
  [114, verbatim], // json
  [1009, array], // text[]
  [1043, text], // varchar
  [1184, timestamp], // timestamptz
  [2950, uuid],
  [2951, array], // uuid[]
  [3802, (from, length) => verbatim(from + 1, length - 1)], // jsonb, behind a version
]);

function writerOf(type: number, column: string): Writer {
  const writer = WRITERS.get(type);
  if (!writer)
    throw new Error(`the type ${type} ${column} is not written as JSON: use to_json(…), whose type is known`);
  return writer;
}

/** Writes the rows of one statement as a JSON array of objects. */
export class RecordWriter {
  /** What stands before the value of each column. */
  private readonly labels: readonly Buffer[];
  /** The same with `null` as the value, or nothing. */
  private readonly nulls: readonly Buffer[];
  /** The types of the columns, and their writers, as the row before had them. */
  private readonly types: number[];
  private readonly writers: Writer[];
  /** Of the row before: where the columns' values are in the input, their lengths, and where they end in the output. */
  private readonly values: Int32Array;
  private readonly lengths: Int32Array;
  private readonly ends: Int32Array;

  /** @param omitted columns that are left out where they are null; not the first one */
  constructor(
    private readonly names: readonly string[],
    omitted: readonly string[] = [],
  ) {
    this.labels = names.map((name, n) => Buffer.from(`${n ? "," : "{"}${JSON.stringify(name)}:`));
    this.nulls = this.labels.map((label, n) =>
      omitted.includes(names[n]!) ? NOTHING : Buffer.concat([label, Buffer.from("null")]),
    );
    this.types = names.map(() => 0);
    this.writers = names.map(() => verbatim);
    this.values = new Int32Array(names.length);
    this.lengths = new Int32Array(names.length);
    this.ends = new Int32Array(names.length);
  }

  /**
   * @param records one after the other
   * @param limit the rows that are written; those behind them are left out
   * @returns the array with `prefix` and `after` around it
   * @throws Error: a column's type is not known here. Wrap it in `to_json(…)` in the statement.
   */
  write(prefix: string, records: Buffer, after: string, limit = Infinity): Buffer {
    input = records;
    end = 0;
    reserve(3 * prefix.length + SPARE_BYTES);
    end += output.write(prefix, end);
    output[end++] = ARRAY_BEGIN;
    let at = 0;
    let before = -1;
    for (let row = 0; at < records.length && row < limit; row++) {
      if (row) output[end++] = COMMA;
      const begin = end;
      at = this.row(at, before);
      before = begin;
    }
    reserve(3 * after.length + SPARE_BYTES);
    output[end++] = ARRAY_END;
    end += output.write(after, end);
    if (end > output.length) throw new Error("more was written than reserved");
    const json = Buffer.from(output.subarray(0, end));
    input = NOTHING;
    if (output.length > KEPT_BYTES) output = Buffer.allocUnsafeSlow(64 * 1024);
    return json;
  }

  /**
   * Rows of a list have much in common. Neighbouring columns that are as in the row before are copied from there at once.
   * @param before where the row before begins in the output, or -1
   * @returns where the next record begins
   */
  private row(from: number, before: number): number {
    const { labels, nulls, types, writers, names, values, lengths, ends } = this;
    if (int32(from) !== labels.length) throw new Error(`a record of ${int32(from)} columns, not ${labels.length}`);
    let at = from + 4;
    /** The first of the columns that are to be copied, and where they begin. */
    let first = -1;
    let begin = 0;
    /** Where the column begins in the row before. */
    let began = before;
    for (let n = 0; n < labels.length; n++) {
      const type = int32(at);
      const length = int32(at + 4);
      at += 8;
      const ended = ends[n]!;
      if (before >= 0 && type === types[n] && length === lengths[n] && isSame(values[n]!, at, length)) {
        if (first < 0) [first, begin] = [n, began];
      } else {
        if (first >= 0) this.repeat(first, n, begin, began);
        first = -1;
        if (type !== types[n]) {
          writers[n] = writerOf(type, `of the column ${names[n]}`);
          types[n] = type;
        }
        if (length < 0) literal(nulls[n]!);
        else {
          literal(labels[n]!);
          reserve(6 * length + SPARE_BYTES);
          writers[n]!(at, length);
        }
        ends[n] = end;
      }
      began = ended;
      values[n] = at;
      lengths[n] = length;
      at += Math.max(length, 0);
    }
    if (first >= 0) this.repeat(first, labels.length, begin, began);
    output[end++] = OBJECT_END;
    return at;
  }

  /** Copies the columns from `first` to before `next`, which are between `begin` and `until` in the output. */
  private repeat(first: number, next: number, begin: number, until: number): void {
    reserve(until - begin + SPARE_BYTES);
    output.copyWithin(end, begin, until);
    for (let n = first; n < next; n++) this.ends[n]! += end - begin;
    end += until - begin;
  }
}
