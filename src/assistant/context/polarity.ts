import { plainWordsOf } from "./acts.js";
import { isQuestion } from "./parts.js";

// "Please do NOT cancel my order" shares every noun with "How do I cancel my order?", and so does "Why was my order cancelled?".
// Words that turn a question into its opposite or into a complaint are compared apart from what it is about. As `wordsOf` writes
// them: small, without accents and apostrophes. Every pattern is a list of words, so the time grows with the text alone.

/** Longer texts are read so far. In characters. */
const MAX_TEXT = 2_000;

const oneOf = (words: string): RegExp =>
  new RegExp(
    String.raw`(?<= )(?:${words
      .trim()
      .split("\n")
      .map((line) => line.trim())
      .join("|")})(?= )`,
  );

/** What may make the same nouns mean something else. */
const TURNS = {
  /** Something is not, or is not wanted. */
  denies:
    oneOf(`not|never|cannot|cant|dont|doesnt|didnt|wont|wouldnt|shouldnt|couldnt|isnt|arent|wasnt|werent|havent|hasnt|hadnt|no longer|without|nor
    nicht|nichts|keine?[mnrs]?|nie|niemals|ohne|weder
    pas|jamais|sans|aucune?|ni
    nunca|jamas|sin|ningun[oa]?|tampoco|(?<=^ )no (?=\\S+ )|(?<= (?:que|y|pero|yo|ya|todavia|aun|favor|me|lo|se) )no|no (?:he|ha|han|hemos|me|te|se|lo|la|le|puedo|puede|quiero|quiere|tengo|esta|es|fue|era|funciona|recibi|pedi|hice)
    non|mai|senza|nessun[oa]?
    niet|geen|nooit|zonder
    nao|nem|sem|nenhuma?`),
  /** Something went wrong. */
  complains:
    oneOf(`wrong(?:ly)?|incorrect(?:ly)?|mistakes?|errors?|broken|broke|damaged|defective|faulty|missing|lost|stolen|twice|doubled?|duplicated?|fail(?:ed|s|ing|ure)?|declined|rejected|refused|denied|stuck|problems?|issues?|trouble|overcharged|late|delay(?:ed|s)?|disappeared|vanished|unauthori[sz]ed|complain(?:t|ts|ing)?|disappointed|unacceptable|ridiculous|terrible|awful|useless|unhappy|ripped|scam(?:med)?|false|bad
    falsche?[mnrs]?|fehler(?:haft)?\\S{0,2}|kaputte?[mnrs]?|beschadigte?[mnrs]?|defekte?[mnrs]?|fehlt|fehlen|fehlende?[mnrs]?|verloren|gestohlen|doppelt\\S{0,2}|zweimal|abgelehnt|verweigert|probleme?n?|verspatet|verspatung|beschwerde|beschweren|enttauscht|unverschamt|reklamation|unberechtigt\\S{0,2}
    mauvaise?s?|erreurs?|cassee?s?|endommagee?s?|abimee?s?|defectueu(?:x|se)s?|manquante?s?|manque|perdue?s?|volee?s?|deux fois|double|echoue|echec|refusee?s?|rejetee?s?|problemes?|retard|reclamation|plainte|decue?|inacceptable|incorrecte?s?
    equivocad[oa]s?|incorrect[oa]s?|errore?s?|rot[oa]s?|danad[oa]s?|defectuos[oa]s?|falta|faltan|perdid[oa]s?|robad[oa]s?|dos veces|duplicad[oa]s?|fallo|falla|fallado|rechazad[oa]s?|denegad[oa]s?|problemas?|retraso|queja|reclamacion|decepcionad[oa]
    sbagliat[oaie]|errat[oaie]|errori|rott[oaie]|danneggiat[oaie]|difettos[oaie]|manca|mancano|mancante|pers[oaie]|rubat[oaie]|due volte|doppi[oa]|fallit[oa]|rifiutat[oaie]|problem[ai]|ritardo|reclamo|delus[oa]
    verkeerde?|foute?|fouten|kapotte?|beschadigde?|defecte?|ontbreekt|ontbrekende?|verloren|gestolen|twee keer|dubbele?|mislukte?|geweigerde?|afgewezen|probleem|problemen|vertraging|klacht|teleurgesteld|onjuiste?
    errad[oa]s?|incorret[oa]s?|erros?|quebrad[oa]s?|partid[oa]s?|danificad[oa]s?|defeituos[oa]s?|perdid[oa]s?|roubad[oa]s?|duas vezes|duplicad[oa]s?|falhou|falha|recusad[oa]s?|rejeitad[oa]s?|atraso|reclamacao|queixa|desiludid[oa]`),
  /** Something should have been long ago, or was before. */
  waits:
    oneOf(`still|already|yet|again|since|for (?:days|weeks|months|ages|hours)|(?:days|weeks|months|hours) (?:ago|later)|so long|too long|(?:been|am|im) waiting
    warte|noch|schon|bereits|wieder|erneut|seit|immer noch|seit (?:tagen|wochen)
    toujours|encore|deja|depuis|de nouveau|jattends
    todavia|aun|sigue|siguen|otra vez|de nuevo|desde hace|hace (?:dias|semanas)|(?:llevo|estoy|estamos) (?:\\S+ ){0,3}esperando
    ancora|gia|di nuovo|da (?:giorni|settimane)|(?:giorni|settimane|mesi) che aspett\\S+
    steeds|alweer|opnieuw|sinds|al (?:dagen|weken)|wacht (?:ik )?al
    ainda|outra vez|novamente|ha (?:\\S+ )?(?:dias|semanas)`),
  /** A reason is asked for. */
  asksWhy: oneOf(`why|how come|what for
    warum|wieso|weshalb|weswegen|wozu
    pourquoi
    por que
    perche|come mai
    waarom|hoezo
    porque`),
  /** Something that others did is asked for, or told. What the contact did themselves ("I ordered it on Monday") turns nothing. */
  tells:
    oneOf(`did (?:you|they|he|she|it)|have you|has (?:it|anyone|somebody|someone|he|she)|(?:you|they) (?:charged|took|sent|cancelled|canceled|promised|said|told|changed|closed|blocked|deleted|lied|billed)|(?:was|were|been|got|being) (?:charged|sent|cancelled|canceled|closed|blocked|changed|taken|billed|told|promised|debited|delivered)
    haben sie|hast du|habt ihr|wurde[nt]?|ich wurde|ist mein\\S{0,2} .{1,40} (?:angekommen|storniert|geliefert)
    avez vous|as tu|a ete|ont ete|vous mavez|on ma
    ha(?:n|s|beis)? (?:sido|cambiado|enviado|cobrado|cancelado|llegado)|me (?:cobraron|han|ha|enviaron|cancelaron|dijeron|prometieron)|fue (?:cancelado|cobrado|enviado)
    (?:mi )?avete|hai|mi (?:hanno|hanno|e stato)|e stat[oa]
    heb(?:t|ben)? (?:je|u|jullie|ik)|is er|werd|zijn er
    foi|foram|cobraram|cancelaram|enviaram|prometeram`),
} as const;
type Turn = keyof typeof TURNS;
const ALL = Object.keys(TURNS) as Turn[];

/** "I do not know how to cancel" asks how to cancel, and "it does not fit" is why somebody returns it. */
const EMPTY_DENIALS =
  oneOf(`(?:do not|does not|did not|dont|doesnt|didnt) (?:really |quite )?(?:fit|suit|like (?:it|them))
    (?:passt|passen|gefallt|gefallen) (?:\\S+ ){0,2}nicht|nicht (?:\\S+ )?(?:passt|passen|gefallt|gefallen)
    (?:va|vont|convient|conviennent|plait|plaisent) pas|no me (?:quedan?|valen?|gustan?)|non mi (?:va|vanno|sta|stanno|piace|piacciono)
    (?:past|passen|bevalt|bevallen) (?:\\S+ )?niet|nao me (?:servem?|ficam?)|nao (?:gosto|gostei)
    (?:i )?(?:dont|do not|didnt|cant|cannot|could not|couldnt) (?:know|find|see|understand|remember|figure)|not sure|no idea|why (?:dont|not)|if not|or not|not only|is it not|isnt it|dont you|cant i
    since (?:they|it) (?:is|are|does|do|was|were|has|have)|if (?:\\S+ ){1,4}(?:not|hasnt|isnt|havent|arent|wasnt) (?:\\S+ ){0,3}yet
    (?:wenn|falls) (?:\\S+ ){1,5}noch nicht|si (?:\\S+ ){1,5}pas encore|si (?:\\S+ ){0,4}(?:aun|todavia) no|se non (?:\\S+ ){1,4}ancora|als (?:\\S+ ){1,5}nog niet|se (?:\\S+ ){0,4}ainda nao
    (?:weiss|finde|verstehe|sehe) (?:ich )?nicht|nicht sicher|oder nicht|wenn nicht|kann ich nicht auch
    (?:sais|trouve|comprends|vois) pas|pas sur|ou pas|nest ce pas
    no (?:se|encuentro|entiendo|veo) (?:como|donde|que|cual|si)|o no
    non (?:so|trovo|capisco|vedo) (?:come|dove|che|quale|se)|o no
    (?:weet|vind|begrijp|zie) (?:ik )?niet|of niet
    nao (?:sei|encontro|percebo|entendo|vejo) (?:como|onde|que|qual|se)|ou nao`);
const everyEmptyDenial = new RegExp(EMPTY_DENIALS.source, "g");

/** "How much was it again?", "Wie mache ich das wieder rückgängig?": nothing was long ago. */
const ASKED_AGAIN =
  /(?<= (?:how|what|when|where|wie|was|wann|wo|comment|combien|quand|como|cuanto|cuando|donde|come|quanto|dove|hoe|wat|waar|wanneer|onde) (?:\S+ ){0,6})(?:again|wieder|nochmal|noch|encore|de nuevo|otra vez|di nuovo|ancora|opnieuw|weer|novamente|outra vez)(?= )/g;

/** Verbs of which each undoes the other. A text that has one side, and an entry that has only the other, are not about the same. */
const OPPOSITES = [
  [
    "cancel|cancell?ing|stornieren|storniere|kundigen|annuler|cancelar|annullare|annuleren|opzeggen",
    "keep|reinstate|reactivate|uncancel|undo|behalten|reaktivieren|garder|conserver|mantener|tenere|mantenere|behouden|manter",
  ],
  [
    "activate|activating|enable|unlock|unblock|unfreeze|aktivieren|entsperren|freischalten|einschalten|activer|debloquer|activar|desbloquear|attivare|sbloccare|activeren|deblokkeren|inschakelen|ativar",
    "deactivate|disable|lock|block|freeze|deaktivieren|sperren|ausschalten|desactiver|bloquer|desactivar|bloquear|disattivare|bloccare|deactiveren|blokkeren|uitschakelen|desativar",
  ],
  [
    "open|create|opening|eroffnen|anlegen|erstellen|ouvrir|creer|abrir|crear|aprire|creare|openen|aanmaken|criar",
    "close|delete|closing|deleting|schliessen|loschen|fermer|supprimer|cerrar|eliminar|borrar|chiudere|cancellare|sluiten|verwijderen|fechar|apagar|encerrar",
  ],
  [
    "increase|raise|erhohen|augmenter|aumentar|aumentare|verhogen",
    "decrease|lower|reduce|senken|verringern|reduire|diminuer|reducir|disminuir|ridurre|diminuire|verlagen|reduzir|diminuir",
  ],
  [
    "deposit|einzahlen|deposer|depositar|ingresar|depositare|versare|storten",
    "withdraw|withdrawal|abheben|auszahlen|retirer|retirar|sacar|prelevare|opnemen|levantar",
  ],
  [
    "add|adding|hinzufugen|ajouter|anadir|agregar|aggiungere|toevoegen|adicionar",
    "remove|removing|entfernen|enlever|retirer|quitar|rimuovere|verwijderen|remover",
  ],
  [
    "subscribe|abonnieren|abonner|suscribirme|iscrivermi|abonneren|subscrever|assinar",
    "unsubscribe|opt out|abbestellen|abmelden|desabonner|desinscrire|darme de baja|disiscrivermi|uitschrijven|cancelar a subscricao",
  ],
  [
    "sign in|log in|login|einloggen|anmelden|connecter|iniciar sesion|accedere|inloggen|entrar",
    "sign out|log out|logout|ausloggen|abmelden|deconnecter|cerrar sesion|uscire|uitloggen|sair",
  ],
  ["before|vorher|avant|antes|prima|voor", "after|afterwards|danach|apres|despues|dopo|na|depois"],
  ["upgrade|upgrading", "downgrade|downgrading"],
  ["upload|uploading|hochladen", "download|downloading|herunterladen"],
  ["minimum|mindest\\S{0,14}|minimale?|minimo|minima", "maximum|hochst\\S{0,14}|maximale?|maximo|massimo|massima"],
].map((pair) => pair.map(oneOf) as [RegExp, RegExp]);

/** What a text says besides what it is about. */
interface Sense {
  turns: ReadonlySet<Turn>;
  said: string;
}
function senseOf(text: string): Sense {
  const said = ` ${plainWordsOf(text.slice(0, MAX_TEXT)).join(" ")} `;
  const claimed = said.replace(everyEmptyDenial, " ").replace(ASKED_AGAIN, " ");
  return { said, turns: new Set(ALL.filter((turn) => TURNS[turn].test(claimed))) };
}

/** Questions of entries come again and again. */
const KEPT = 5_000;
const kept = new Map<string, Sense>();
function keptSenseOf(text: string): Sense {
  let sense = kept.get(text);
  if (!sense) {
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value!);
    kept.set(text, (sense = senseOf(text)));
  }
  return sense;
}

/** Whether the text denies, complains, or asks about something that has happened. */
export const isTroubled = (text: string): boolean => senseOf(text).turns.size > 0;

/** Whether the contact complains, whatever about: something went wrong, or they tell that it takes long or what others did. */
export function complains(text: string): boolean {
  const { turns } = senseOf(text);
  return turns.has("complains") || (!isQuestion(text) && (turns.has("waits") || turns.has("tells")));
}

/** How a text differs from what an entry answers, though its nouns may be the same. */
export type Difference = "opposite" | "complaint";

/**
 * How the text's sense differs from that of all questions of an entry. Undefined: it does not.
 * @param questions all ways in which the entry is asked for
 */
export function differenceOf(text: string, questions: readonly string[]): Difference | undefined {
  const { turns, said } = senseOf(text);
  const known = questions.map(keptSenseOf);
  const trouble = known.filter((sense) => sense.turns.size).length;
  if (turns.size && !trouble)
    return ["complains", "waits", "asksWhy", "tells"].some((turn) => turns.has(turn as Turn))
      ? "complaint"
      : "opposite";
  if (known.length && !turns.size && known.every((sense) => sense.turns.has("denies"))) return "opposite";
  const isOpposite = OPPOSITES.some(([one, other]) =>
    [
      [one, other],
      [other, one],
    ].some(
      ([own, against]) =>
        own!.test(said) &&
        !against!.test(said) &&
        known.some((sense) => against!.test(sense.said)) &&
        !known.some((sense) => own!.test(sense.said)),
    ),
  );
  return isOpposite ? "opposite" : undefined;
}
