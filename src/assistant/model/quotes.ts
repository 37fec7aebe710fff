import { visible } from "../context/links.js";
import { sentencesOf } from "./sentences.js";

/** A sentence of a source, under an id that a model chooses it by. */
export interface Quote {
  /** E1.1, E1.2 … or T1.1 */
  id: string;
  source: string;
  /** Its place in the source. */
  n: number;
  text: string;
  /** What stands before it in the source: nothing, a space, or line breaks. */
  gap: string;
}

/** The sentences of a source, letter for letter. */
export function quotesOf(source: string, text: string): Quote[] {
  const quotes: Quote[] = [];
  let gap = "";
  for (const line of visible(text).split("\n")) {
    // The number of an item of a list is no sentence.
    const [mark = ""] = ITEM.exec(line) ?? [];
    for (const [k, rest] of sentencesOf(line.slice(mark.length)).entries()) {
      const sentence = k === 0 ? mark + rest : rest;
      const said = sentence.trim();
      if (!said) continue;
      const before = /^\s*/.exec(sentence)![0];
      quotes.push({ id: `${source}.${quotes.length + 1}`, source, n: quotes.length, text: said, gap: gap + before });
      gap = sentence.slice(before.length + said.length);
    }
    gap = quotes.length ? `${gap.replace(/[^\n]/g, "")}\n`.slice(-2) : "";
  }
  return quotes;
}

/** The mark of an item of a list. */
export const ITEM = /^\s*(?:[-*•–]|\d{1,3}[.)])\s+/u;
/** Several languages share phrases. */
const beginsWith = (phrases: readonly string[]): RegExp => new RegExp(`^(?:${phrases.join("|")})(?![\\p{L}'’])`, "iu");

/** With these words a sentence goes on about the one before it, and says little or something else alone. */
const GOES_ON = beginsWith([
  "but|however|otherwise|then|so|instead|it|its|they|their|this|that|these|those|there|in (?:that|this|such a) case|if (?:not|so)|after(?:wards| that)|until then|and|or|also|except|unless|therefore",
  "aber|jedoch|sonst|andernfalls|dann|danach|bis dahin|deshalb|es|dies|dort|dabei|dafür|in diesem fall|falls nicht|wenn nicht|und|oder|auch|außer|allerdings",
  "mais|cependant|toutefois|sinon|alors|ensuite|puis|il|elle|ils|elles|cela|c['’]est|ceci|dans ce cas|et|ou|aussi|sauf",
  "pero|sin embargo|de lo contrario|entonces|después|esto|eso|ellos?|en (?:ese|este) caso|y|también|excepto|salvo",
  "ma|però|tuttavia|altrimenti|allora|poi|questo|ciò|in (?:questo|tal) caso|e|anche|tranne|salvo",
  "maar|echter|anders|dan|daarna|dit|dat|deze|ze|zij|in dat geval|ook|behalve",
  "mas|porém|contudo|caso contrário|então|depois|isto|isso|nesse caso|neste caso|também|exceto",
]);
/** With these, it takes something back of what the one before it says. */
const TAKES_BACK = beginsWith([
  "but|however|except|unless|only|otherwise|if not|please note|note that|exceptions?|this (?:does not|doesn['’]t|excludes|only)|that (?:does not|doesn['’]t)|not",
  "aber|jedoch|außer|allerdings|nur|sonst|andernfalls|ausgenommen|ausnahmen?|bitte beachten|beachten sie|dies gilt nicht|das gilt nicht|das gilt nur|dies gilt nur|nicht",
  "mais|cependant|toutefois|sauf|sinon|attention|exceptions?|cela ne",
  "pero|sin embargo|excepto|salvo|solo|sólo|de lo contrario|esto no",
  "ma|però|tuttavia|tranne|salvo|solo|altrimenti|questo non",
  "maar|echter|behalve|tenzij|alleen|let op|dit geldt niet|dit geldt alleen",
  "mas|porém|contudo|exceto|salvo|só|caso contrário|isto não",
]);

/** So far after a sentence, something may take it back. */
const MAX_AFTER = 5;

/**
 * The sentences that were chosen, with those that they cannot go without: the one that a sentence goes on about, and those after
 * it that take something back.
 */
export function withContext(chosen: readonly Quote[], all: readonly Quote[]): Quote[] {
  const at = new Map(all.map((quote) => [`${quote.source} ${quote.n}`, quote]));
  const beside = ({ source, n }: Quote, by: number): Quote | undefined => at.get(`${source} ${n + by}`);
  const said: Quote[] = [];
  const add = (quote: Quote): void => {
    if (said.includes(quote)) return;
    const before = beside(quote, -1);
    if (before && GOES_ON.test(quote.text)) add(before);
    if (said.includes(quote)) return;
    said.push(quote);
    for (
      let by = 1, after = beside(quote, by);
      after && !after.gap.includes("\n") && by <= MAX_AFTER;
      after = beside(quote, ++by)
    )
      if (TAKES_BACK.test(after.text)) add(after);
  };
  for (const quote of chosen) add(quote);
  return said;
}

/** One text of these, each letter for letter. Those that follow each other in their source stand as they stand there. */
export function composed(parts: readonly (Quote | string)[]): string {
  let text = "";
  let last: Quote | string | undefined;
  for (const part of parts) {
    const said = typeof part === "string" ? part : part.text;
    text += last === undefined ? said : gapBetween(last, part) + said;
    last = part;
  }
  return text;
}

function gapBetween(last: Quote | string, next: Quote | string): string {
  if (typeof last === "string" || typeof next === "string") return typeof next === "string" ? "\n\n" : " ";
  if (last.source === next.source && next.n === last.n + 1) return next.gap || " ";
  if (ITEM.test(next.text) || ITEM.test(last.text)) return "\n";
  return last.source === next.source ? " " : next.source.startsWith("T") ? "\n" : "\n\n";
}
