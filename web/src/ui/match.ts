/** Lower case, without accents, so that "uber" finds "Übernehmen". */
const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();

/** 0 for the best fit: at the beginning, at the beginning of a word, or anywhere. Undefined if a word is missing. */
function rank(label: string, words: readonly string[]): number | undefined {
  if (!words.every((word) => label.includes(word))) return undefined;
  const [first = ""] = words;
  if (label.startsWith(first)) return 0;
  return label.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(first)) ? 1 : 2;
}

/** Those whose name has all words of the text, in any order. The best fit comes first, and equal ones stay in their order. */
export function best<Item>(items: readonly Item[], text: string, nameOf: (item: Item) => string): Item[] {
  const words = plain(text).split(/\s+/).filter(Boolean);
  return items
    .flatMap((item) => {
      const at = rank(plain(nameOf(item)), words);
      return at === undefined ? [] : [{ item, at }];
    })
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
