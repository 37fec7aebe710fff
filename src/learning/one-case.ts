import { sentencesIn } from "../knowledge/review/sentences.js";
import { hasGap } from "./redaction/redact.js";

// What a person wrote to one contact and what holds for nobody else, in seven languages.

const words = (text: string): string =>
  text
    .split(/[|\n]/)
    .map((word) => word.trim())
    .filter(Boolean)
    .join("|");
const anyOf = (text: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${words(text)})(?![\\p{L}\\p{N}])`, "iu");

const MONTH =
  words(`january|february|march|april|june|july|august|september|october|november|december|jan|feb|apr|aug|sept?|oct|nov|dec
  januar|februar|märz|mai|juni|juli|oktober|dezember
  janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre
  enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre
  gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre
  januari|februari|maart|mei|augustus
  janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro`);
/** A day of one year, or one that is counted from now. */
const DATE = [
  /(?<!\d)(?:\d{1,2}[./-]\d{1,2}[./-](?:\d{2}|\d{4})|\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.)(?!\d)/u,
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?:\\d{1,2}(?:st|nd|rd|th|\\.|er|º)?(?: (?:of|de|di))? (?:${MONTH}|may)|(?:${MONTH}|may) \\d{1,2}(?:st|nd|rd|th)?)(?![\\p{L}\\p{N}])`,
    "iu",
  ),
  anyOf(`today|tomorrow|yesterday|tonight|this (?:morning|afternoon|evening|week|weekend)|next (?:week|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|last (?:week|month)|the day after tomorrow|a moment ago|just now
    heute|morgen (?:früh|vormittag|mittag|nachmittag|abend)|(?:wird|ist|kommt|erhalten sie|bis|ab|schon|gleich|sie) morgen|übermorgen|gestern|(?:diese|nächste|letzte|kommende)[nrs]? (?:woche|monat|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)|soeben
    aujourd['’]hui|demain|hier soir|(?:la semaine|le mois) (?:prochaine?|dernière?)|(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) prochain|cet après-midi|ce (?:matin|soir)|cette semaine
    hoy|ayer|(?:llega|llegará|será|para|hasta|de) mañana|pasado mañana|la (?:próxima semana|semana que viene)|esta (?:semana|tarde|noche)|el próximo (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo|mes)
    oggi|domani|dopodomani|ieri|la (?:prossima settimana|settimana prossima)|questa (?:settimana|mattina|sera)|(?:lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica) prossim[oa]
    vandaag|morgen(?:ochtend|middag|avond)|(?:wordt|komt|is|tot|u) morgen|overmorgen|gisteren|(?:volgende|deze|vorige) (?:week|maand|maandag|dinsdag|woensdag|donderdag|vrijdag)
    hoje|amanhã|ontem|(?:na|a) próxima semana|esta (?:semana|tarde|noite)|na próxima (?:segunda|terça|quarta|quinta|sexta)`),
];
/** Such as "on Friday", which may be every Friday: only what happens to somebody's order happens on one of them. */
const WEEKDAY = anyOf(`(?:on|by|until|this) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)
  (?:am|bis|diesen) (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)
  lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche
  el (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)
  lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica
  (?:op )?(?:maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)
  (?:na|no) (?:segunda|terça|quarta|quinta|sexta|sábado|domingo)(?:-feira)?`);

/** Something that one contact has. */
const THEIRS =
  anyOf(`your (?:(?:last|new|current|recent) )?(?:order|parcel|package|shipment|delivery|refund|return|payment|booking|reservation|ticket|case|request|complaint|invoice|account|card|appointment|contract|device|claim|subscription)
  (?:ihr|ihre[mnr]?|dein|deine[mnr]?) (?:bestellung|paket|päckchen|sendung|lieferung|erstattung|rückerstattung|rücksendung|zahlung|buchung|reservierung|anfrage|beschwerde|rechnung|konto|karte|termin|vertrag|gerät|auftrag|fall|abo)
  (?:votre|ta|ton) (?:commande|colis|livraison|remboursement|retour|paiement|réservation|demande|réclamation|facture|compte|carte|rendez-vous|contrat|appareil|dossier|abonnement)
  (?:su|tu) (?:pedido|paquete|envío|entrega|reembolso|devolución|pago|reserva|solicitud|queja|factura|cuenta|tarjeta|cita|contrato|caso|suscripción)
  (?:il suo|la sua|il tuo|la tua) (?:ordine|pacco|spedizione|consegna|rimborso|reso|pagamento|prenotazione|richiesta|reclamo|fattura|conto|carta|appuntamento|contratto|caso|abbonamento)
  (?:uw|je|jouw) (?:bestelling|pakket|zending|levering|terugbetaling|retour|betaling|boeking|reservering|verzoek|klacht|factuur|rekening|kaart|afspraak|contract|zaak|abonnement)
  (?:a sua|o seu|a tua|o teu) (?:encomenda|pacote|envio|entrega|reembolso|devolução|pagamento|reserva|pedido|reclamação|fatura|conta|cartão|marcação|contrato|caso|subscrição)`);
/** Then it is about what everybody has. */
const GENERAL =
  anyOf(`if|when|whenever|once|as soon as|within|can|may|must|always|usually|never|each|every|unless|how|up to|please|under|after you|in the app|by yourself|yourself
  wenn|falls|sobald|innerhalb|binnen|können|kann|dürfen|müssen|immer|meistens|nie|jede[rsnm]?|bitte|unter|nachdem|in der app|selbst|bis zu
  si|quand|lorsque|dès que|sous \\d+|dans les|pouvez|peut|peuvent|devez|toujours|jamais|chaque|veuillez
  cuando|en cuanto|dentro de|en un plazo|puede|pueden|debe|siempre|nunca|cada|por favor
  se|quando|appena|entro|può|possono|deve|sempre|mai|ogni|per favore
  als|wanneer|zodra|binnen|kunt|kan|kunnen|moet|altijd|nooit|elke|alstublieft
  quando|assim que|no prazo de|dentro de|pode|podem|deve|sempre|nunca|cada|por favor`);

/** What one person promises, has done, or sees. */
const PROMISE = [
  /(?<![\p{L}\p{N}])I(?:['’](?:ll|ve|m|d))?(?![\p{L}\p{N}'’])/u,
  anyOf(`we(?:['’]ve| have)(?: (?:now|just|already))? (?:\\p{L}+ed|sent|paid|put|made|given|found|taken|seen)|we(?:['’]ll| will) (?:\\p{L}+ )?(?:call|contact|get back to|write to|refund|credit|send|replace|make an exception for) you(?! (?:if|when|once|after|as soon))|we(?:['’]re| are) (?:sending|refunding|crediting|calling|looking into|checking)
    as (?:a gesture of goodwill|an exception|a one-time exception|an apology)|exceptionally|(?:just )?this (?:once|one time)|(?:just|only|especially) for you|a colleague (?:will|is going to)|our (?:technician|driver|manager|colleague) will
    (?<!\\p{L})ich(?!\\p{L})|wir haben (?:\\p{L}+ ){0,6}(?:ge\\p{L}+t|ge\\p{L}+en|\\p{L}+iert|erstattet|veranlasst|erhalten|überwiesen|versandt|verschickt|storniert)|wir (?:rufen|melden uns|erstatten ihnen|schicken ihnen|senden ihnen|schreiben ihnen)(?! .{0,40}(?:wenn|sobald|nachdem|innerhalb|binnen))|ausnahmsweise|aus kulanz|einmalig|extra für sie|(?:ein|unser) (?:kollege|techniker|fahrer) (?:wird|meldet|ruft|kommt)
    (?<!\\p{L})(?:je|j['’](?:ai|arrive|envoie|ouvre))(?!\\p{L})|nous (?:avons|vous (?:rappelons|rappellerons|remboursons|rembourserons|envoyons|enverrons|recontacterons|contacterons))|à titre exceptionnel|exceptionnellement|(?:un|notre) (?:collègue|technicien|livreur) (?:va|vous)|geste commercial
    (?<!\\p{L})(?:yo|he|hemos) (?:\\p{L}+(?:ado|ido)|hecho|visto|puesto|enviado)|le (?:llamaremos|llamaré|reembolsaremos|enviaremos|enviaré|contactaremos|devolveremos|he|hemos)|excepcionalmente|como excepción|(?:un|nuestro) (?:compañero|técnico) (?:le|irá|va)|por esta vez
    (?<!\\p{L})(?:ho|abbiamo) (?:\\p{L}+ )?(?:\\p{L}+(?:ato|uto|ito)|fatto|visto|messo|emesso)|(?:la|le) (?:richiameremo|richiamerò|chiameremo|rimborseremo|invieremo|invierò|contatteremo)|eccezionalmente|in via eccezionale|(?:un|il nostro) (?:collega|tecnico) (?:la|le|verrà)|per questa volta
    (?<!\\p{L})ik(?!\\p{L})|(?:wij|we) hebben (?:\\p{L}+ ){0,6}(?:ge\\p{L}+|terugbetaald|verstuurd|verzonden|geannuleerd)|(?:wij|we) (?:bellen|mailen) u(?! .{0,40}(?:als|zodra|nadat|binnen))|bij (?:hoge )?uitzondering|uit coulance|(?:een|onze) (?:collega|monteur|bezorger) (?:zal|belt|komt)|voor deze ene keer
    (?<!\\p{L})(?:eu|já) (?:\\p{L}+i|\\p{L}+ámos)|(?:reembolsámos|enviámos|cancelámos|registámos|creditámos|contactámos)|(?:vamos|vou) (?:ligar|enviar|reembolsar|contactar|devolver)(?:-lhe)?|excecionalmente|a título excecional|(?:um|o nosso) (?:colega|técnico) (?:vai|irá)|desta vez`),
];

/** Whether the answer holds for one contact alone: with a gap, a date, what they have, or what somebody promised them. */
export function fitsOneCase(answer: string): boolean {
  if (hasGap(answer) || DATE.some((date) => date.test(answer))) return true;
  return answer
    .split("\n")
    .flatMap(sentencesIn)
    .some((sentence) => {
      if (PROMISE.some((promise) => promise.test(sentence))) return true;
      return THEIRS.test(sentence) && (WEEKDAY.test(sentence) || !GENERAL.test(sentence));
    });
}
