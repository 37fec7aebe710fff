import type { Caller } from "../../platform/caller/caller.js";
import type { Database } from "../../platform/database/database.js";
import { vectorFrom } from "./embedding-server.js";
import type { Among } from "./ranking.js";
import type { Vectors } from "./search.queries.js";

/** A workspace's texts that are compared by meaning, from the first that got a vector on: 1,000 entries with ten questions each. Words find those beyond. */
const MAX_TEXTS = 11_000;
/** What the lists of all workspaces take up in a process. The one that was not used for longest goes first. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Nothing that was deleted stays longer. */
const LIVES_MS = 10 * 60_000;
/** Vectors of one statement. More at once would hold up the event loop. */
const READ_AT_ONCE = 256;

/** The number of an entry's answer, among its questions. */
export const ANSWER = 0;

/** One way to ask for an entry, or its answer, and which of its vectors is meant. */
export interface Place {
  id: string;
  n: number;
  embedded: number;
}
const keyOf = ({ id, n }: Pick<Place, "id" | "n">): string => `${id} ${n}`;

/** The vectors of a workspace's questions and answers, in eight bits a number. */
export class NearList {
  /** The newest vector that was read. */
  last = 0;
  readonly since = performance.now();
  reading?: Promise<void>;
  private readonly places: Place[] = [];
  private readonly at = new Map<string, number>();
  /** How many questions each entry has here. */
  private readonly entries = new Map<string, number>();
  private questions = 0;
  private numbers: Int8Array;
  /** By what the numbers of each are multiplied. 0 for a text that the model gave no vector. */
  private scales: Float32Array;

  constructor(private readonly dimensions: number) {
    this.numbers = new Int8Array(64 * dimensions);
    this.scales = new Float32Array(64);
  }

  get among(): Among {
    return { questions: this.questions, entries: this.entries.size };
  }

  /** The same, as if these entries were not here. */
  amongBut(ids: Iterable<string>): Among {
    const among = this.among;
    for (const id of ids) {
      const questions = this.entries.get(id);
      if (questions === undefined) continue;
      among.questions -= questions;
      among.entries--;
    }
    return among;
  }

  get bytes(): number {
    return this.numbers.length + this.scales.length * 200;
  }

  get full(): boolean {
    return this.places.length >= MAX_TEXTS || this.bytes > MAX_BYTES / 2;
  }

  put(place: Place, vector: Float32Array | null): void {
    const key = keyOf(place);
    let at = this.at.get(key);
    if (at === undefined) {
      at = this.places.length;
      this.at.set(key, at);
      if (place.n !== ANSWER) this.count(place.id, 1);
      if (at === this.scales.length) {
        const [numbers, scales] = [this.numbers, this.scales];
        this.numbers = new Int8Array(numbers.length * 2);
        this.numbers.set(numbers);
        this.scales = new Float32Array(scales.length * 2);
        this.scales.set(scales);
      }
    }
    this.places[at] = place;
    let most = 0;
    let square = 0;
    if (vector?.length === this.dimensions) {
      for (const number of vector) most = Math.max(most, Math.abs(number));
      for (let i = 0, from = at * this.dimensions; i < this.dimensions; i++) {
        const number = Math.round((vector[i]! * 127) / most);
        this.numbers[from + i] = number;
        square += number * number;
      }
    }
    this.scales[at] = square && 1 / Math.sqrt(square);
  }

  /** Forgets a question. The last takes its place. */
  drop(gone: Pick<Place, "id" | "n">): void {
    const at = this.at.get(keyOf(gone));
    if (at === undefined) return;
    this.at.delete(keyOf(gone));
    if (gone.n !== ANSWER) this.count(gone.id, -1);
    const place = this.places.pop()!;
    const from = this.places.length;
    if (at === from) return;
    this.places[at] = place;
    this.at.set(keyOf(place), at);
    this.numbers.copyWithin(at * this.dimensions, from * this.dimensions, (from + 1) * this.dimensions);
    this.scales[at] = this.scales[from]!;
  }

  private count(id: string, more: 1 | -1): void {
    this.questions += more;
    const questions = (this.entries.get(id) ?? 0) + more;
    if (questions) this.entries.set(id, questions);
    else this.entries.delete(id);
  }

  /** Where a question, or the answer, of an entry is. */
  place(id: string, n: number): Place | undefined {
    const at = this.at.get(keyOf({ id, n }));
    return at === undefined ? undefined : this.places[at];
  }

  /** @returns undefined if this vector of the question is not here, null if the model gave none */
  vector({ id, n, embedded }: Pick<Place, "id" | "n"> & { embedded: number | null }): Float32Array | null | undefined {
    const at = this.at.get(keyOf({ id, n }));
    if (at === undefined || this.places[at]!.embedded !== embedded) return undefined;
    const scale = this.scales[at]!;
    if (!scale) return null;
    const vector = new Float32Array(this.dimensions);
    for (let i = 0, from = at * this.dimensions; i < this.dimensions; i++) vector[i] = this.numbers[from + i]! * scale;
    return vector;
  }

  /**
   * The questions, and the answers, whose vectors are the closest, best first.
   * @param instead as if the entries of `without` were not here, and those of `list` were
   */
  nearest(
    asked: Float32Array,
    most: { questions: number; answers: number },
    instead?: { without: ReadonlySet<string>; list?: NearList | undefined },
  ): Record<"questions" | "answers", Place[]> {
    const best = { questions: new Best(most.questions), answers: new Best(most.answers) };
    this.offer(asked, best, instead?.without);
    instead?.list?.offer(asked, best);
    return { questions: best.questions.places, answers: best.answers.places };
  }

  private offer(
    asked: Float32Array,
    { questions, answers }: Record<"questions" | "answers", Best>,
    without?: ReadonlySet<string>,
  ): void {
    const { dimensions, numbers, scales } = this;
    if (asked.length !== dimensions) return;
    for (let at = 0, from = 0; at < this.places.length; at++, from += dimensions) {
      if (!scales[at] || without?.has(this.places[at]!.id)) continue;
      // Four sums, because each addition waits for the one before it.
      let a = 0;
      let b = 0;
      let c = 0;
      let d = 0;
      let i = 0;
      for (; i + 3 < dimensions; i += 4) {
        a += asked[i]! * numbers[from + i]!;
        b += asked[i + 1]! * numbers[from + i + 1]!;
        c += asked[i + 2]! * numbers[from + i + 2]!;
        d += asked[i + 3]! * numbers[from + i + 3]!;
      }
      for (; i < dimensions; i++) a += asked[i]! * numbers[from + i]!;
      const place = this.places[at]!;
      (place.n === ANSWER ? answers : questions).offer(place, (a + b + c + d) * scales[at]!);
    }
  }
}

/** The so many with the greatest cosines. */
class Best {
  private readonly best: { cosine: number; place: Place }[] = [];

  constructor(private readonly most: number) {}

  offer(place: Place, cosine: number): void {
    const { best, most } = this;
    if (best.length === most && cosine <= best[most - 1]!.cosine) return;
    let to = Math.min(best.length, most - 1);
    for (; to > 0 && best[to - 1]!.cosine < cosine; to--) best[to] = best[to - 1]!;
    best[to] = { cosine, place };
  }

  get places(): Place[] {
    return this.best.map(({ place }) => place);
  }
}

/**
 * The vectors of the workspaces that are searched, in this process. PostgreSQL says with every search which vector is the newest, so
 * a list has all that were stored before. What is no longer approved, valid or the same may still be on it: whoever finds
 * something on a list asks PostgreSQL for it.
 */
export class NearLists {
  /** Those used last come last. */
  private readonly lists = new Map<string, NearList>();

  constructor(
    private readonly db: Database,
    private readonly vectors: Vectors,
  ) {}

  has(caller: Caller, workspaceId: string): boolean {
    const prefix = `${caller.tenantId} ${workspaceId} `;
    for (const key of this.lists.keys()) if (key.startsWith(prefix)) return true;
    return false;
  }

  /** @param newest the newest vector of the workspace */
  async of(caller: Caller, workspaceId: string, mark: string, dimensions: number, newest: number): Promise<NearList> {
    this.forget();
    const key = `${caller.tenantId} ${workspaceId} ${mark}`;
    const list = this.lists.get(key) ?? new NearList(dimensions);
    this.lists.delete(key);
    this.lists.set(key, list);
    while (list.last < newest && !list.full) {
      list.reading ??= this.read(list, caller, workspaceId, mark, newest).finally(() => (list.reading = undefined));
      await list.reading;
    }
    return list;
  }

  private async read(list: NearList, caller: Caller, workspaceId: string, mark: string, newest: number): Promise<void> {
    const stored = (
      await this.db.read(caller, this.vectors.since, { workspaceId, mark, after: list.last, limit: READ_AT_ONCE })
    ).parse();
    for (const { vector, ...place } of stored)
      list.put(place, vector === null ? null : vectorFrom(Buffer.from(vector, "base64")));
    // The newest may be of another model, or of an entry that is not approved.
    list.last = stored.length < READ_AT_ONCE ? Math.max(newest, stored.at(-1)?.embedded ?? 0) : stored.at(-1)!.embedded;
  }

  /** Forgets lists that are old, and those that were not used for longest while all take up too much. */
  forget(): void {
    const now = performance.now();
    for (const [key, { since }] of this.lists) if (now - since > LIVES_MS) this.lists.delete(key);
    let bytes = 0;
    for (const list of this.lists.values()) bytes += list.bytes;
    for (const [key, list] of this.lists) {
      if (bytes <= MAX_BYTES) return;
      bytes -= list.bytes;
      this.lists.delete(key);
    }
  }
}
