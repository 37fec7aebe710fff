import { wordsOf } from "../../knowledge/review/similarity.js";
import type { Language } from "./languages.js";

// "I want to speak to a human", in each language that the assistant speaks. A sentence is compared as `wordsOf` writes it: small,
// without accents and apostrophes. Every repetition has a limit, so that the time grows with the text and not with its square.

/** Longer texts are read so far. In characters. */
const MAX_TEXT = 2_000;

interface Phrases {
  /** Whom one asks for. */
  people: string;
  /** Words that may not stand between "with" and the person: "speak to my agent" asks for another person. */
  never: string;
  /** With `{p}` for up to four words and the person, `{n}` for the person, and `{w}` for up to three words. */
  patterns: string[];
  /** "I do not want to talk to a bot." */
  bots: string[];
  /** Taken out before: "I do not want to speak to a person". */
  unless: string;
  /** The same, only in a question: "¿Tengo que hablar con un agente?" */
  unlessAsked?: string;
}

const PHRASES: Record<Language, Phrases> = {
  en: {
    people:
      "(?:humans?|human being|persons?|people|agents?|representatives?|reps?|operators?|advis[eo]rs?|consultants?|employees?|clerk|colleagues?|specialists?|supervisor|managers?|teller|(?:team|staff) member|staff|someone|somebody|anyone|anybody|customer (?:service|support|care)|support(?: team)?)",
    never: "i|me|my|you|her|him|his|them|their|our|about|on|in|from|for|who|that|because|and|or|if|when|how|what|to|by",
    patterns: [
      "(?:speak|talk|chat) (?:directly |live |now |instead |please )?(?:to|with) {p}",
      "(?:connect|transfer|pass|forward|switch|hand|refer|redirect) (?:me|us) (?:on |over |through |now |directly |please )?(?:to|with|onto) {p}",
      "put (?:me|us) (?:on |over |through |in touch |now |directly |please )?(?:to|with|onto) {p}",
      "(?:get|give) (?:me|us) (?:an? |the |your )?(?:real |live |actual |human |other |different ){0,2}{n}(?= (?:now|please|here|instead|asap|on the|to (?:talk|speak|help))|$)",
      "put {p} (?:on|through)",
      "(?:want|need|id like|would like|prefer|get|have|require|demand) (?:to have |to get |to see )?(?:an? |the |your |another |some )?(?:real |live |actual |living |customer |service |support ){0,3}(?:human(?: being)?|human (?:agent|operator|support|help)|person|agent|representative|rep|operator)(?= (?:now|please|here|instead|asap|immediately|right|to (?:help|talk|speak|call)|on the|who can|not an?|and not|not)|$)",
      "(?:is|are) there {p}(?= (?:(?:here|there|around|available|online)(?: please)?$|please|(?:that |who |whom )?i can (?:talk|speak|chat))|$)",
      "(?:can|could|will|would|have|get|want|need|ask|like) (?:please )?(?:someone|somebody|anyone|an? (?:real |live |human )?(?:agent|human|person|representative|advis[eo]r|manager|colleague)) (?:please )?(?:to )?(?:call|phone|ring) me",
      "(?:call|phone|ring) me back",
      "(?:need|want|would like|id like) (?:someone|somebody|anyone) to (?:check|look|help|handle|fix|sort|assist|review|explain|answer)",
      "^(?:(?:please|no|just|an?|the|any|your|real|live|actual|human|customer|service|support|speak|talk|to|with|i said) ){0,6}(?:human(?: being)?|person|agent|representative|rep|operator|supervisor|manager|customer (?:service|support)|live chat|human (?:support|help))(?: (?:please|pls|plz|now|asap|immediately|here|thanks|thank you)){0,3}$",
      "^(?:hi|hello|hey|ok|okay|sorry) (?:an? )?(?:real |live )?(?:human|person|agent|representative|operator) (?:please|pls|plz|now)$",
    ],
    bots: [
      "(?:dont|do not|not|stop|tired of|sick of) (?:want to |wanna |like to |wish to |like |want )?(?:talk|talking|speak|speaking|chat|chatting|deal|dealing) (?:to |with )?(?:an? |the |your |this |some )?(?:stupid |fucking |damn )?(?:chat )?(?:bots?|robots?|chatbots?|machines?|computers?|ai)",
      "^(?:no (?:more )?|not an? )(?:chat )?(?:bots?|robots?|chatbots?)(?: please)?$",
    ],
    unless:
      "(?:(?:dont|do not|didnt|not|no need|without|never|rather not) (?:want |need |have |wish |like |going |having )?(?:to )?|(?:do|must|should|will|would|did|does|why do) (?:i|we|one|you) (?:really |even |always )?(?:need |have )(?:to )?|(?:should|must|shall) (?:i|we) )(?:speak|talk|chat|want|need|have)",
  },
  de: {
    people:
      "(?:mensch(?:en)?|person(?:en)?|mitarbeiter(?:in|innen|n)?|mitarbeitenden?|kolleg(?:en?|in)|berater(?:in)?|kundenberater(?:in)?|kundenbetreuer(?:in)?|sachbearbeiter(?:in)?|ansprechpartner(?:in)?|ansprechperson|jemand(?:e[mn])?|kundendienst|kundenservice|kundenbetreuung|support|agenten?|operator|vorgesetzten?|menschlichem wesen)",
    never: "meine?[mnrs]?|seine?[mnrs]?|dir|euch|ihm|mir|uber|wegen|dass|und|oder|nicht|fur|ich|bot|roboter",
    patterns: [
      "(?:mit|an|zu|von) {p} {w}(?:sprechen|reden|chatten|schreiben|telefonieren|kommunizieren|verbinden|verbunden|verbindest|weiterleiten|weitergeleitet|durchstellen|durchgestellt|ubergeben|beraten|zuruckgerufen|angerufen)",
      "(?:sprechen|reden|verbinden|verbinde|verbindest|leiten|leite|stellen|stelle|ubergeben|ubergib) {w}(?:mit|an|zu) {p}",
      "(?:einen?|eine|den|die|jemande[mn]|ihren?|deinen?) (?:echten? |richtigen? |menschlichen? |anderen? |von ihnen )?(?:menschen|mitarbeiter(?:in)?|kollegen|kollegin|berater(?:in)?|kundenberater(?:in)?|ansprechpartner(?:in)?|sachbearbeiter(?:in)?|person|vorgesetzten?) (?:sprechen|erreichen|ans telefon|haben)",
      "jemande[mn]? (?:echtes |richtiges |von ihnen |aus ihrem team )?(?:sprechen|reden)",
      "(?:will|mochte|brauche|benotige|hatte|verlange|wunsche|gib mir|geben sie mir|gebt mir|bekomme ich|kriege ich) (?:bitte |gerne? |jetzt |endlich |lieber |mal ){0,2}(?:einen? |eine |den |die )?(?:echten? |richtigen? |realen? |lebendigen? |menschlichen? |anderen? ){0,2}(?:menschen|mensch|person|mitarbeiter(?:in)?|berater(?:in)?|kundenberater(?:in)?|ansprechpartner(?:in)?|sachbearbeiter(?:in)?)(?= (?:bitte|jetzt|haben|sprechen|am telefon|der mir|die mir|und keine?n?|statt|keine?n?|hier)|$)",
      "(?:ist|gibt es|gibts) (?:da |hier |auch |bei ihnen ){0,3}(?:ein |einen |eine |irgendein )?(?:echter? |echten |richtiger? |richtigen )?(?:mensch(?:en)?|mitarbeiter|ansprechpartner|echte person|richtige person|jemand)(?= (?:da|hier|bitte|erreichbar|mit dem|mit der|den ich|die ich|der mir|zum reden)|$)",
      "(?:kann|konnte|soll|sollte|moge) (?:mich )?(?:bitte )?(?:mal )?(?:mich )?(?:jemand|ein mensch|ein mitarbeiter|eine mitarbeiterin|einer von ihnen) (?:mich )?(?:bitte )?(?:mal )?(?:anrufen|zuruckrufen|kontaktieren)",
      "(?:rufen sie|ruft|ruf) mich (?:bitte |doch |mal |dringend ){0,2}(?:zuruck|an)(?= bitte|$)",
      "(?:bitte|bitten|wunsche|mochte|hatte|brauche|warte auf|auf|um) (?:gerne? |dringend |um )?(?:einen |ihren |euren )?ruckruf",
      "^(?:(?:bitte|nein|nur|ich sagte|eine?[mnr]?|de[mnr]|die|mit|zu|echte[mnr]?|richtige[mnr]?|menschliche[mnr]?) ){0,5}(?:mensch(?:en)?|mitarbeiter(?:in)?|kundenberater(?:in)?|berater(?:in)?|kundendienst|kundenservice|ansprechpartner(?:in)?|sachbearbeiter(?:in)?|agent|operator|(?:echte|richtige|menschliche) person|eine person)(?: (?:bitte|jetzt|sofort|sprechen|reden|danke)){0,3}$",
    ],
    bots: [
      "(?:nicht|keine lust|keinen bock) (?:mehr |langer )?mit (?:einem |einer |dem |der |diesem |dieser |so einem )?(?:blod\\S{1,3} |dumm\\S{1,3} )?(?:bot|roboter|chatbot|chatrobot|maschine|computer|ki|automaten) {w}(?:sprechen|reden|chatten|schreiben|zu tun)",
      "^(?:keinen?|kein) (?:bot|roboter|chatbot|computer|maschine|ki)(?: bitte)?$",
    ],
    unless:
      "(?:(?:will|mochte|muss|brauche|wollte|mag) (?:jetzt |gar |auch |wirklich )?nicht (?:mit|an|zu)|(?<!was |wie )(?:muss|musste|soll|sollte) (?:ich|man|wir) .{0,200}|ohne (?:mit|an) )",
  },
  fr: {
    people:
      "(?:humaine?s?|etre humain|personnes?|quelquun|conseill(?:er|ere)s?|teleconseill(?:er|ere)|agente?s?|l?operateurs?|l?operatrice|employee?s?|representante?|responsable|superieure?|collegues?|collaborat(?:eur|rice)s?|interlocut(?:eur|rice)|gestionnaire|technicien(?:ne)?|service (?:clients?|apres vente)|support|membre de l(?:equipe)?)",
    never: "je|mon|ma|mes|vous|toi|lui|leur|que|pour|et|ou|sur|dans|robot|machine",
    patterns: [
      "(?:parler|discuter|echanger|dialoguer|chatter|tchatter|communiquer|mentretenir|converser) (?:directement |plutot |maintenant |en direct )?(?:a|avec|au|aux) {p}",
      "(?:me mettre|mettez moi|mets moi|mis|mise|me passer|passez moi|passe moi|me transferer|transferez moi|transfere moi|transferee?|me connecter|connectez moi|connecte moi|me rediriger|redirigez moi|dirigez moi|orientez moi) (?:en (?:relation|contact|communication|ligne) )?(?:directement )?(?:a |au |avec |vers )?{p}",
      "(?:joindre|avoir|obtenir|contacter) (?:directement )?(?:une? |lun de vos |une de vos )?(?:vraie? |autre )?(?:etre humain|humain|conseill(?:er|ere)|agent humain|operateur|operatrice|personne (?:reelle|physique|humaine)|vraie personne|quelquun)",
      "(?:veux|voudrais|souhaite|souhaiterais|aimerais|jaimerais|besoin|exige|prefere|prefererais|demande) (?:avoir |voir )?(?:une? |dune? |le |la )?(?:vraie? |veritable |autre ){0,2}(?:etre humain|humain|personne|conseill(?:er|ere)|agent|operateur|operatrice)(?: humaine?| reelle?| physique)?(?= (?:svp|stp|sil|maintenant|au telephone|pour (?:maider|me)|qui|pas|et (?:pas|non)|tout)|$)",
      "(?:y a t il|il y a|est ce quil y a|ya t il) (?:une? )?(?:vraie? )?(?:quelquun|humain|conseiller|personne (?:reelle|physique)|etre humain|vraie personne|agent)(?= (?:ici|la|disponible|a qui|avec qui|qui peut|qui pourrait|humain|svp)|$)",
      "(?:quelquun|une? (?:conseill(?:er|ere)|personne|agent|humain|responsable)) (?:peut il |peut elle |peut |pourrait |pourrait il |doit )?(?:mappeler|me rappeler|me rappelle|mappelle|me telephoner|me contacter|me recontacter)",
      "etre rappelee?",
      "(?:rappelez|rappelle) moi(?: (?:svp|stp|sil vous plait|au|des que|rapidement|vite|demain|urgemment)|$)",
      "^(?:(?:non|juste|svp|je veux|une?|le|vraie?|veritable|parler|avec|a) ){0,5}(?:humain|etre humain|conseill(?:er|ere)|agent|operateur|operatrice|service clients?|(?:vraie|autre) personne|personne (?:reelle|physique|humaine)|agent humain|conseiller humain)(?: (?:svp|stp|sil vous plait|sil te plait|merci|maintenant|humaine?|reelle?|bonjour)){0,3}$",
      "^une personne (?:svp|stp|sil vous plait|sil te plait)$",
    ],
    bots: [
      "(?:pas|plus|marre de|assez de|ras le bol de) (?:envie de )?(?:parler|discuter|echanger|dialoguer) (?:a|avec) (?:une? |ce |cette |des |votre )?(?:stupide )?(?:robots?|machines?|bots?|chatbots?|ordinateur|ia)",
      "^pas (?:de |une? )(?:robot|bot|chatbot|machine)(?: (?:svp|sil vous plait|merci))?$",
    ],
    unless:
      "(?:(?:veux|souhaite|voulais|desire) (?:surtout )?pas |pas (?:besoin|envie|oblige) de |sans (?:avoir a |devoir )?|dois je |faut il |est ce que je dois |est ce quil faut |devrais je |oblige de |obligee de )(?:parler|discuter|echanger|passer|avoir|joindre|contacter)",
    unlessAsked: "(?:je dois|il faut) (?:parler|discuter|echanger|passer|avoir|joindre|contacter)",
  },
  es: {
    people:
      "(?:humano|ser humano|persona|agente|asesora?|operadora?|teleoperadora?|representante|alguien|emplead[oa]|ejecutiv[oa]|encargad[oa]|supervisora?|gestora?|companer[oa]|tecnico|responsable|atencion al cliente|servicio al cliente|soporte)",
    never: "mi|mis|tu|ti|usted|su|que|para|y|o|sobre|en|me|por|bot|robot",
    patterns: [
      "(?:hablar|charlar|chatear|conversar|platicar|comunicarme) (?:directamente |ya |ahora )?(?:con|a) {p}",
      "(?:pasame|paseme|pasenme|pasarme|comuniqueme|comunicame|comuniquenme|transfierame|transfiereme|transferirme|conecteme|conectame|conectarme|ponme|pongame|ponganme|ponerme|deriveme|derivame|derivarme) (?:en (?:contacto|comunicacion) )?(?:ya |ahora )?(?:con|a|al) {p}",
      "me (?:puedes?|pueden|podrias?|podrian)? ?(?:pasas?|pasan|pase|pasar|comunicas?|comunican|comunicar|transfieres?|transfieren|transferir|conectas?|conectan|conectar|poner|pones?|ponen|derivas?|derivar) (?:en contacto )?(?:con|a|al) {p}",
      "me (?:atienda|atiendan|ayude|contacte|llame) (?:directamente |por favor )?(?:una? |otra? |alguna? )?(?:alguien|persona|ser humano|humano|agente|asesora?|operadora?|representante)",
      "(?:que|si|para que) (?:alguien|una persona|una? (?:agente|asesora?|operadora?|humano)) me (?:atienda|ayude|contacte|llame)",
      "(?:quiero|quisiera|necesito|deseo|prefiero|dame|deme|denme|exijo|me gustaria|solicito|pido) (?:a |con |tener |ver )?(?:una? |otra? |algun |alguna )?(?:verdader[oa] |autentic[oa] )?(?:persona|ser humano|humano|agente|asesora?|operadora?|representante)(?: real| human[oa]| de verdad| de carne y hueso| fisica)?(?= (?:por favor|porfa|ya|ahora|que me|para que me|y no|no una?|al telefono)|$)",
      "hay (?:alguna? |una? )?(?:alguien|persona|agente|humano|asesora?|ser humano)(?: real| human[oa])?(?= (?:ahi|aqui|disponible|con quien|con la que|con el que|que me (?:pueda|ayude|atienda))|$)",
      "(?:pueden|podrian) llamarme|me (?:pueden|podrian) llamar|que me llamen|llamenme|devuelvanme la llamada|alguien (?:puede |podria |que )?(?:llamarme|me puede llamar|me podria llamar)",
      "^(?:(?:no|solo|con|quiero|una?|otra?|hablar|por favor) ){0,5}(?:humano|ser humano|agente|asesora?|operadora?|representante|atencion al cliente|servicio al cliente|persona (?:real|humana|de verdad)|otra persona)(?: (?:por favor|porfavor|porfa|ya|ahora|real|human[oa]|gracias)){0,3}$",
      "^(?:con )?una persona (?:por favor|porfavor|porfa|ya|ahora)$",
    ],
    bots: [
      "no (?:quiero|deseo) (?:seguir )?(?:hablar|hablando|chatear|chateando|tratar) (?:mas )?con (?:una? |este |esta |el |la )?(?:estupid[oa] )?(?:bots?|robots?|maquinas?|chatbots?|ordenador|computadora|ia)",
      "^(?:no|nada de|basta de) (?:una? )?(?:bots?|robots?|maquinas?|chatbots?)(?: por favor)?$",
    ],
    unless:
      "(?:no (?:quiero|necesito|deseo|quisiera|hace falta|es necesario|tengo que) |sin (?:tener que |necesidad de )?)(?:hablar|charlar|chatear|conversar|comunicarme)",
    unlessAsked:
      "(?:tengo que|hay que|debo|deberia|es necesario|hace falta|es obligatorio) (?:hablar|comunicarme|chatear)",
  },
  it: {
    people:
      "(?:umano|essere umano|unessere umano|persona|(?:un|l|all)?operat(?:ore|rice)|agente|unagente|consulente|(?:un|l)?addett[oa]|qualcuno|responsabile|(?:un)?impiegat[oa]|rappresentante|collega|(?:l)?assistenza(?: clienti)?|servizio clienti|incaricat[oa]|tecnico|superiore)",
    never: "io|mio|mia|miei|te|lei|lui|che|per|e|o|su|in|bot|robot",
    patterns: [
      "(?:parlare|chattare|comunicare|conversare|discutere) (?:direttamente |subito |ora )?(?:con|a|al|allo|coll) {p}",
      "parlare con(?:l| l)? ?(?:operatore|assistenza)",
      "(?:passami|passatemi|passarmi|mi passi|mi passa|mi passate|mettimi|mettetemi|mettermi|mi metta|mi mette|trasferiscimi|trasferitemi|trasferirmi|mi trasferisca|collegami|collegatemi|collegarmi|mi colleghi) (?:in (?:contatto|comunicazione|linea) )?(?:con |a |al |ad )?{p}",
      "mi (?:puo|puoi|potete|potrebbe|potreste) (?:passare|mettere|collegare|trasferire) (?:in (?:contatto|comunicazione) )?(?:con |a |al |ad )?{p}",
      "(?:voglio|vorrei|desidero|preferisco|preferirei|bisogno di|mi serve|chiedo di|dammi|datemi|mi dia|pretendo|esigo) (?:avere |con )?(?:una? |uno |un altro |unaltra )?(?:vera |vero )?(?:essere umano|umano|persona|operat(?:ore|rice)|unoperatrice|agente|consulente|addett[oa])(?: ver[ao]| reale| uman[ao]| in carne e ossa)?(?= (?:per favore|perfavore|adesso|ora|subito|che mi|e non|non una?|al telefono|grazie)|$)",
      "(?:ce|ci sono|che sia) (?:una? |un )?(?:qualcuno|persona|persone|operatore|umano|consulente|essere umano)(?: ver[ao]| reali?| uman[ao])?(?= (?:con cui|con la quale|con il quale|che (?:mi )?(?:puo|possa)|li|qui|disponibile|in linea)|$)",
      "(?:essere|venire) (?:assistit[oa]|seguit[oa]|contattat[oa]|richiamat[oa]|chiamat[oa]) da (?:una? |un )?(?:qualcuno|persona|operat(?:ore|rice)|unoperatrice|umano|essere umano|consulente)",
      "essere richiamat[oa]|richiamatemi|mi richiami|mi richiamate|mi (?:puo|potete|potreste) (?:ri)?chiamare|farmi (?:ri)?chiamare|qualcuno (?:mi )?(?:puo |potrebbe )?(?:chiamarmi|richiamarmi|mi chiami|mi richiami|chiamare|richiamare)",
      "^(?:(?:no|solo|con|voglio|una?|unaltra|un altro|parlare|per favore) ){0,5}(?:umano|essere umano|(?:un)?operat(?:ore|rice)|agente|consulente|assistenza clienti|servizio clienti|persona (?:vera|reale|umana)|vera persona)(?: (?:per favore|perfavore|subito|ora|adesso|grazie|umano|umana|reale|vero|vera)){0,3}$",
      "^(?:con )?una persona (?:per favore|perfavore|subito|ora)$",
    ],
    bots: [
      "non (?:voglio|vorrei) (?:piu )?(?:parlare|chattare|avere a che fare) (?:piu )?con (?:una? |un |questo |questa |il |la )?(?:stupid[oa] )?(?:bot|robot|macchina|chatbot|computer|ia)",
      "^(?:niente|no|basta) (?:bot|robot|chatbot|macchine)(?: per favore| grazie)?$",
    ],
    unless:
      "(?:non (?:voglio|vorrei|serve|devo|desidero|ho bisogno di|occorre|bisogna) |senza (?:dover |bisogno di )?)(?:parlare|chattare|comunicare)",
    unlessAsked:
      "(?:devo|dovrei|bisogna|occorre|e necessario|serve|e obbligatorio) (?:per forza )?(?:parlare|chattare|comunicare)",
  },
  nl: {
    people:
      "(?:mens|mensen|persoon|personen|medewerkers?|medewerkster|iemand|collegas?|agent|operator|adviseur|vertegenwoordiger|klantenservice|klantendienst|helpdesk|leidinggevende|manager|supervisor|consulent)",
    never: "mijn|jou|jullie|hem|haar|dat|die|en|of|over|niet|ik|bot|robot",
    patterns: [
      "met {p} {w}(?:spreken|praten|chatten|bellen|doorverbonden|doorverbinden|verbinden|verbonden|overleggen)",
      "(?:spreken|praten|chatten|doorverbonden|doorverbinden|verbonden|verbinden) (?:worden )?(?:met|naar) {p}",
      "(?:verbind|schakel|zet|koppel|stuur) (?:mij|me) (?:even |direct |alstublieft |aub |nu ){0,2}(?:door |over )?(?:met|naar|aan) {p}",
      "(?:een|de|iemand|jullie) (?:echte? |levende? |andere |gewone )?(?:mens|persoon|medewerker|medewerkster|collega|agent|adviseur|leidinggevende|manager) (?:te )?(?:spreken|aan de lijn|aan de telefoon|te pakken krijgen)",
      "iemand (?:anders |van jullie |van de klantenservice |echt )?(?:te )?(?:spreken|aan de lijn|aan de telefoon)",
      "(?:wil|wou|heb|geef me|geef mij|krijg ik|krijgen|liever|graag|kan ik) (?:nu |gewoon |graag |liever |alstublieft ){0,2}(?:een |de )?(?:echte? |levende? |menselijke? |andere |gewone ){0,2}(?:mens|persoon|medewerker|medewerkster|agent|operator|adviseur)(?= (?:spreken|graag|alstublieft|alsjeblieft|aub|nu|nodig|aan|die me|die mij|en geen|geen|hebben)|$)",
      "(?:is|zijn) er (?:een |ook )?(?:echt |echte? )?(?:iemand|mens|mensen|persoon|medewerker)(?= (?:daar|hier|aanwezig|beschikbaar|die (?:me|mij)|met wie|bereikbaar)|$)",
      "(?:kan|kunt|wil|zou) (?:er )?(?:iemand|een medewerker|een mens|een collega) (?:mij|me) (?:even |alstublieft |kunnen ){0,2}(?:terug)?(?:bellen|opbellen)",
      "(?:mij|me) (?:\\S{1,20} )?terugbellen|teruggebeld|bel (?:mij|me) (?:\\S{1,20} )?terug",
      "^(?:(?:nee|gewoon|graag|ik wil|een|de|met|echte?|levende?|menselijke?) ){0,5}(?:mens|medewerker|medewerkster|agent|operator|klantenservice|echte? persoon|persoon)(?: (?:graag|alstublieft|alsjeblieft|aub|nu|spreken|bedankt)){0,3}$",
    ],
    bots: [
      "(?:niet|geen zin om) (?:meer |langer )?met (?:een |de |deze |zon |die )?(?:stomme )?(?:bot|robot|chatbot|machine|computer|ai) (?:te )?(?:praten|spreken|chatten)",
      "^geen (?:bot|robot|chatbot|computer|machine)(?: (?:graag|aub|alstublieft))?$",
    ],
    unless: "(?:(?:wil|hoef|wens|wou) (?:\\S{1,20} )?niet met|(?<!wat |hoe )moet (?:ik|je|men|u) .{0,200}|zonder met )",
  },
  pt: {
    people:
      "(?:humano|ser humano|pessoa|atendente|agente|operadora?|assistente (?:humano|humana)|alguem|representante|colaboradora?|funcionari[oa]|consultora?|gerente|supervisora?|colega|atendimento(?: humano)?|suporte|apoio ao cliente|responsavel|tecnico)",
    never: "eu|meu|minha|meus|voce|ti|ele|ela|que|para|e|ou|sobre|em|por|bot|robo",
    patterns: [
      "(?:falar|conversar|teclar|comunicar|tratar) (?:diretamente |directamente |ja |agora )?(?:com|ao|pra) {p}",
      "(?:me (?:passe|passa|transfere|transfira|conecte|conecta|coloque|coloca|ponha)|(?:passe|passa|passem|transfira|transfere|ligue|liga|ponha|conecte|encaminhe) me|me encaminhe) (?:em (?:contacto|contato) )?(?:com|a|ao|para|pra) {p}",
      "(?:pode|podem|poderia|podia) (?:me )?(?:passar|transferir|conectar|colocar|encaminhar|por)(?: me)? (?:em (?:contacto|contato) )?(?:com|a|ao|para|pra) {p}",
      "(?:quero|queria|gostaria de|preciso de|preciso|desejo|prefiro|exijo|me da|da me) (?:ter |ver )?(?:uma? |dum |duma |outra? )?(?:verdadeir[oa] )?(?:pessoa|ser humano|humano|atendente|atendimento humano|operadora?|agente|assistente human[oa])(?: real| human[oa]| de verdade| de carne e osso)?(?= (?:por favor|pf|pfv|agora|ja|que me|e nao|nao uma?|ao telefone)|$)",
      "(?:ser|quero ser|gostaria de ser) atendid[oa] por (?:uma? )?(?:alguem|pessoa|humano|ser humano|atendente)",
      "(?:ha|tem|existe) (?:ai |aqui )?(?:uma? |alguma? )?(?:alguem|pessoa|humano|atendente|ser humano)(?: real| human[oa]| de verdade)?(?= (?:ai|aqui|disponivel|com quem|que (?:me )?(?:possa|pode)|para (?:falar|me))|$)",
      "^(?:nao|nada de|chega de|sem) (?:uma? )?(?:bots?|robos?|robots?|maquinas?)(?: por favor)?$",
      "alguem (?:pode |poderia |podia |que )?(?:me ligue|me ligar|ligar me|me liga|me telefone|contactar me|me contate)|liguem me|me liguem|podem (?:ligar me|me ligar)|que me (?:liguem|telefonem)",
      "^(?:(?:nao|so|com|quero|uma?|outra?|falar|por favor) ){0,5}(?:humano|ser humano|atendente|agente|operadora?|atendimento humano|apoio ao cliente|pessoa (?:real|humana|de verdade)|outra pessoa|assistente humano)(?: (?:por favor|pf|pfv|ja|agora|real|human[oa]|obrigad[oa])){0,3}$",
      "^(?:com )?uma pessoa (?:por favor|pf|pfv|ja|agora)$",
    ],
    bots: [
      "nao quero (?:mais )?(?:falar|conversar|continuar a falar) (?:mais )?com (?:uma? |este |esta |esse |essa |o |a )?(?:bot|robo|robot|maquina|chatbot|computador|ia)",
    ],
    unless:
      "(?:nao (?:quero|preciso(?: de)?|desejo|queria|e preciso|e necessario|tenho (?:de|que)) |sem (?:ter (?:de|que) |precisar (?:de )?)?)(?:falar|conversar|tratar)",
    unlessAsked: "(?:tenho (?:de|que)|preciso(?: de)?|devo|e preciso|e necessario|e obrigatorio) (?:falar|conversar)",
  },
};

/** "Human resources" is a department, and a "support ticket" is nobody. */
const PART_OF_MORE = "(?! (?:resources?|rights?|errors?|tickets?|id|number|plan)\\b)";

function compile({ people, never, patterns, bots, unless, unlessAsked = unless }: Phrases) {
  const one = `${people}\\b${PART_OF_MORE}`;
  const person = `(?:(?!(?:${never}) )\\S{1,30} ){0,4}${one}`;
  const written = (pattern: string): RegExp => {
    const whole = pattern
      .replaceAll("{p}", () => person)
      .replaceAll("{n}", () => one)
      .replaceAll("{w}", String.raw`(?:\S{1,30} ){0,3}`);
    return new RegExp(whole.startsWith("^") ? whole : String.raw`\b(?:${whole})\b`);
  };
  return {
    patterns: patterns.map(written),
    bots: bots.map(written),
    unless: new RegExp(String.raw`\b(?:${unless})`, "g"),
    unlessAsked: new RegExp(String.raw`\b(?:${unlessAsked})`, "g"),
  };
}
const COMPILED = Object.values(PHRASES).map(compile);

/** Whether the contact asks to speak to a person. "Do I have to speak to somebody?" and "Are you a person?" are only questions. */
export const asksForPerson = (text: string): boolean =>
  (text.slice(0, MAX_TEXT).match(/[^.!?…\n]+[.!?…]*/g) ?? []).some((sentence) => {
    const said = wordsOf(sentence).join(" ");
    const asked = sentence.includes("?");
    return COMPILED.some(({ patterns, bots, unless, unlessAsked }) => {
      const meant = said.replace(unless, " ").replace(asked ? unlessAsked : unless, " ");
      return patterns.some((pattern) => pattern.test(meant)) || bots.some((pattern) => pattern.test(said));
    });
  });
