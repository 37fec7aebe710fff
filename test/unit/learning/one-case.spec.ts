import { describe, expect, test } from "vitest";
import { fitsOneCase } from "../../../src/learning/one-case.js";

// Invented replies of people. What they wrote to one contact is proposed to nobody, and what holds for all is.

const ONE_CASE: Record<string, string[]> = {
  en: [
    "Your order […] will arrive on Friday at […].",
    "Your order has left our warehouse.",
    "I have refunded the amount to your card.",
    "We delivered it on 12 May.",
    "As a gesture of goodwill we waive the fee.",
    "A colleague will call you back.",
    "Your parcel is in Hamburg.",
  ],
  de: [
    "Ihre Bestellung ist unterwegs.",
    "Das Paket kommt morgen an.",
    "Ich habe den Betrag erstattet.",
    "Aus Kulanz übernehmen wir die Kosten.",
    "Der Techniker kommt am 3. Juni.",
    "Ihr Paket kommt am Freitag, […].",
  ],
  fr: [
    "Votre colis est à Lyon.",
    "Je vous ai envoyé un nouveau code.",
    "Vous le recevrez demain.",
    "À titre exceptionnel, les frais sont annulés.",
    "Votre commande arrive vendredi.",
    "Le livreur passe le 14 juillet.",
  ],
  es: [
    "Su pedido está en camino.",
    "Le llamaremos esta tarde.",
    "Ya he cancelado la suscripción.",
    "Como excepción, no cobramos la tasa.",
    "Su paquete llega el viernes.",
    "Se entregó el 3 de marzo.",
  ],
  it: [
    "Il suo ordine è in viaggio.",
    "Ho emesso il rimborso.",
    "Arriva domani.",
    "In via eccezionale non paga la spedizione.",
    "Il suo pacco arriva venerdì.",
    "È stato spedito il 7 aprile.",
  ],
  nl: [
    "Uw bestelling is onderweg.",
    "Ik heb het bedrag teruggestort.",
    "Het pakket komt overmorgen.",
    "Uit coulance vergoeden wij de kosten.",
    "Uw pakket komt vrijdag.",
    "De monteur komt op 9 maart.",
  ],
  pt: [
    "A sua encomenda está a caminho.",
    "Vamos ligar-lhe em breve.",
    "Chega amanhã.",
    "A título excecional, não cobramos a taxa.",
    "A sua encomenda chega na sexta-feira.",
    "Foi enviada a 2 de abril.",
  ],
};
const GENERAL: Record<string, string[]> = {
  en: [
    "We deliver to Iceland within 9 days, for 14.90 EUR.",
    "Your order can be cancelled until it is sent.",
    "Your refund arrives within five days after we have your return.",
    "Our store is open from Monday to Friday, 9 am to 6 pm.",
    "We send you an email once the parcel has left.",
    "Only your neighbour can.",
  ],
  de: [
    "Wir liefern innerhalb von 3 Tagen.",
    "Ihre Bestellung können Sie stornieren, bis sie verschickt ist.",
    "Der Laden ist montags bis freitags offen.",
    "Bitte drucken Sie das Etikett aus.",
    "Guten Morgen heißt unser Frühstück.",
  ],
  fr: [
    "La livraison prend trois jours.",
    "Vous pouvez annuler votre commande dans les 24 heures.",
    "Le magasin est ouvert tous les jours.",
  ],
  es: ["El envío tarda tres días.", "Puede cancelar su pedido antes del envío.", "La tienda abre todos los días."],
  it: [
    "La consegna richiede tre giorni.",
    "Può annullare il suo ordine entro 24 ore.",
    "Il negozio è aperto tutti i giorni.",
  ],
  nl: ["De levering duurt drie dagen.", "U kunt uw bestelling binnen 24 uur annuleren.", "De winkel is elke dag open."],
  pt: ["A entrega demora três dias.", "Pode cancelar a sua encomenda antes do envio.", "A loja abre todos os dias."],
};
const flat = (all: Record<string, string[]>): [string, string][] =>
  Object.entries(all).flatMap(([language, texts]) => texts.map((text) => [language, text] as [string, string]));

test("there are forty of them, in seven languages", () => {
  expect(flat(ONE_CASE).length).toBeGreaterThanOrEqual(40);
  expect(Object.keys(ONE_CASE)).toHaveLength(7);
});
describe("a reply that holds for one contact", () => {
  test.each(flat(ONE_CASE))("is found out: %s, %s", (_, text) => {
    expect(fitsOneCase(text)).toBe(true);
    expect(fitsOneCase(`We deliver within 9 days.\n\n${text}`), "behind one that holds for all").toBe(true);
  });
});
describe("a reply that holds for all", () => {
  test.each(flat(GENERAL))("is none of these: %s, %s", (_, text) => {
    expect(fitsOneCase(text)).toBe(false);
  });
});
