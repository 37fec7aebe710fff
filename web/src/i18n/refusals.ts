/** Sentences of the server in another language, without the full stop: whole ones, and how those about a field go on after its name. */
export interface Refusals {
  sentences: Record<string, string>;
  shapes: readonly (readonly [RegExp, string])[];
}

const ABOUT = /^(?:each value in |each of |All |property )?([\w.]+?)(?:'s)? (.*)$/;

/** What the server says in another language; undefined if nobody has translated it. */
export function translation(
  sentence: string,
  { sentences, shapes }: Refusals = { sentences: {}, shapes: [] },
): string | undefined {
  const said = (part: string): string | undefined => {
    const [shape, words] = shapes.find(([one]) => one.test(part)) ?? [];
    return sentences[part] ?? (shape && part.replace(shape, words!));
  };
  const [, field, rest = ""] = ABOUT.exec(sentence) ?? [];
  const about = said(rest);
  return said(sentence) ?? (about && `${field}: ${about}`);
}
