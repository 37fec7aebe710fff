import { ANSWER, type NearList, type Place } from "./nearness.js";
import type { FoundByWords } from "./search.queries.js";

/** One way to ask for an entry of a draft, or its answer. `n` as in the index. */
export interface DraftText {
  id: string;
  n: number;
  said: string;
  terms: number[];
}

/**
 * What is approved, as it would be after a change. Searches with it find what they would find then, and nothing is
 * written. Its texts are searched beside those in the index.
 */
export class Draft<Entry> {
  private readonly byPlace: ReadonlyMap<string, DraftText>;
  /** JSON for the search by words: those with terms. */
  readonly texts: string;

  /**
   * @param without entries that are not approved any more, and those that say something else now
   * @param entries those that are approved instead, by id
   * @param list the vectors of their texts, if they have any
   */
  constructor(
    readonly without: ReadonlySet<string>,
    readonly entries: ReadonlyMap<string, Entry>,
    texts: readonly DraftText[],
    readonly list?: NearList,
  ) {
    this.byPlace = new Map(texts.map((text) => [`${text.id} ${text.n}`, text]));
    this.texts = JSON.stringify(texts.filter(({ n }) => n !== ANSWER));
  }

  /** As the index would have it. */
  found({ id, n }: Pick<Place, "id" | "n">): FoundByWords {
    const { said, terms } = this.byPlace.get(`${id} ${n}`)!;
    return { id, n, said, terms, weight: 0, embedded: 0 };
  }
}
