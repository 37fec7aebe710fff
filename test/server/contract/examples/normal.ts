import { createHash } from "node:crypto";

/** All times near the recording become this one. */
const RECORDED_AT = Date.parse("2026-01-15T09:30:00.000Z");
const MINUTES = 60_000;
const DAYS = 24 * 60 * MINUTES;
const YEAR = 366 * DAYS;

/** What differs in each run and is neither an id nor a time: the form of the value, in which fields, and what the examples show. */
const SHOWN: [form: RegExp, fields: RegExp, shown: string][] = [
  [/^[\w-]+\.[\w-]+\.[\w-]+$/, /^(accessToken|sessionToken)$/, "EXAMPLE_SESSION_TOKEN"],
  [/./, /^(nextCursor|cursor|start)$/, "EXAMPLE_CURSOR"],
  [/^[\w-]{20,}/, /^(token|challenge|sessionToken)$/, "EXAMPLE_TOKEN"],
  [/^svc_/, /^prefix$/, "svc_live_v1_EXAM"],
  [/^\d{6}$/, /^code$/, "123456"],
  [/^\d\d$/, /^code$/, "42"],
  [/^[\da-f]{16}$/, /^credentialFingerprint$/, "0123456789abcdef"],
  [/^[\da-f]{64}$/, /^(digest|argumentsHash)$/, "0123456789abcdef".repeat(4)],
  [/==$/, /^signature$/, `${"EXAMPLE0".repeat(10)}EXAMPL==`],
  [/^-----BEGIN/, /^erasureKey$/, "-----BEGIN PUBLIC KEY-----\nEXAMPLE\n-----END PUBLIC KEY-----\n"],
  [/^[A-Za-z\d]{40,}$/, /^id$/, "RVhBTVBMRQ"],
  [/^\w{4}(-\w{4}){3}$/, /^(codes|recoveryCodes)$/, "exam-ple0-exam-ple0"],
  [/^k[\da-f-]{36}$/, /^key$/, "refund"],
  [/127\.0\.0\.1|localhost|\/public\//, /^url$/, "https://parley.example/EXAMPLE_LINK"],
];

/** Written beside the requests, so that an answer may or may not have it yet. Sessions of one's own always have it. */
const NOTED_BESIDE = ["lastUsedAt", "lastSeenAt"];
const COUNTED_BESIDE = ["retrieved"];
const MEASURED = ["durationMs"];
/** The beginning of a day, so many days before today or after. */
const COUNTED_FROM_TODAY = ["since", "start", "end"];

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;
const isId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

/**
 * Replaces what differs in each run by values of the same form. The same id becomes the same id everywhere in a group of
 * operations; `known` ids are the same in all groups.
 */
export class Normal {
  private readonly ids = new Map<string, string>();
  private readonly texts = new Map<string, string>();

  constructor(
    private readonly group: string,
    known: readonly string[],
    private readonly beganAt: number,
  ) {
    for (const id of known) this.ids.set(id, this.idOf("parley", this.ids.size + 1));
  }

  /** The value as the examples show it. Lists keep their first two items. */
  of(value: unknown, field = ""): unknown {
    if (Array.isArray(value)) return value.slice(0, 2).map((item) => this.of(item, field));
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.of(inner, key)]));
    if (NOTED_BESIDE.includes(field) && this.group !== "me") return null;
    if (COUNTED_BESIDE.includes(field)) return 0;
    if (MEASURED.includes(field)) return 12;
    return typeof value === "string" ? this.text(value, field) : value;
  }

  text(value: string, field: string): string {
    if (TIME.test(value)) return COUNTED_FROM_TODAY.includes(field) ? this.midnight(value) : this.time(value);
    if (DAY.test(value)) return this.day(value);
    const [, , shown] = SHOWN.find(([form, fields]) => fields.test(field) && form.test(value) && !isId(value)) ?? [];
    if (shown) return shown;
    return value
      .replace(/\b[\w-]*\d[\w-]{3,}@example\.com/g, (email) => this.email(email))
      .replace(UUID, (id) => this.id(id))
      .replace(/\bwhsec_[\w+/=-]+/g, "whsec_EXAMPLE")
      .replace(/\bsvc_(live|test)_\w+/g, "svc_$1_v1_EXAMPLE")
      .replace(/\b(wc|wgt)_[\w-]{8,}/g, "$1_EXAMPLE")
      .replace(/(?<![\w-])[\w-]{86}(?![\w-])/g, "EXAMPLE_TOKEN");
  }

  private id(id: string): string {
    const given = this.ids.get(id) ?? this.idOf(this.group, this.ids.size + 1);
    this.ids.set(id, given);
    return given;
  }

  private idOf(group: string, n: number): string {
    return `01990000-0000-7000-8${hash(group).slice(0, 3)}-${String(n).padStart(12, "0")}`;
  }

  private email(email: string): string {
    const name = this.texts.get(email) ?? `person-${this.texts.size + 1}@example.com`;
    this.texts.set(email, name);
    return name;
  }

  /** A time of the run, by its distance from the beginning. Times that a request names are whole hours, and stay. */
  private time(value: string): string {
    const distance = Date.parse(value) - this.beganAt;
    if (Math.abs(distance) > YEAR || Date.parse(value) % (60 * MINUTES) === 0) return value;
    return new Date(RECORDED_AT + Math.round(distance / (10 * MINUTES)) * 10 * MINUTES).toISOString();
  }

  private midnight(value: string): string {
    const day = value.slice(0, 10);
    return value.replace(day, this.day(day));
  }

  /** A day near the run, by its distance from the first day. */
  private day(value: string): string {
    const distance = Date.parse(value) - Math.floor(this.beganAt / DAYS) * DAYS;
    return Math.abs(distance) > YEAR ? value : new Date(RECORDED_AT + distance).toISOString().slice(0, 10);
  }
}
