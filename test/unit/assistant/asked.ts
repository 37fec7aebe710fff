/** What contacts write, by language. No contact has a language that is set. */
export const ASKED = {
  en: "Where is my money and when do I get it?",
  de: "Wo ist mein Geld, und wann bekomme ich es?",
  fr: "Où est mon argent et quand est-ce que je le reçois ?",
  es: "¿Dónde está mi dinero y cuándo puedo recibir el reembolso?",
  it: "Dove sono i miei soldi e quando posso avere il rimborso?",
  nl: "Waar is mijn geld en wanneer kan ik het krijgen?",
  pt: "Onde está o meu dinheiro e quando posso receber o reembolso?",
};
