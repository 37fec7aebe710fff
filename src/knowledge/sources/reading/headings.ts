const ASKS =
  /^(?:how|what|when|where|who|why|which|can|do|does|is|are|may|should|will|wie|was|wann|wo|wer|warum|wieso|welche[rsn]?|kann|können|darf|muss|gibt|comment|pourquoi|quand|où|qui|quel(?:le)?s?|puis-je|est-ce|cómo|qué|cuándo|dónde|quién|por qué|puedo|come|cosa|quando|dove|chi|perché|posso|como|o que|onde|quem|por que)\s/iu;
const QUESTION_HEADING = /^(?:question|frage|pregunta|domanda|pergunta)\s?:?$/i;
const ANSWER_HEADING = /^(?:answer|antwort|réponse|respuesta|risposta|resposta)\s?:?$/i;
/** What only names other texts. */
const NAMES_OTHERS = new RegExp(
  `^(?:${[
    "(?:table of )?contents|(?:in|on) this (?:article|guide|page)|related (?:articles?|links|pages|topics)|see also|further reading|links",
    "inhalt(?:sverzeichnis)?|(?:in diesem artikel|auf dieser seite)|verwandte (?:artikel|themen)|siehe auch|weiterführende links",
    "sommaire|table des matières|dans cet article|articles? (?:associés?|connexes?|liés?)|voir aussi|liens",
    "contenido|índice|en este artículo|artículos relacionados|(?:véase|ver) también|enlaces",
    "conteúdo|neste artigo|artigos relacionados|(?:veja|ver) também|ligações",
    "indice|contenuti|in questo articolo|articoli correlati|vedi anche|collegamenti",
  ].join("|")})\\s?:?$`,
  "iu",
);
/** What some dialects of Markdown write behind a heading: `{#id}`, `{: .class }`. */
const ATTRIBUTES = /\{\s?[#:.][^{}]*\}$/;
const NUMBER = /^(\d{1,3}(?:\.\d{1,3})*)([.)]?)\s+(?=\S)/;
/** A heading with fewer words than these says little without the name of its page. */
const FEW_WORDS = 6;

/** Whether it begins as questions do. */
export const asks = (text: string): boolean => ASKS.test(text);
export const isQuestion = (text: string): boolean => /[?？؟]\s*$/.test(text);
export const isQuestionHeading = (text: string): boolean => QUESTION_HEADING.test(text);
export const isAnswerHeading = (text: string): boolean => ANSWER_HEADING.test(text);
export const namesOthers = (text: string): boolean => NAMES_OTHERS.test(text);
export const withoutAttributes = (text: string): string => text.replace(ATTRIBUTES, "");

export interface Heading {
  level: number;
  text: string;
  /** Its text without its number. */
  name: string;
  number: string | undefined;
}

/** `2. Refunds`, or `2.1 Refunds` below it. Any other number belongs to what the heading says. */
export function headingOf(level: number, text: string, above: readonly Heading[]): Heading {
  const [whole = "", number, sign] = NUMBER.exec(text) ?? [];
  const parent = number?.slice(0, Math.max(number.lastIndexOf("."), 0));
  const counts = parent === "" ? sign !== "" : above.some((one) => one.number !== undefined && one.number === parent);
  return counts
    ? { level, text, name: text.slice(whole.length), number }
    : { level, text, name: text, number: undefined };
}

const wordsIn = (text: string): number => text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu)?.length ?? 0;
const says = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

/** A heading that asks is the question. Any other one stays as it is, behind what it is a part of. */
export function questionOf(path: readonly Heading[], title: string): string {
  const own = path.at(-1)?.name ?? title;
  if (isQuestion(own) || (asks(own) && wordsIn(own) >= FEW_WORDS)) return own;
  const [above] = [title, ...path.slice(0, -1).map(({ name }) => name)].filter((name) => !isQuestion(name)).slice(-1);
  const both = !above || says(own, above) ? own : `${above}: ${own}`;
  return wordsIn(both) >= FEW_WORDS || !title || isQuestion(title) || says(both, title) ? both : `${title}: ${both}`;
}
