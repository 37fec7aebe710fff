import { load } from "@parley/sentence-vectors";
import { expect, test } from "vitest";

const embed = await load();
/** Where the part begins that only English texts have. */
const ENGLISH = 512;
const dot = (one: Float32Array, other: Float32Array): number => one.reduce((sum, n, i) => sum + n * other[i]!, 0);
const english = (said: string): Float32Array => embed(said)!.subarray(ENGLISH);

// The cosines are those of all-MiniLM-L6-v2 with all its bits.
test.each([
  ["How do I change my PIN?", "Where can I modify the pin code", 0.832],
  ["How do I change my PIN?", "My card was stolen", 0.367],
  ["Where can I modify the pin code", "My card was stolen", 0.271],
])("the English part of a vector is what the English model says: %s, %s", (one, other, cosine) => {
  expect(dot(english(one), english(other)) / 0.6).toBeCloseTo(cosine, 1.7);
});

test.each(["Wo ist mein Paket?", "Où est mon colis", "¿Dónde está mi pedido?", "Waar is mijn pakket?"])(
  "a text in another language has no English part: %s",
  (said) => {
    expect(english(said).every((n) => n === 0)).toBe(true);
    expect(dot(embed(said)!, embed(said)!)).toBeCloseTo(1, 3);
  },
);

test.each([
  ["one long word", "a".repeat(5_000)],
  ["marks alone", "!".repeat(5_000)],
  ["more words than the model reads", "the ".repeat(5_000)],
  ["half a character", "\ud83d hello"],
  ["the model's own signs", "[CLS] ##ing [SEP] [UNK] __proto__ constructor"],
])("%s: a vector of length 1", (_, said) => {
  expect(dot(embed(said)!, embed(said)!)).toBeCloseTo(1, 3);
});

test.each([
  ["nothing", ""],
  ["letters that it does not know", "أين طلبي؟"],
])("%s: no vector", (_, said) => {
  expect(embed(said)).toBeNull();
});
