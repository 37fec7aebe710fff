import { type Embeddable, type Meaning, type Meant, meantBy } from "./meaning.js";
import { Scratch } from "./scratch.js";
import {
  comparedWordsOf,
  cosines,
  isStem,
  raritiesAmong,
  type Text,
  solve,
  vectorsOf,
  weighAll,
} from "./similarity.js";

/** One way to ask for an entry, with the entry's score from the index. */
export interface Candidate extends Text, Embeddable {
  n: number;
  weight: number;
}
export interface Ranked {
  id: string;
  /** How likely it is that the entry is the one that answers the question, 0 to 1. Those of all entries add up to at most 1. */
  confidence: number;
  /** The similarity of the entry's closest question, 0 to 1. */
  likeness: number;
}

/** How many of the closest questions vote. */
const NEAREST = 48;
/** The lower half of a square. */
const gramRows = new Scratch(new Float64Array((NEAREST * (NEAREST + 1)) / 2), Float64Array);
/**
 * The regularisation of the ridge regression. A higher value trusts a single question less and its neighbours more.
 */
const RIDGE = 0.7;

/** What speaks for an entry. Without vectors, what `Meant` has is 0. */
interface Evidence extends Meant {
  id: string;
  /** What the entry's questions explain of the question beside the others, by kernel ridge regression. */
  share: number;
  /** The cosine of its closest question, and the mean of its three closest. */
  likeness: number;
  closest: number;
  /** The score in the index, relative to the best. */
  indexed: number;
  /** How much of the question's stems its questions have, by rarity, 0 to 1. */
  covered: number;
  /** The logarithm of the number of its questions among the candidates. */
  known: number;
}
const MEANINGLESS: Meant = { meant: 0, central: 0, voted: 0, told: 0 };
/** What speaks against all entries. */
interface Doubt {
  /** How much of the question's stems no candidate has, by rarity, 0 to 1. */
  unknown: number;
  /** The logarithm of 1 and the number of the question's stems. */
  length: number;
  /** The logarithm of 1 and how many questions an entry has on average: with many, chance finds one that is alike. */
  questions: number;
  /** One part of how many questions an entry has: with one or three, much is worded otherwise than the entry knows. */
  few: number;
  /** How many entries there are: among few, hardly any other is alike. It is no part of the fit of `none`. */
  entries: number;
}
/** How many questions and entries are searched. */
export interface Among {
  questions: number;
  entries: number;
}

interface Fitted {
  entry: Record<Exclude<keyof Evidence, "id" | "told">, number>;
  long: Record<"share" | "likeness" | "indexed" | "covered", number>;
  none: Record<"constant" | Exclude<keyof Doubt, "entries">, number>;
  /** What the answer counts, times `few`: the fewer questions an entry has, the more its answer says. */
  told: number;
  /**
   * By how much all are less likely than it seems, on the scale of log odds, where an entry has one, three, ten or a hundred questions on
   * average: a likeness is found by chance in a hundred ways, and an entry with one question shows little of what people ask for. The
   * first is that of `MANY` entries, and `few` the same among ten: a shop with ten has one about parcels, where a bank with a hundred has
   * several that the same words may mean. `lead` is what the distance to the next entry counts against that. An entry that has the very
   * words loses nothing, and so does one that is unlikely anyway.
   */
  wary: { each: readonly [one: number, three: number, ten: number, hundred: number]; few: number; lead: number };
}
/** How many questions an entry has, where `wary` has its figures. */
const EACH = [1, 3, 10, 100] as const;

/**
 * A conditional logit: each entry and "none of them" have a utility, and a confidence is the entry's share of the
 * exponentials of all. What `long` has is multiplied by the question's length: the longer the question, the more a
 * likeness says. `node bench/confidence.mjs` fits the figures and shows how far they hold.
 */
const BY_WORDS: Fitted = {
  entry: {
    ...{ share: 2.25, likeness: 0.83, closest: 1.61, indexed: -0.61, covered: 0.45, known: -0.09 },
    ...{ meant: 0, central: 0, voted: 0 },
  },
  long: { share: 3.49, likeness: 1.43, indexed: 1.88, covered: 1.46 },
  none: { constant: 4.1, unknown: 2.78, length: 1.47, questions: 0, few: 0 },
  told: 0,
  wary: { each: [1, 0.3, 0.1, 0], few: 1, lead: 0 },
};
/** The same where all questions have vectors of a model. */
const BY_MEANING: Fitted = {
  entry: {
    share: 0.6,
    likeness: -0.29,
    closest: 0.19,
    indexed: -0.66,
    covered: -0.08,
    known: 0.92,
    meant: 5.37,
    central: 7.32,
    voted: 4.06,
  },
  long: { share: 1.24, likeness: 0.02, indexed: 0.58, covered: 0.63 },
  none: { constant: 3.5, unknown: 1.82, length: 0.8, questions: 2, few: -0.44 },
  told: 14,
  wary: { each: [8, 4, 1.8, 2.6], few: 3.5, lead: 2 },
};

/**
 * The confidence from which an answer can be sent as it stands: about 98 in 100 are right, and of questions that belong
 * nowhere fewer than 1 in 100 get one.
 */
export const ANSWER_FROM = 0.9;
/** The most that an entry reaches which is not sure enough with all caution, or only by what its answer means. */
export const BELOW = ANSWER_FROM - 0.01;
/** Below it, ask which of the best two is meant if both have at least this confidence and are close. Otherwise hand over. */
export const ASK_BACK_FROM = 0.2;
/**
 * The best two are close if their confidences differ by less. All add up to at most 1, so this never matters at `ANSWER_FROM`:
 * the next one has 0.1 at most. Among those that are asked back about, it leaves out those of which one is much likelier. With both, 7 of 100 questions with
 * ten questions an entry are asked back, and one of the two is right in 85 %.
 */
export const ASK_BACK_WITHIN = 0.5;

/** What a vote by words counts beside one by meaning. */
const SHARE_AS_VOTES = 0.6;
/** So many votes has the next entry at least, if there is none. */
const NO_VOTES = -0.5;

interface Considered {
  /** In the order of the closest questions. */
  entries: Evidence[];
  doubt: Doubt;
  figures: Fitted;
}

/** What speaks for each entry, and what against all. */
export function evidenceOf(
  question: Text,
  candidates: readonly Candidate[],
  meaning?: Meaning | null,
  among?: Among,
): Considered {
  const spoken = comparedWordsOf(question.said);
  const words = candidates.map(({ said }) => comparedWordsOf(said));
  const { asked, candidates: vectors } = vectorsOf(question, candidates, { asked: spoken, candidates: words });
  const rarity = raritiesAmong(candidates.length);
  weighAll(asked, vectors, rarity);
  const likeness = cosines(asked, vectors, vectors.length);
  const order = candidates.map((_, i) => i).sort((a, b) => likeness[b]! - likeness[a]!);
  const near = order.slice(0, NEAREST).map((i) => vectors[i]!);
  gramRows.clear();
  const gram = near.map((vector, i) => cosines(vector, near, i + 1, gramRows.take(i + 1)));
  const shares = Float64Array.from(near, (_, k) => likeness[order[k]!]!);
  solve(gram, shares, RIDGE);
  const heaviest = candidates.reduce((most, { weight }) => Math.max(most, weight), Number.MIN_VALUE);
  const stems = stemsOf(question, candidates, rarity);
  const meant = meaning ? meantBy(meaning, candidates) : null;
  const entries = new Map<string, Evidence & { questions: number }>();
  order.forEach((i, k) => {
    const { id, weight } = candidates[i]!;
    let entry = entries.get(id);
    if (!entry) {
      const covered = stems.coveredBy.get(id) ?? 0;
      const first = { share: 0, likeness: likeness[i]!, closest: 0, known: 0, questions: 0 };
      entries.set(
        id,
        (entry = { id, indexed: weight / heaviest, covered, ...first, ...(meant?.get(id) ?? MEANINGLESS) }),
      );
    }
    entry.share += shares[k] ?? 0;
    if (entry.questions++ < 3) entry.closest += likeness[i]! / 3;
    entry.known = Math.log(entry.questions);
  });
  const all = among?.entries ? among : { questions: candidates.length, entries: entries.size || 1 };
  const each = Math.max(1, all.questions / all.entries);
  return {
    entries: [...entries.values()],
    doubt: {
      unknown: stems.unknown,
      length: Math.log(1 + stems.count),
      questions: Math.log(1 + each),
      few: 1 / each,
      entries: all.entries,
    },
    figures: meant ? BY_MEANING : BY_WORDS,
  };
}

/** Which of the question's stems each entry's questions have. */
function stemsOf(
  { terms }: Text,
  candidates: readonly Candidate[],
  rarity: Float64Array,
): { count: number; unknown: number; coveredBy: Map<string, number> } {
  const having = new Map(terms.filter(isStem).map((stem) => [stem, { questions: 0, entries: new Set<string>() }]));
  for (const candidate of candidates)
    for (const term of candidate.terms) {
      const stem = having.get(term);
      if (!stem) continue;
      stem.questions++;
      stem.entries.add(candidate.id);
    }
  let [all, unknown] = [0, 0];
  const coveredBy = new Map<string, number>();
  for (const { questions, entries } of having.values()) {
    const weight = rarity[questions]!;
    all += weight;
    if (!questions) unknown += weight;
    for (const id of entries) coveredBy.set(id, (coveredBy.get(id) ?? 0) + weight);
  }
  for (const [id, covered] of coveredBy) coveredBy.set(id, covered / all);
  return { count: having.size, unknown: all ? unknown / all : 0, coveredBy };
}

/** The sum of what an entry has, each times its figure. Written out, because a loop over the names takes several times as long. */
function utilityOf(of: Evidence, { entry, long }: Fitted, length: number): number {
  const any =
    entry.share * of.share +
    entry.likeness * of.likeness +
    entry.closest * of.closest +
    entry.indexed * of.indexed +
    entry.covered * of.covered +
    entry.known * of.known +
    entry.meant * of.meant +
    entry.central * of.central +
    entry.voted * of.voted;
  const ofLong =
    long.share * of.share + long.likeness * of.likeness + long.indexed * of.indexed + long.covered * of.covered;
  return any + ofLong * length;
}

/** By how much an entry's votes exceed those of the next, by words and by meaning. Negative for all but the one with the most. */
export function leadsOf(entries: readonly Pick<Evidence, "share" | "voted">[]): number[] {
  const votes = entries.map(({ share, voted }) => voted + SHARE_AS_VOTES * share);
  let [first, next] = [-Infinity, NO_VOTES];
  for (const vote of votes)
    if (vote > first) [first, next] = [vote, Math.max(first, NO_VOTES)];
    else next = Math.max(next, vote);
  return votes.map((vote) => vote - (vote === first ? next : first));
}

/** Among so many entries, several may be meant by the same words. */
const MANY = 75;
/** Where so many entries are between ten (0) and `MANY` (1), on a line over the logarithm. */
export const amongOf = (entries: number): number =>
  Math.min(1, Math.max(0, Math.log(entries / 10) / Math.log(MANY / 10)));

/** What caution counts where nothing is sent anyway: enough of a likeness is left to ask back about. */
const MILDER = 0.4;

interface Caution {
  /** Of what is sent as it stands. */
  sent: number;
  /** Of what is asked back about. */
  asked: number;
}
/** Between the figures of `wary`, on a line over the logarithm of the number of questions. */
export function cautionOf(
  { each, few }: Fitted["wary"],
  { questions, entries }: Pick<Doubt, "questions" | "entries">,
): Caution {
  const [one, ...more] = each;
  return {
    sent: cautionAt([few + amongOf(entries) * (one - few), ...more], questions),
    asked: MILDER * cautionAt(each, questions),
  };
}
function cautionAt(each: Fitted["wary"]["each"], questions: number): number {
  const log = Math.log(Math.max(1, Math.expm1(questions)));
  const at = EACH.findIndex((_, i) => log <= Math.log(EACH[i + 1] ?? Infinity));
  const [from, to] = [EACH[at]!, EACH[at + 1]];
  if (to === undefined) return each[at]!;
  return each[at]! + ((log - Math.log(from)) / Math.log(to / from)) * (each[at + 1]! - each[at]!);
}

/** An entry's likeness, and by how much its votes lead. */
interface Standing {
  likeness: number;
  lead: number;
}

/** The chance, so much less likely as `wary` says. @param caution one of those that `cautionOf` says */
function waryOf(chance: number, { wary }: Pick<Fitted, "wary">, caution: number, { likeness, lead }: Standing): number {
  const odds = Math.exp((wary.lead * lead - caution) * chance * Math.min(1, 2 * (1 - likeness)));
  return (chance * odds) / (chance * odds + 1 - chance || 1);
}

/** How sure it is. Who reaches `ANSWER_FROM` does so with all caution. */
export function sureOf(
  chance: number,
  figures: Pick<Fitted, "wary">,
  caution: Caution,
  { likeness, lead }: Standing,
): number {
  const strict = waryOf(chance, figures, caution.sent, { likeness, lead });
  if (strict >= ANSWER_FROM) return strict;
  return Math.min(waryOf(chance, figures, caution.asked, { likeness, lead: lead * MILDER }), BELOW);
}

/** To four digits. More would be noise of the arithmetic. */
const rounded = (share: number): number => Math.round(share * 10_000) / 10_000;

/** The share of each of these utilities, beside that of `none`. */
function sharesOf(utilities: readonly number[], none: number): number[] {
  const highest = Math.max(none, ...utilities);
  const all = utilities.map((utility) => Math.exp(utility - highest));
  const sum = all.reduce((so, one) => so + one, Math.exp(none - highest));
  return all.map((one) => one / sum);
}

/**
 * The entries of the candidates, best first. What answers say changes the order and what is asked back about. It can keep an entry from
 * being sent, but no entry is sent because of its answer: no corpus tells how often that would be right.
 */
export function rank(
  question: Text,
  candidates: readonly Candidate[],
  meaning?: Meaning | null,
  among?: Among,
): Ranked[] {
  const { entries, doubt, figures } = evidenceOf(question, candidates, meaning, among);
  const { none } = figures;
  const useless =
    none.constant +
    none.unknown * doubt.unknown +
    none.length * doubt.length +
    none.questions * doubt.questions +
    none.few * doubt.few;
  const asked = entries.map((one) => utilityOf(one, figures, doubt.length));
  const utilities = asked.map((utility, i) => utility + figures.told * entries[i]!.told * doubt.few);
  const without = sharesOf(asked, useless);
  const leads = leadsOf(entries);
  const caution = cautionOf(figures.wary, doubt);
  const ranked = sharesOf(utilities, useless)
    .map((share, i) => {
      const { id, likeness } = entries[i]!;
      const sure = (chance: number): number => sureOf(chance, figures, caution, { likeness, lead: leads[i]! });
      const confidence =
        sure(share) < ANSWER_FROM ? sure(share) : Math.min(sure(share), Math.max(sure(without[i]!), BELOW));
      return { id, likeness: rounded(likeness), confidence, utility: utilities[i]! };
    })
    .sort((a, b) => b.utility - a.utility || b.likeness - a.likeness);
  // A great lead makes the first likelier than its share. What is left is for the others.
  const [first, ...others] = ranked;
  const left = (1 - (first?.confidence ?? 0)) / others.reduce((sum, { confidence }) => sum + confidence, 0);
  return ranked.map(({ id, likeness, confidence }, i) => ({
    id,
    likeness,
    confidence: rounded(i && left < 1 ? confidence * left : confidence),
  }));
}
