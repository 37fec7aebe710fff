/** Whole sentences that claim nothing, in seven languages. "Of course" and "sure" are missing: they say yes. */
const SAID =
  `(?:hi|hello|hey)(?: there| again)?|good (?:morning|afternoon|evening|day)|welcome(?: back)?|dear (?:customer|sir or madam)
(?:many )?thanks?(?: you)?(?: (?:so|very) much| a lot)?(?: for (?:your (?:message|question|patience|understanding|e-?mail|interest|inquiry|trust)|contacting us|reaching out(?: to us)?|getting in touch|writing(?: to us)?|asking|waiting|letting (?:me|us) know))?
(?:(?:(?:i|we) (?:am|are)|i'm|we're)\\s?)?(?:very |so |really |truly )?(?:sorry|glad|happy|pleased)(?: (?:to hear (?:that|this|it)|about (?:that|this|the (?:trouble|delay|inconvenience|confusion))|for (?:that|this|the (?:trouble|delay|inconvenience|confusion))|to help(?: you)?(?: with (?:that|this|your question))?|you asked))?
(?:i|we) apologi[sz]e(?: for (?:that|this|the (?:trouble|delay|inconvenience|confusion)))?
(?:i|we)(?:'d| would)? (?:fully |completely )?understand(?: (?:that|this|your (?:frustration|concern|question|situation)))?
(?:i|we) hope (?:this|that|it) helps(?: you)?
(?:please )?(?:let (?:me|us) know|feel free to (?:ask|write|contact us|reach out)|just (?:ask|write)|do not hesitate to (?:ask|contact us|write)|don't hesitate to (?:ask|contact us|write))(?: (?:if|whenever|in case) (?:you have (?:any )?(?:other |further |more )?questions?|you need (?:anything|something|any help|more help|further help)(?: else| more)?|there is anything else(?: (?:i|we) can (?:do|help(?: you)? with))?|anything is unclear))?
(?:is there )?anything else(?: (?:that )?(?:i|we) can (?:do|help(?: you)? with))?(?: today)?
(?:have|enjoy) a (?:nice|great|good|lovely|wonderful) (?:day|evening|week|weekend)|you(?:'re| are)(?: very)? welcome|my pleasure|(?:good|great) question
(?:(?:kind|best|warm|many) ?)?(?:regards|wishes)|yours? sincerely|sincerely|take care|goodbye|bye
hallo|guten (?:tag|morgen|abend)|grüß gott|moin|servus|sehr geehrte(?:r|s)?(?: damen und herren| kunde| kundin)?
(?:vielen |herzlichen |besten )?dank(?:e)?(?: (?:schön|sehr|ihnen))?(?: für (?:ihre (?:nachricht|anfrage|frage|geduld|e-?mail)|ihr (?:interesse|verständnis)|die nachricht|deine (?:nachricht|frage)))?|ich danke ihnen
(?:das |dies )?tut (?:mir|uns) (?:sehr )?leid(?:, das zu hören)?|(?:bitte )?entschuldigen sie(?: bitte)?(?: die (?:unannehmlichkeiten|umstände|verzögerung))?|ich verstehe(?: (?:das|ihre (?:frage|sorge)))?
(?:ich|wir) helfe?n? (?:ihnen |dir )?(?:sehr )?gern(?:e)?(?: weiter)?|gern(?:e)?(?: geschehen)?|gute frage
(?:melden sie sich|schreiben sie (?:mir|uns)|fragen sie)(?: bitte| einfach| gern(?:e)?| jederzeit)*(?:,? (?:wenn|falls) sie (?:(?:noch )?(?:weitere |andere )?fragen haben|(?:noch )?etwas (?:brauchen|benötigen)))?
(?:kann|können) (?:ich|wir) (?:ihnen )?(?:sonst )?noch (?:bei etwas |mit etwas |etwas )?(?:helfen|behilflich sein|tun)
(?:mit )?(?:freundlichen|besten|herzlichen|viele|beste|liebe|herzliche) grüßen?|(?:einen )?schönen tag(?: noch)?|auf wiedersehen
bonjour|bonsoir|salut|cher client|chère cliente|merci(?: (?:beaucoup|bien))?(?: (?:pour votre (?:message|question|patience|demande)|de votre (?:message|question|patience|demande)|de nous avoir (?:contactés|écrit)))?
(?:je suis |nous sommes )?(?:vraiment )?(?:désolée?s?)(?: (?:pour|de) (?:cela|ce (?:désagrément|retard|contretemps)|la gêne occasionnée))?|je comprends|avec plaisir|je vous en prie|bonne question
n'hésitez pas à (?:nous |m')?(?:écrire|contacter|demander|revenir vers nous)(?: si vous avez (?:d'autres|la moindre) questions?| en cas de questions?)?|(?:bien )?cordialement|bonne (?:journée|soirée)|au revoir
hola|buen(?:os días|as tardes|as noches)|estimad[oa] cliente|(?:muchas )?gracias(?: por (?:su|tu) (?:mensaje|pregunta|paciencia|consulta)| por contactarnos)?|lo (?:siento|sentimos|lamento)(?: mucho)?|entiendo|con gusto|de nada|buena pregunta
(?:no dude en|no dudes en) (?:escribirnos|preguntar|contactarnos)(?: si (?:tiene|tienes) (?:más|otras) preguntas)?|(?:un cordial saludo|saludos(?: cordiales)?)|que tenga un buen día|adiós
ciao|salve|buon(?:giorno|asera| pomeriggio)|gentile cliente|grazie(?: mille| tante)?(?: per (?:il (?:suo|tuo) messaggio|la (?:sua|tua) (?:domanda|pazienza|richiesta)|averci (?:scritto|contattato)))?|mi (?:dispiace|spiace)(?: molto)?|ci (?:dispiace|scusiamo)(?: per (?:il disagio|l'inconveniente))?|capisco|volentieri|prego|buona domanda
non esiti a (?:scriverci|contattarci|chiedere)(?: se ha altre domande)?|(?:cordiali|distinti) saluti|buona giornata|arrivederci
goede(?:dag|morgen|middag|navond|n dag)|beste klant|(?:hartelijk )?(?:bedankt|dank u(?: wel)?|dank je(?: wel)?)(?: voor (?:uw|je) (?:bericht|vraag|geduld))?|(?:het )?spijt (?:me|mij|ons)(?: (?:dat te horen|zeer))?|dat spijt (?:me|mij|ons)|ik begrijp (?:het|u|dat)|graag gedaan|ik help u graag|goede vraag
(?:laat het (?:me|ons) weten|neem gerust contact op|vraag gerust)(?: als u (?:nog|verdere|meer) vragen (?:heeft|hebt))?|met vriendelijke groet(?:en)?|fijne dag(?: verder)?|tot ziens
olá|bom dia|boa (?:tarde|noite)|(?:car[oa]|estimad[oa]) cliente|(?:muito )?obrigad[oa](?: pela sua (?:mensagem|pergunta|paciência)| pelo seu contacto| por nos contactar)?|lamento(?: muito)?|lamentamos(?: o incómodo)?|peço desculpa|compreendo|com (?:todo o )?gosto|boa pergunta
(?:não hesite em|sinta-se à vontade para) (?:perguntar|escrever|contactar-nos)(?: se tiver (?:mais|outras) (?:perguntas|dúvidas))?|(?:com os )?(?:melhores )?cumprimentos|tenha um bom dia|até logo`
    .split(/\n/)
    .join("|");

const MARK = String.raw`[\s,.!?…:;¡¿👋🙂😊]*`;
const WHOLE = new RegExp(`^${MARK}(?:(?:${SAID})${MARK})+$`, "iu");
/** Before what a sentence says, with the name of whom it greets: which is left out, because nobody checks it. */
const GREETING = new RegExp(
  `^((?:hi|hello|hey|good (?:morning|afternoon|evening)|dear|hallo|guten (?:Tag|Morgen|Abend)|liebe[r]?|bonjour|bonsoir|hola|buenos días|ciao|buongiorno|goedendag|beste|olá|bom dia)(?: there| again)?)((?:,? (?:Mr|Mrs|Ms|Dr|Frau|Herr)\\.?)?(?:,? \\p{Lu}[\\p{L}'’-]{1,30}){0,2})\\s?[,!.]\\s*`,
  "iu",
);
const MAX = 200;

/** The sentence, if it is courtesy and claims nothing; without a name that is in it. */
export function pleasantry(sentence: string): string | undefined {
  const said = sentence.replaceAll("’", "'");
  if (said.length > MAX || !/\p{L}/u.test(said)) return undefined;
  if (WHOLE.test(said)) return sentence;
  const [greeting, words, name] = GREETING.exec(said) ?? [];
  if (greeting?.trim() === said.trim() && words && name) return `${words},${sentence.slice(sentence.trimEnd().length)}`;
  return undefined;
}

/** A greeting before what a sentence says, without the name, and the rest. */
export function greetingIn(sentence: string): { greeting: string; rest: string } {
  const found = sentence.length > 2_000 ? null : GREETING.exec(sentence.slice(0, MAX));
  return found
    ? { greeting: `${found[1]!}, `, rest: sentence.slice(found[0].length) }
    : { greeting: "", rest: sentence };
}
