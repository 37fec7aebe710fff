import { describe, expect, test } from "vitest";
import { opposes, sayTheSame } from "../../../src/knowledge/kb-entries/opposed.js";
import type { Evidence } from "../../../src/learning/learning.queries.js";
import { proposalOf } from "../../../src/learning/proposal.js";

// A yes against a no is a contradiction, however alike the two are.

const PAIRS: Record<string, [yes: string, no: string][]> = {
  en: [
    ["Yes.", "No."],
    ["Yes, you can return it.", "No, you cannot return it."],
    ["You can return it.", "You can't return it."],
    ["Of course, we deliver to Iceland.", "Unfortunately not, we do not deliver to Iceland."],
    ["Yes, the boots are waterproof.", "The boots are not waterproof."],
    ["We refund fees.", "We never refund fees."],
  ],
  de: [
    ["Ja.", "Nein."],
    ["Ja, das geht.", "Nein, das geht nicht."],
    ["Natürlich, wir liefern nach Island.", "Leider nein, wir liefern nicht nach Island."],
    ["Sie können das zurückgeben.", "Sie können das nicht zurückgeben."],
    ["Ja, die Stiefel sind wasserdicht.", "Die Stiefel sind nicht wasserdicht."],
    ["Wir erstatten Gebühren.", "Wir erstatten keine Gebühren."],
  ],
  fr: [
    ["Oui.", "Non."],
    ["Oui, c'est possible.", "Non, ce n'est pas possible."],
    ["Bien sûr, nous livrons en Islande.", "Malheureusement non, nous ne livrons pas en Islande."],
    ["Vous pouvez le retourner.", "Vous ne pouvez pas le retourner."],
    ["Nous remboursons les frais.", "Nous ne remboursons jamais les frais."],
    ["La livraison est incluse.", "La livraison n'est pas incluse."],
  ],
  es: [
    ["Sí.", "No."],
    ["Sí, es posible.", "No, no es posible."],
    ["Claro, enviamos a Islandia.", "Desgraciadamente no enviamos a Islandia."],
    ["Puede devolverlo.", "No puede devolverlo."],
    ["Reembolsamos las tasas.", "Nunca reembolsamos las tasas."],
    ["El envío está incluido.", "El envío no está incluido."],
  ],
  it: [
    ["Sì.", "No."],
    ["Sì, è possibile.", "No, non è possibile."],
    ["Certo, spediamo in Islanda.", "Purtroppo no, non spediamo in Islanda."],
    ["Può restituirlo.", "Non può restituirlo."],
    ["La consegna è inclusa.", "La consegna non è inclusa."],
  ],
  nl: [
    ["Ja.", "Nee."],
    ["Ja, dat kan.", "Nee, dat kan niet."],
    ["Natuurlijk, wij leveren in IJsland.", "Helaas niet, wij leveren niet in IJsland."],
    ["U kunt het terugsturen.", "U kunt het niet terugsturen."],
    ["Wij vergoeden kosten.", "Wij vergoeden geen kosten."],
    ["De laarzen zijn waterdicht.", "De laarzen zijn niet waterdicht."],
  ],
  pt: [
    ["Sim.", "Não."],
    ["Sim, é possível.", "Não, não é possível."],
    ["Pode devolvê-lo.", "Não pode devolvê-lo."],
    ["A entrega está incluída.", "A entrega não está incluída."],
    ["Reembolsamos as taxas.", "Nunca reembolsamos as taxas."],
  ],
};
const ALL = Object.entries(PAIRS).flatMap(([language, pairs]) => pairs.map((pair) => [language, ...pair] as const));
const evidence = (id: string, answer: string): Evidence =>
  ({
    id,
    conversationId: id,
    contactId: id,
    messageId: id,
    origin: null,
    question: "Can I?",
    answer,
    language: "en",
    terms: [],
  }) as never;

test("there are forty pairs, in seven languages", () => {
  expect([ALL.length, Object.keys(PAIRS).length]).toEqual([40, 7]);
});
describe("a yes and a no", () => {
  test.each(ALL)("contradict each other: %s, %s / %s", (_, yes, no) => {
    expect(opposes(yes, no) && opposes(no, yes)).toBe(true);
    expect(sayTheSame(yes, no)).toBe(false);
    expect(sayTheSame(yes, yes) && sayTheSame(no, no)).toBe(true);
    expect(proposalOf([evidence("a", yes), evidence("b", no)]).reason).toContain("Contradiction");
    expect(proposalOf([evidence("a", yes), evidence("b", yes)]).reason).toBeNull();
  });
});
test("what is no problem is no no", () => {
  expect(opposes("No problem, you can return it.", "You can return it.")).toBe(false);
});
