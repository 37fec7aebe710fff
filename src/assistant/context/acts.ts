import { wordsOf } from "../../knowledge/review/similarity.js";
import type { Language } from "./languages.js";
import { composedOf, COURTESY, phrasesOf } from "./courtesy.js";

// What a contact does with a message that asks nothing of the knowledge base: whole phrases of the seven languages that the assistant
// speaks, as `wordsOf` writes them.

/** As `wordsOf`, and "ß" is "ss". */
export const plainWordsOf = (text: string): string[] => wordsOf(text.replaceAll("ß", "ss"));

const GREETINGS: Record<Language, string> = {
  en: `hi|hello|hey|hiya|heya|howdy|yo|hi there|hello there|hey there|hello again|hi again|good morning|good afternoon|good evening|morning|evening|greetings|hello everyone|hi all|hi team|dear team|dear sir or madam|how are you|how are you doing|how are you today|whats up|nice to meet you`,
  de: `hallo|hallo zusammen|halli hallo|guten tag|guten morgen|guten abend|guten mittag|moin|moin moin|servus|gruss gott|grusse|tag|morgen|hi|hey|hallo nochmal|hallo noch einmal|sehr geehrte damen und herren|liebes team|wie geht es ihnen|wie gehts`,
  fr: `bonjour|bonsoir|salut|coucou|bonjour a vous|bonjour a tous|bonjour madame|bonjour monsieur|madame monsieur|hello|rebonjour|re bonjour|comment allez vous|comment ca va|ca va`,
  es: `hola|hola buenas|buenas|buenos dias|buenas tardes|buenas noches|hola buenos dias|hola buenas tardes|saludos|que tal|hola que tal|como esta|como estas|estimados`,
  it: `ciao|salve|buongiorno|buon giorno|buonasera|buona sera|buon pomeriggio|gentili signori|come sta|come stai|come va`,
  nl: `hallo|hoi|hey|dag|goedemorgen|goedemiddag|goedenavond|goeiemorgen|goeiedag|beste|hallo daar|hoe gaat het|hoe gaat het met u`,
  pt: `ola|oi|bom dia|boa tarde|boa noite|ola bom dia|ola boa tarde|oi tudo bem|tudo bem|como esta|como vai|caros senhores|e ai`,
};
/** What announces a question, and asks none. */
const OPENERS: Record<Language, string> = {
  en: `one question|a question|i have a question|i have one question|i have a quick question|ive a question|ive got a question|i got a question|just one question|just a question|just a quick question|quick question|question|can i ask something|can i ask you something|can i ask a question|may i ask something|could i ask something
    can you help|can you help me|could you help me|can you help me please|could you help me please|please help|please help me|help|help me|i need help|i need some help|need help|i need your help|anyone there|anybody there|is anyone there|is anybody there|are you there|hello anyone there|i have a problem|please`,
  de: `eine frage|ich hatte eine frage|ich habe eine frage|hatte eine frage|habe eine frage|ich habe mal eine frage|ich hatte da mal eine frage|nur eine frage|kurze frage|frage|hab ne frage|darf ich etwas fragen|kann ich etwas fragen|konnen sie mir helfen|kannst du mir helfen|konnen sie helfen|ich brauche hilfe|brauche hilfe|hilfe|bitte helfen sie mir|ist da jemand|jemand da|sind sie da|bist du da|ich habe ein problem|bitte`,
  fr: `une question|jai une question|jai une petite question|jaurais une question|petite question|juste une question|question|je peux poser une question|puis je poser une question|pouvez vous maider|vous pouvez maider|peux tu maider|aidez moi|jai besoin daide|besoin daide|a laide|il y a quelquun|vous etes la|jai un probleme|svp|sil vous plait`,
  es: `una pregunta|tengo una pregunta|tengo una duda|una duda|una consulta|tengo una consulta|pregunta|puedo preguntar algo|puedo hacer una pregunta|me puede ayudar|me puedes ayudar|pueden ayudarme|puede ayudarme|necesito ayuda|ayuda|ayudame|hay alguien|hay alguien ahi|estan ahi|tengo un problema|por favor`,
  it: `una domanda|ho una domanda|avrei una domanda|domanda|posso chiedere una cosa|posso fare una domanda|mi puo aiutare|puo aiutarmi|mi puoi aiutare|mi potete aiutare|ho bisogno di aiuto|mi serve aiuto|aiuto|aiutatemi|ce qualcuno|ci siete|ho un problema|per favore`,
  nl: `een vraag|ik heb een vraag|ik heb een vraagje|vraagje|vraag|even een vraag|mag ik iets vragen|mag ik wat vragen|kunt u mij helpen|kunt u me helpen|kun je me helpen|kan iemand mij helpen met een vraag|ik heb hulp nodig|hulp nodig|help|is er iemand|is daar iemand|bent u daar|ik heb een probleem|alstublieft|aub`,
  pt: `uma pergunta|tenho uma pergunta|tenho uma duvida|uma duvida|pergunta|duvida|posso perguntar uma coisa|posso fazer uma pergunta|pode ajudar me|pode me ajudar|podem ajudar me|preciso de ajuda|ajuda|me ajuda|ajudem me|alguem ai|ha alguem ai|estao ai|tenho um problema|por favor`,
};
const YES = `yes|yep|yeah|yea|yup|sure|correct|exactly|right|thats right|that is right|thats it|of course|y|yes please|yes exactly|yes that one|that one|yes that|yes i do|i do|indeed|please do|ok|okay|okey|k|yes thanks|yes thank you
    ja|jawohl|genau|richtig|stimmt|ja bitte|ja genau|genau das|klar|jep|jo|korrekt|ja danke|alles klar
    oui|ouais|exactement|cest ca|cest cela|oui cest ca|oui svp|tout a fait|bien sur|oui merci|daccord
    si|claro|exacto|correcto|eso es|si por favor|eso|asi es|si eso|si gracias|vale
    esatto|giusto|certo|corretto|si esatto|si grazie|proprio quello|va bene
    jazeker|klopt|precies|inderdaad|ja graag|dat klopt|juist|oke|ja bedankt
    sim|isso|isso mesmo|exato|exatamente|certo|sim por favor|correto|pois|sim obrigado|sim obrigada|ta bom`;
const NO = `no|no thanks|no thank you|nein danke|non merci|no gracias|no grazie|nee bedankt|nao obrigado|nao obrigada|nope|nah|n|not really|neither|none|none of them|none of these|neither of them|no neither|neither one|something else|no something else|no that is not it|no thats not it|not that|wrong|incorrect
    nein|ne|nee|nicht wirklich|keins|keine|keins von beiden|keines von beiden|weder noch|etwas anderes|was anderes|nein etwas anderes|falsch|nein das nicht|beides nicht
    non|pas vraiment|aucun|aucune|aucun des deux|ni lun ni lautre|autre chose|non autre chose
    ninguno|ninguna|ninguno de los dos|otra cosa|no otra cosa|ni una ni otra|ni lo uno ni lo otro
    nessuno|nessuna|nessuno dei due|nessuna delle due|altro|qualcosaltro|no altro|ne luno ne laltro
    geen|geen van beide|geen van beiden|iets anders|nee iets anders|niet echt
    nao|nenhum|nenhuma|nenhum dos dois|nenhuma das duas|outra coisa|nem um nem outro`;
const BOTH = `both|both please|both of them|both of those|the two|all of them|all|1 and 2|a and b|one and two|the first and the second|both of course|both obviously
    beide|beides|beides bitte|beide bitte|alle beide|1 und 2|beides naturlich|beide naturlich|naturlich beides
    les deux|les deux svp|tous les deux|toutes les deux|1 et 2|les deux bien sur
    los dos|las dos|ambos|ambas|ambas cosas|las dos cosas|1 y 2|las dos claro|los dos claro
    entrambi|entrambe|tutti e due|tutte e due|1 e 2|entrambe ovviamente|tutte e due ovviamente
    allebei|alle twee|beiden|1 en 2|allebei natuurlijk
    os dois|as duas|ambos por favor|ambas por favor`;

const GREETING = phrasesOf(GREETINGS, OPENERS);
const AFFIRMING = phrasesOf({ any: YES });
const DENYING = phrasesOf({ any: NO });
const TAKING_BOTH = phrasesOf({ any: BOTH });

/** More than this is never only one of these. In characters. */
const MAX_TEXT = 300;
const isShort = (text: string): boolean => text.length <= MAX_TEXT && text.trim() !== "";

/** A greeting, or the announcement of a question: nothing is asked yet. "Can you help me?" has a question mark and asks nothing, either. */
export const isGreeting = (text: string): boolean =>
  isShort(text) && composedOf(plainWordsOf(text), [GREETING, COURTESY], GREETING);

/** The languages of a message that is nothing but a greeting, the most spoken first. "Hallo" has two. */
export const languagesOfGreeting = (text: string): Language[] => {
  const words = isShort(text) ? plainWordsOf(text) : [];
  return (Object.keys(GREETINGS) as Language[]).filter((language) =>
    composedOf(words, [ONE_LANGUAGE[language]], ONE_LANGUAGE[language]),
  );
};
const ONE_LANGUAGE = Object.fromEntries(
  (Object.keys(GREETINGS) as Language[]).map((language) => [
    language,
    phrasesOf({ a: GREETINGS[language] }, { b: OPENERS[language] }),
  ]),
) as Record<Language, ReturnType<typeof phrasesOf>>;

/** What a contact answers when they are asked which entry they mean. */
export type Reaction = "yes" | "no" | "both";
export function reactionOf(text: string): Reaction | undefined {
  if (!isShort(text) || text.includes("?")) return undefined;
  const words = plainWordsOf(text);
  if (composedOf(words, [TAKING_BOTH, COURTESY], TAKING_BOTH)) return "both";
  if (composedOf(words, [DENYING, COURTESY], DENYING)) return "no";
  return composedOf(words, [AFFIRMING, COURTESY], AFFIRMING) ? "yes" : undefined;
}

const matches = (patterns: string): ((text: string) => boolean) => {
  const any = new RegExp(
    String.raw`(?<= )(?:${patterns
      .trim()
      .split("\n")
      .map((line) => line.trim())
      .join("|")})(?= )`,
  );
  return (text) => isShort(text) && any.test(` ${plainWordsOf(text).join(" ")} `);
};
const BOT =
  "(?:chat ?)?(?:bot|robot|machine|computer|ai|ki|ia|human|person|real person|mensch|humain|persona|humano|umano|mens|pessoa|robo|maschine|computador|automat|programm|program|persoon|echte persoon|echte person|vraie personne|personne reelle|personne|persona vera|persona real|persona de verdad|pessoa real|pessoa de verdade|echter mensch|etre humain|ser humano|essere umano|chatbot|assistant|assistent)";
/** Asks what it is. */
export const asksWhatItIs =
  matches(`are you (?:an? |the |some )?(?:real |actual |human |live |automated |virtual ){0,2}${BOT}|is (?:this|that|it) (?:an? |the )?(?:real |actual |automated ){0,2}${BOT}|am i (?:talking|speaking|chatting|writing) (?:to|with) (?:an? |the )?(?:real |actual ){0,2}${BOT}|who are you|what are you|who am i (?:talking|speaking|chatting|writing) (?:to|with)|who is this|whats your name|what is your name
    (?:bist du|sind sie) (?:ein(?:e)? |eigentlich |etwa ){0,3}(?:echter? |richtiger? ){0,2}${BOT}|(?:schreibe|spreche|rede|chatte) ich (?:hier |gerade |eigentlich ){0,2}mit (?:einem |einer |dem )?(?:echten |richtigen )?(?:menschen|${BOT})|ist das (?:hier )?(?:ein |eine )?${BOT}|(?:wer|was) (?:bist du|sind sie)|mit wem (?:schreibe|spreche|rede|chatte) ich|wie (?:heisst du|heissen sie)
    (?:etes vous|es tu|vous etes|tu es) (?:une? )?(?:vrai |vraie )?${BOT}|(?:est ce que je|je) (?:parle|discute) (?:a|avec) (?:une? )?(?:vraie? )?${BOT}|(?:est ce|cest) (?:une? )?${BOT}|qui etes vous|qui es tu|a qui (?:je parle|ai je laffaire)|comment vous appelez vous
    (?:es usted|eres|sois) (?:una? )?${BOT}|(?:estoy|esto) (?:hablando|chateando) con (?:una? )?${BOT}|es (?:esto )?(?:una? )?${BOT}|quien eres|quien es usted|con quien (?:hablo|estoy hablando)|como te llamas|como se llama usted
    (?:sei|e lei|lei e|siete) (?:una? |un )?(?:vera? |vero )?${BOT}|(?:sto parlando|parlo) con (?:una? |un )?(?:vera? |vero )?${BOT}|chi sei|chi e lei|con chi (?:parlo|sto parlando)|come ti chiami|come si chiama
    (?:ben je|bent u|ben jij) (?:een )?(?:echte? )?${BOT}|(?:praat|spreek|chat) ik (?:nu |hier )?met (?:een )?(?:echte? )?${BOT}|is dit (?:een )?${BOT}|wie ben je|wie bent u|met wie (?:praat|spreek|chat) ik|hoe heet (?:je|u)
    (?:e|voce e|es|esta) (?:uma? |um )?${BOT}|(?:estou a falar|estou falando|falo) com (?:uma? |um )?${BOT}|quem e voce|quem es tu|com quem (?:falo|estou a falar|estou falando)|como (?:se chama|te chamas)`);

/** A message of signs alone: a wave, three dots, a question mark. One without anything has files. */
export const isSign = (text: string): boolean => isShort(text) && !/[\p{L}\p{N}]/u.test(text);

/** Says with a sign that all is well: a thumb up. In whatever tone of skin. */
export const isApproval = (text: string): boolean =>
  isSign(text) && /[👍👌👏🙌💪✅✔☑💯🆗]/u.test(text) && !/[?❓❔⁉👎]/u.test(text);

/** Says that the answer before was none. Only where something was answered. */
export const saysNoHelp = (text: string): boolean => saysSo(text) || (isSign(text) && text.includes("👎"));
const saysSo =
  matches(`(?:did|done|tried) (?:that|this|it) (?:already|before)|already (?:did|done|had) (?:that|this|it)|(?:that|this|it) (?:did not|didnt|does not|doesnt|is not|isnt|wont|will not) (?:help(?:ing|ful)?|answer|work|what i)(?: \\S+){0,6}|not helpful|no help|did not help|didnt help|doesnt help|does not help|not what i (?:asked|meant|wanted|said|need)|thats not (?:it|my question|what)|(?:you )?(?:did not|didnt|dont|do not) (?:answer|understand|get)(?: \\S+){0,4}|still (?:not working|doesnt work|does not work)|you already (?:said|told)|wrong answer|that is wrong|thats wrong|i know that|i already know|i tried that|i have tried that|already tried|try again|read (?:my|the) (?:question|message)(?: again)?
    (?:hilft|half|nutzt|bringt) mir (?:das )?(?:\\S+ )?nicht(?:s)?|(?:das )?(?:hilft|half) (?:mir )?(?:leider )?nicht|hat (?:mir )?(?:leider )?nicht geholfen|nicht (?:das )?was ich (?:gefragt|gemeint|wissen)(?: \\S+){0,3}|das war nicht meine frage|das wollte ich nicht wissen|das weiss ich (?:schon|bereits)|hab(?:e)? (?:ich )?(?:das )?schon (?:probiert|versucht|gemacht|getan)|falsche antwort|verstehen sie nicht|du verstehst (?:mich )?nicht|funktioniert (?:immer noch )?nicht
    (?:ca|cela) ne? ?(?:maide|aide|marche|repond) pas(?: \\S+){0,4}|ca maide pas|pas ce que (?:jai demande|je demande|je veux)|vous ne (?:comprenez|repondez) pas(?: \\S+){0,4}|mauvaise reponse|je sais deja|jai deja essaye|ce nest pas ma question
    (?:eso |esto )?no me (?:ayuda|sirve|ha ayudado)(?: \\S+){0,4}|no es lo que (?:pregunte|pregunto|quiero|necesito)|no (?:entiende|entiendes|responde|ha respondido)(?: \\S+){0,4}|respuesta equivocada|eso ya lo se|ya lo (?:he intentado|intente)
    non (?:mi )?(?:aiuta|e utile|serve|ha aiutato)(?: \\S+){0,4}|non e (?:quello|cio) che (?:ho chiesto|chiedevo|volevo)|non (?:capisce|capisci|ha risposto)(?: \\S+){0,4}|risposta sbagliata|lo so gia|ho gia provato
    (?:dat |dit )?(?:helpt|hielp) (?:mij |me )?niet(?: \\S+){0,3}|niet wat ik (?:vroeg|bedoel|bedoelde|wil)|u begrijpt (?:mij |me |het )?niet|je begrijpt (?:mij |me |het )?niet|verkeerd antwoord|dat weet ik al|heb ik al geprobeerd|werkt (?:nog steeds )?niet
    (?:isso )?nao (?:me )?(?:ajuda|ajudou|serve|resolve)(?: \\S+){0,4}|nao (?:e|foi) (?:isso )?(?:o )?que (?:perguntei|pedi|quero)|nao (?:percebe|entende|respondeu)(?: \\S+){0,4}|resposta errada|isso eu ja sei|ja tentei`);

/** So angry that only a person helps. */
export const isAngry = (text: string): boolean => saysAnger(text) || (isSign(text) && /[😠😡🤬💢]/u.test(text));
const saysAnger =
  matches(`(?:where|why|when|who|how) (?:the|in) (?:hell|fuck|heck)|(?:third|fourth|fifth|3rd|4th|5th|tenth|10th) time (?:(?:that|i|im|ive|am|have|had|been|to) ){0,4}(?:ask(?:ing|ed)?|call(?:ing|ed)?|writ(?:e|ing|ten)|wrote|contact(?:ing|ed)?|complain(?:ing|ed)?|messag(?:e|ing|ed))|wtf|what the (?:fuck|hell)|fuck(?:ing|ed)?(?: \\S+)?|bullshit|this is (?:ridiculous|unacceptable|a joke|outrageous|insane)|(?:totally|absolutely|completely|so) (?:ridiculous|unacceptable|useless)|are you (?:kidding|joking|serious)(?: me)?|you (?:are|guys are) (?:all )?(?:useless|idiots|liars|thieves|incompetent|stupid|scammers|crooks)|(?:stupid|useless|dumb|fucking) (?:bot|robot|thing|machine|service|company)|worst (?:service|company|support|experience)(?: ever)?|i am (?:furious|livid|so angry|fed up|sick of this)|im (?:furious|livid|so angry|fed up|sick of this)|rip ?off|scammers|shame on you|never (?:again|buying|ordering) (?:from )?(?:you|here)
    scheisse?|verdammt(?:e[rns]?)?(?: \\S+)?|das ist (?:doch )?(?:eine )?(?:unverschamtheit|frechheit|unverschamt|lacherlich|ein witz|unfassbar|eine zumutung|abzocke|betrug)|(?:so eine |eine )?(?:unverschamtheit|frechheit|sauerei)|wollen sie mich (?:veraschen|verarschen)|willst du mich verarschen|ihr seid (?:doch )?(?:betruger|unfahig|idioten)|sie sind (?:betruger|unfahig|idioten)|ich bin (?:stink)?(?:sauer|wutend)|mir reichts|mir reicht es|reicht es mir|reichts mir|(?:dritte|vierte|funfte|zehnte|3|4) mal (?:dass |wo )?ich (?:\\S+ ){0,4}(?:schreibe|frage|nachfrage|anrufe|melde|reklamiere)|(?:dummer|bloder|nutzloser) (?:bot|roboter)|nie wieder bei (?:euch|ihnen)
    putain|merde|cest (?:inadmissible|inacceptable|scandaleux|ridicule|une honte|nimporte quoi|du vol)|vous (?:etes|vous moquez) (?:des (?:voleurs|escrocs|incapables)|de moi)|je suis (?:furieux|furieuse|en colere)|jen ai marre|ras le bol|honteux|(?:troisieme|quatrieme|cinquieme|dixieme|3eme|4eme) fois que (?:je )?(?:vous )?(?:j)?(?:demande|ecris|appelle|contacte|reclame)
    mierda|joder|cono|es (?:una verguenza|inaceptable|ridiculo|un robo|una estafa)|son unos (?:ladrones|estafadores|inutiles)|estoy (?:furios[oa]|harto|harta|indignad[oa])|(?:tercera|cuarta|quinta|decima) vez que (?:\\S+ ){0,2}(?:escribo|pregunto|llamo|contacto|reclamo|pido)|que verguenza|me estan (?:tomando el pelo|estafando)
    cazzo|merda|e (?:una vergogna|inaccettabile|ridicolo|una truffa|assurdo)|siete (?:dei )?(?:ladri|truffatori|incompetenti|inutili)|sono (?:furios[oa]|arrabbiatissim[oa]|stuf[oa])|mi prendete in giro|che vergogna|vergognatevi|(?:terza|quarta|quinta|decima) volta che (?:\\S+ ){0,2}(?:scrivo|chiedo|chiamo|contatto|sollecito|domando)
    kut|verdomme|godverdomme|dit is (?:belachelijk|onacceptabel|een schande|oplichting|absurd)|jullie zijn (?:oplichters|dieven|onbekwaam|waardeloos)|ik ben (?:woedend|het zat|razend|heel boos)|wat een (?:schande|waardeloze service)|(?:derde|vierde|vijfde|tiende) keer dat ik (?:\\S+ ){0,3}(?:mail|vraag|bel|schrijf|app)
    merda|porra|caralho|isto e (?:uma vergonha|inaceitavel|ridiculo|um roubo|um absurdo)|isso e (?:uma vergonha|inaceitavel|ridiculo|um roubo|um absurdo)|sao (?:uns )?(?:ladroes|aldraboes|incompetentes|inuteis)|estou (?:furios[oa]|fart[oa]|indignad[oa])|que vergonha|(?:terceira|quarta|quinta|decima) vez que (?:\\S+ ){0,2}(?:pergunto|escrevo|ligo|contacto|peco|reclamo)`);

/** Small words that may stand beside what is told. */
const MAX_OTHER_WORDS = 4;
const MAX_WORDS = 24;
/** A number, an address, a date: what somebody says who was told how something goes and takes it for a question. */
export function isOnlyDetails(text: string): boolean {
  if (!isShort(text) || text.includes("?")) return false;
  const words = text.split(/[\s,;:]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const telling = words.filter((word) => /[\d@]/u.test(word)).length;
  return telling > 0 && words.length <= MAX_WORDS && words.length - telling <= MAX_OTHER_WORDS;
}
