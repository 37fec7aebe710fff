import { sentencesIn } from "../knowledge/review/sentences.js";

/** What looks like a part of a prompt: all that follows is one, too. */
const ROLE =
  /(?:^|(?<=[.!?>"'(\]]\s{0,3}|\n))(?:\s{0,3}[[<(#*_]{0,3}\s{0,3}(?:system(?:[ -]?(?:prompt|message|note|override))?|assistant|developer|admin(?:istrator)?|root|instructions?|prompt|systemnachricht|anweisung(?:en)?|système|instrucci[oó]n(?:es)?|sistema|istruzion[ei]|systeem|instructies?|instruç(?:ão|ões)|###)[\])*_]{0,3}\s{0,3}[:>]|<\/?(?:system|instructions?|prompt)>|\[\/?INST\]|<\|)[\s\S]*$/iu;

const list = (text: string): string =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trim())
    .join("|");
/** It tells a program what to do, keep or say. */
const ORDER = new RegExp(
  `(?<!\\p{L})(?:${list(String.raw`
    (?:ignore|disregard|forget|override) (?:\p{L}+ ){0,3}(?:instructions?|rules?|prompts?|guidelines|policies)
    (?:add|save|store|write|put|include|insert|enter|record) (?:\p{L}+ ){0,8}(?:to|in|into) (?:the|your|our) (?:knowledge(?: base)?|kb|database|memory|faq|entries|training)
    (?:remember|memori[sz]e|learn|note) (?:this|that|the following|for (?:later|the future)|from now on)
    (?:approve|accept|publish|confirm) (?:this|the|that) (?:entry|proposal|answer|article)
    from now on,? (?:\p{L}+ ){0,3}(?:always )?(?:say|answer|tell|reply|respond|you)
    (?:answer|reply|respond to) (?:every|all|each|any) (?:\p{L}+ ){0,3}(?:with|by)
    (?:when(?:ever)?|if) (?:\p{L}+ ){1,3}asks?\b.{0,60}(?:say|answer|tell|reply)
    you are now|act as|pretend (?:to be|you)|(?:reveal|show|print) (?:your|the) (?:system )?(?:prompt|instructions)
    (?:ignoriere|ignorieren sie|vergiss|vergessen sie|missachte) (?:\p{L}+ ){0,3}(?:anweisung(?:en)?|regeln|vorgaben)
    (?:füge?|fügen sie|nimm|nehmen sie|trage?|tragen sie|schreibe?|schreiben sie|speichere?|speichern sie) (?:\p{L}+ ){0,8}(?:wissensdatenbank|wissensbasis|datenbank|faq|wissen)
    (?:merke? dir|merken sie sich|lerne|lernen sie):?|(?:antworte|antworten sie|sage?|sagen sie) (?:ab jetzt|künftig|von nun an|immer|auf jede)|ab (?:jetzt|sofort) (?:antworte|sage?|sagst|antwortest)|du bist (?:jetzt|nun|ab jetzt)|(?:genehmige|genehmigen sie|bestätige) (?:diesen|den) (?:eintrag|vorschlag)
    (?:ignore[zr]?|oublie[zr]?) (?:\p{L}+ ){0,3}(?:instructions?|règles|consignes)|(?:ajoute[zr]?|enregistre[zr]?|note[zr]?|mets|mettez) (?:\p{L}+ ){0,8}(?:base de connaissances?|base de données|faq|mémoire)|(?:retiens|retenez|mémorise[zr]?) (?:que|ceci|cela)|(?:à partir de maintenant|désormais),? (?:réponds|répondez|dis|dites)|tu es maintenant|vous êtes maintenant|(?:approuve[zr]?|valide[zr]?) (?:cette|la|l['’]) ?(?:entrée|proposition)
    (?:ignora|ignore|olvida|olvide) (?:\p{L}+ ){0,3}(?:instrucciones|reglas|indicaciones)|(?:añade|añada|agrega|agregue|guarda|guarde|incluye|incluya) (?:\p{L}+ ){0,8}(?:base de (?:conocimientos?|datos)|faq|memoria)|(?:recuerda|recuerde|memoriza|memorice) (?:que|esto)|(?:a partir de ahora|desde ahora),? (?:responde|responda|di|diga)|ahora eres|(?:aprueba|apruebe) (?:esta|la) (?:entrada|propuesta)
    (?:ignora|ignori|dimentica|dimentichi) (?:\p{L}+ ){0,3}(?:istruzioni|regole|indicazioni)|(?:aggiungi|aggiunga|salva|salvi|inserisci|inserisca) (?:\p{L}+ ){0,8}(?:base di conoscenza|knowledge base|database|faq|memoria)|(?:ricorda|ricordi|memorizza|memorizzi) (?:che|questo)|(?:da ora in poi|d['’]ora in poi),? (?:rispondi|risponda|di['’]?|dica)|ora sei|(?:approva|approvi) (?:questa|la) (?:voce|proposta)
    (?:negeer|vergeet) (?:\p{L}+ ){0,3}(?:instructies|regels|aanwijzingen)|(?:voeg|zet|sla|bewaar|schrijf) (?:\p{L}+ ){0,8}(?:kennisbank|kennisbasis|database|faq|geheugen)|(?:onthoud|leer) (?:dat|dit)|(?:vanaf nu|voortaan),? (?:antwoord|zeg)|je bent (?:nu|vanaf nu)|(?:keur) (?:deze|dit|het) (?:vermelding|voorstel|item) goed
    (?:ignora|ignore|esquece|esqueça) (?:\p{L}+ ){0,3}(?:instruções|regras|indicações)|(?:adiciona|adicione|acrescenta|acrescente|guarda|guarde|insere|insira) (?:\p{L}+ ){0,8}(?:base de (?:conhecimentos?|dados)|faq|memória)|(?:lembra-te|lembre-se|memoriza|memorize) (?:de )?(?:que|isto|disto)|(?:a partir de agora|de agora em diante),? (?:responde|responda|diz|diga)|agora és|(?:aprova|aprove) (?:esta|a) (?:entrada|proposta)
  `)})`,
  "iu",
);

/** The text without what tells a program what to do: a question is what a contact wants to know. */
export function withoutInstructions(text: string): string {
  const lines = text
    .replace(ROLE, "")
    .split("\n")
    .map((line) => {
      const sentences = sentencesIn(line);
      // What follows on the line belongs to it.
      const from = sentences.findIndex((sentence) => ORDER.test(sentence));
      return sentences
        .slice(0, from < 0 ? undefined : from)
        .join("")
        .trim();
    });
  return lines.filter(Boolean).join("\n");
}
