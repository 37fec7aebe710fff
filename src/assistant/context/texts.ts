import type { Language } from "./languages.js";
import type { Why } from "./why.js";

/** What the assistant says in its own words, to contacts and in summaries. */
interface Texts {
  /** To the contact: `{first}` and `{second}` are the questions of two entries. */
  clarify: string;
  /** `{question}` is that of the one entry that may be meant. */
  confirm: string;
  /** As `confirm`, for an entry that is called by a heading, such as "Contact". */
  topic: string;
  /** Answers that the contact can choose from. */
  yes: string;
  no: string;
  /** To one who only says hello: the first time, and if they do it again. `{name}` is the agent's. */
  greetings: readonly [string, string];
  /** To one who asks whom they talk to. */
  identity: string;
  /** Below what it writes where nothing else shows that no person wrote it. */
  mark: string;
  /** To one who says thank you. */
  welcome: string;
  /** Before `handOver`: why. */
  because: Partial<Record<Why, string>>;
  /** That people take over, in two ways: what was said before is not said again in the same words. */
  handOver: readonly [string, string];
  /** While a colleague decides about an action. */
  approval: string;
  /** An action was done. */
  executed: string;
  /** An action was not done: people take over. */
  refused: string;
  /** `{prompt}` is the first question of several that prove who the contact is. */
  prove: string;
  /** The next one of them. */
  proveMore: string;
  /** For the summary: `{text}` is a message, or the question of an entry. */
  asked: string;
  answered: string;
  askedBack: string;
  unsure: string;
  nothingFound: string;
  wantsPerson: string;
  passedOn: string;
  unfounded: string;
  usedUp: string;
  failed: string;
  repeated: string;
  details: string;
  complaint: string;
  opposite: string;
  notHelped: string;
  angry: string;
  /** The same of a call of a tool: `{call}` is its name and arguments. */
  done: string;
  notDone: string;
  unknown: string;
}

export const TEXTS: Record<Language, Texts> = {
  en: {
    clarify: "Do you mean “{first}” or “{second}”?",
    confirm: "Do you mean “{question}”?",
    topic: "Is your question about “{question}”?",
    yes: "Yes",
    no: "No",
    greetings: [
      "Hello! I am {name}, an automated assistant. How can I help you?",
      "I am here. What would you like to know?",
    ],
    identity:
      "I am {name}, an automated assistant, not a person. I answer what I know, and pass everything else on to a colleague. If you would like to talk to a person, just say so.",
    mark: "Automated assistant",
    welcome: "You are welcome.",
    because: {
      unsure: "I am not sure that I understand you correctly.",
      nothingFound: "I do not know the answer to that.",
      wantsPerson: "Of course.",
      unfounded: "I have no reliable answer to that.",
      usedUp: "I cannot answer that right now.",
      failed: "I cannot answer that right now.",
      repeated: "That is all I know about it.",
      details: "Thank you for the details.",
      complaint: "I am sorry about that.",
      opposite: "I would like you to get the right answer to that.",
      notHelped: "I am sorry that this did not help.",
      angry: "I am sorry about the trouble.",
    },
    handOver: [
      "I am passing this on to a colleague, who will reply to you here.",
      "I have told my colleagues what you wrote. One of them will reply to you here.",
    ],
    approval: "A colleague has to approve this first. You will get a reply here.",
    executed: "What you asked for has been done.",
    refused: "I could not do that for you. I am passing this on to a colleague, who will reply to you here.",
    prove: "Before I go on, I have to know that it is you. {prompt}",
    proveMore: "Thank you. One more question. {prompt}",
    asked: "Asked: “{text}”",
    answered: "The assistant answered with: “{text}”",
    askedBack: "The assistant asked back: “{text}”",
    unsure: "The closest entry is not close enough: “{text}”",
    nothingFound: "No approved entry answers this.",
    wantsPerson: "The contact asks for a person.",
    passedOn: "The assistant passes this on.",
    unfounded: "What the assistant wrote rests on no entry.",
    usedUp: "The assistant has used up its tokens.",
    failed: "The assistant could not finish.",
    repeated: "The assistant had given this answer before.",
    details: "The contact gave details that a person has to act on.",
    complaint: "The contact complains, or asks about something that has happened.",
    opposite: "The contact means something else than the closest entry, or its opposite.",
    notHelped: "The contact says that the answer did not help.",
    angry: "The contact is angry.",
    done: "Carried out: {call}",
    notDone: "Not carried out: {call}",
    unknown: "It is not known whether this was carried out: {call}",
  },
  de: {
    clarify: "Meinen Sie „{first}“ oder „{second}“?",
    confirm: "Meinen Sie „{question}“?",
    topic: "Geht es Ihnen um „{question}“?",
    yes: "Ja",
    no: "Nein",
    greetings: [
      "Hallo! Ich bin {name}, ein automatischer Assistent. Wie kann ich Ihnen helfen?",
      "Ich bin da. Was möchten Sie wissen?",
    ],
    identity:
      "Ich bin {name}, ein automatischer Assistent und kein Mensch. Ich beantworte, was ich weiß, und gebe alles andere an eine Kollegin oder einen Kollegen weiter. Wenn Sie mit einem Menschen sprechen möchten, sagen Sie es einfach.",
    mark: "Automatischer Assistent",
    welcome: "Gern geschehen.",
    because: {
      unsure: "Ich bin nicht sicher, ob ich Sie richtig verstehe.",
      nothingFound: "Darauf weiß ich keine Antwort.",
      wantsPerson: "Natürlich.",
      unfounded: "Darauf habe ich keine verlässliche Antwort.",
      usedUp: "Das kann ich gerade nicht beantworten.",
      failed: "Das kann ich gerade nicht beantworten.",
      repeated: "Mehr weiß ich dazu nicht.",
      details: "Danke für die Angaben.",
      complaint: "Das tut mir leid.",
      opposite: "Darauf sollen Sie die richtige Antwort bekommen.",
      notHelped: "Es tut mir leid, dass Ihnen das nicht geholfen hat.",
      angry: "Es tut mir leid, dass Sie Ärger haben.",
    },
    handOver: [
      "Ich gebe das an eine Kollegin oder einen Kollegen weiter. Sie erhalten hier eine Antwort.",
      "Ich habe meinem Team gesagt, was Sie geschrieben haben. Sie hören hier von uns.",
    ],
    approval: "Das muss erst jemand freigeben. Sie erhalten hier eine Antwort.",
    executed: "Was Sie angefragt haben, ist erledigt.",
    refused:
      "Das konnte ich nicht für Sie tun. Ich gebe es an eine Kollegin oder einen Kollegen weiter. Sie erhalten hier eine Antwort.",
    prove: "Bevor ich weitermache, muss ich wissen, dass Sie es sind. {prompt}",
    proveMore: "Danke. Noch eine Frage. {prompt}",
    asked: "Gefragt: „{text}“",
    answered: "Der Assistent antwortete mit: „{text}“",
    askedBack: "Der Assistent fragte zurück: „{text}“",
    unsure: "Der nächstliegende Eintrag passt nicht gut genug: „{text}“",
    nothingFound: "Kein freigegebener Eintrag beantwortet das.",
    wantsPerson: "Der Kontakt möchte mit einem Menschen sprechen.",
    passedOn: "Der Assistent gibt das weiter.",
    unfounded: "Was der Assistent schrieb, steht in keinem Eintrag.",
    usedUp: "Der Assistent hat seine Tokens verbraucht.",
    failed: "Der Assistent konnte das nicht abschließen.",
    repeated: "Diese Antwort hatte der Assistent schon gegeben.",
    details: "Der Kontakt hat Angaben gemacht, mit denen jemand etwas tun muss.",
    complaint: "Der Kontakt beschwert sich oder fragt nach etwas, das geschehen ist.",
    opposite: "Der Kontakt meint etwas anderes als der nächstliegende Eintrag, oder das Gegenteil.",
    notHelped: "Der Kontakt sagt, dass die Antwort nicht geholfen hat.",
    angry: "Der Kontakt ist verärgert.",
    done: "Ausgeführt: {call}",
    notDone: "Nicht ausgeführt: {call}",
    unknown: "Es ist nicht bekannt, ob das ausgeführt wurde: {call}",
  },
  fr: {
    clarify: "Voulez-vous dire « {first} » ou « {second} » ?",
    confirm: "Voulez-vous dire « {question} » ?",
    topic: "Votre question porte-t-elle sur « {question} » ?",
    yes: "Oui",
    no: "Non",
    greetings: [
      "Bonjour ! Je suis {name}, un assistant automatique. Comment puis-je vous aider ?",
      "Je suis là. Que souhaitez-vous savoir ?",
    ],
    identity:
      "Je suis {name}, un assistant automatique, et non une personne. Je réponds à ce que je sais et je transmets le reste à un membre de l’équipe. Si vous souhaitez parler à une personne, dites-le simplement.",
    mark: "Assistant automatique",
    welcome: "Je vous en prie.",
    because: {
      unsure: "Je ne suis pas sûr de bien vous comprendre.",
      nothingFound: "Je n’ai pas la réponse à cette question.",
      wantsPerson: "Bien sûr.",
      unfounded: "Je n’ai pas de réponse fiable à cette question.",
      usedUp: "Je ne peux pas répondre à cela pour le moment.",
      failed: "Je ne peux pas répondre à cela pour le moment.",
      repeated: "C’est tout ce que je sais à ce sujet.",
      details: "Merci pour ces précisions.",
      complaint: "Je suis désolé pour ce désagrément.",
      opposite: "Je souhaite que vous ayez la bonne réponse.",
      notHelped: "Je suis désolé que cela ne vous ait pas aidé.",
      angry: "Je suis désolé pour ces désagréments.",
    },
    handOver: [
      "Je transmets votre demande à un membre de l’équipe, qui vous répondra ici.",
      "J’ai transmis votre message à l’équipe. Quelqu’un vous répondra ici.",
    ],
    approval: "Un membre de l’équipe doit d’abord donner son accord. Vous recevrez une réponse ici.",
    executed: "Votre demande a bien été traitée.",
    refused: "Je n’ai pas pu le faire. Je transmets votre demande à un membre de l’équipe, qui vous répondra ici.",
    prove: "Avant de continuer, je dois vérifier votre identité. {prompt}",
    proveMore: "Merci. Encore une question. {prompt}",
    asked: "Question : « {text} »",
    answered: "L’assistant a répondu : « {text} »",
    askedBack: "L’assistant a demandé une précision : « {text} »",
    unsure: "L’entrée la plus proche ne correspond pas assez : « {text} »",
    nothingFound: "Aucune entrée approuvée ne répond à cette question.",
    wantsPerson: "Le contact demande à parler à une personne.",
    passedOn: "L’assistant transmet la conversation.",
    unfounded: "Ce que l’assistant a écrit ne s’appuie sur aucune entrée.",
    usedUp: "L’assistant a épuisé ses tokens.",
    failed: "L’assistant n’a pas pu terminer.",
    repeated: "L’assistant avait déjà donné cette réponse.",
    details: "Le contact a donné des précisions que quelqu’un doit traiter.",
    complaint: "Le contact se plaint, ou demande ce qui s’est passé.",
    opposite: "Le contact veut dire autre chose que l’entrée la plus proche, ou le contraire.",
    notHelped: "Le contact dit que la réponse ne l’a pas aidé.",
    angry: "Le contact est en colère.",
    done: "Exécuté : {call}",
    notDone: "Non exécuté : {call}",
    unknown: "On ne sait pas si cela a été exécuté : {call}",
  },
  es: {
    clarify: "¿Se refiere a «{first}» o a «{second}»?",
    confirm: "¿Se refiere a «{question}»?",
    topic: "¿Su pregunta es sobre «{question}»?",
    yes: "Sí",
    no: "No",
    greetings: [
      "¡Hola! Soy {name}, un asistente automático. ¿En qué puedo ayudarle?",
      "Aquí estoy. ¿Qué le gustaría saber?",
    ],
    identity:
      "Soy {name}, un asistente automático y no una persona. Respondo a lo que sé y paso todo lo demás a una persona del equipo. Si quiere hablar con una persona, dígalo sin más.",
    mark: "Asistente automático",
    welcome: "De nada.",
    because: {
      unsure: "No estoy seguro de haberle entendido bien.",
      nothingFound: "No conozco la respuesta a eso.",
      wantsPerson: "Por supuesto.",
      unfounded: "No tengo una respuesta fiable a eso.",
      usedUp: "Ahora mismo no puedo responder a eso.",
      failed: "Ahora mismo no puedo responder a eso.",
      repeated: "Es todo lo que sé sobre esto.",
      details: "Gracias por los datos.",
      complaint: "Lo siento mucho.",
      opposite: "Quiero que reciba la respuesta correcta.",
      notHelped: "Siento que no le haya ayudado.",
      angry: "Siento las molestias.",
    },
    handOver: [
      "Paso su consulta a una persona del equipo, que le responderá aquí.",
      "Ya he informado al equipo de lo que ha escrito. Le responderán aquí.",
    ],
    approval: "Antes tiene que aprobarlo una persona del equipo. Recibirá una respuesta aquí.",
    executed: "Lo que solicitó ya está hecho.",
    refused: "No he podido hacerlo. Paso su consulta a una persona del equipo, que le responderá aquí.",
    prove: "Antes de continuar, tengo que comprobar su identidad. {prompt}",
    proveMore: "Gracias. Una pregunta más. {prompt}",
    asked: "Pregunta: «{text}»",
    answered: "El asistente respondió: «{text}»",
    askedBack: "El asistente pidió una aclaración: «{text}»",
    unsure: "La entrada más próxima no se ajusta lo suficiente: «{text}»",
    nothingFound: "Ninguna entrada aprobada responde a esta pregunta.",
    wantsPerson: "El contacto pide hablar con una persona.",
    passedOn: "El asistente traspasa la conversación.",
    unfounded: "Lo que escribió el asistente no se basa en ninguna entrada.",
    usedUp: "El asistente ha agotado sus tokens.",
    failed: "El asistente no ha podido terminar.",
    repeated: "El asistente ya había dado esta respuesta.",
    details: "El contacto ha dado datos con los que alguien tiene que hacer algo.",
    complaint: "El contacto se queja o pregunta por algo que ha pasado.",
    opposite: "El contacto se refiere a algo distinto de la entrada más próxima, o a lo contrario.",
    notHelped: "El contacto dice que la respuesta no le ha ayudado.",
    angry: "El contacto está enfadado.",
    done: "Ejecutado: {call}",
    notDone: "No ejecutado: {call}",
    unknown: "No se sabe si esto se ejecutó: {call}",
  },
  it: {
    clarify: "Intende «{first}» o «{second}»?",
    confirm: "Intende «{question}»?",
    topic: "La sua domanda riguarda «{question}»?",
    yes: "Sì",
    no: "No",
    greetings: [
      "Buongiorno! Sono {name}, un assistente automatico. Come posso aiutarLa?",
      "Sono qui. Che cosa desidera sapere?",
    ],
    identity:
      "Sono {name}, un assistente automatico e non una persona. Rispondo a ciò che so e passo tutto il resto a una persona del team. Se preferisce parlare con una persona, basta dirlo.",
    mark: "Assistente automatico",
    welcome: "Prego.",
    because: {
      unsure: "Non sono sicuro di aver capito bene.",
      nothingFound: "Non conosco la risposta.",
      wantsPerson: "Certamente.",
      unfounded: "Non ho una risposta affidabile.",
      usedUp: "Al momento non posso rispondere.",
      failed: "Al momento non posso rispondere.",
      repeated: "È tutto quello che so in merito.",
      details: "Grazie per le informazioni.",
      complaint: "Mi dispiace per l’accaduto.",
      opposite: "Vorrei che ricevesse la risposta giusta.",
      notHelped: "Mi dispiace che non Le sia stato d’aiuto.",
      angry: "Mi dispiace per il disagio.",
    },
    handOver: [
      "Passo la Sua richiesta a una persona del team, che Le risponderà qui.",
      "Ho riferito al team quello che ha scritto. Riceverà una risposta qui.",
    ],
    approval: "Prima deve approvarlo una persona del team. Riceverà una risposta qui.",
    executed: "Quello che ha chiesto è stato fatto.",
    refused: "Non ho potuto farlo. Passo la Sua richiesta a una persona del team, che Le risponderà qui.",
    prove: "Prima di continuare devo verificare la Sua identità. {prompt}",
    proveMore: "Grazie. Ancora una domanda. {prompt}",
    asked: "Domanda: «{text}»",
    answered: "L’assistente ha risposto: «{text}»",
    askedBack: "L’assistente ha chiesto un chiarimento: «{text}»",
    unsure: "La voce più vicina non corrisponde abbastanza: «{text}»",
    nothingFound: "Nessuna voce approvata risponde a questa domanda.",
    wantsPerson: "Il contatto chiede di parlare con una persona.",
    passedOn: "L’assistente passa la conversazione al team.",
    unfounded: "Ciò che l’assistente ha scritto non si basa su nessuna voce.",
    usedUp: "L’assistente ha esaurito i suoi token.",
    failed: "L’assistente non è riuscito a finire.",
    repeated: "L’assistente aveva già dato questa risposta.",
    details: "Il contatto ha dato informazioni di cui qualcuno deve occuparsi.",
    complaint: "Il contatto si lamenta o chiede di qualcosa che è successo.",
    opposite: "Il contatto intende altro rispetto alla voce più vicina, o il contrario.",
    notHelped: "Il contatto dice che la risposta non è servita.",
    angry: "Il contatto è arrabbiato.",
    done: "Eseguito: {call}",
    notDone: "Non eseguito: {call}",
    unknown: "Non si sa se questo sia stato eseguito: {call}",
  },
  nl: {
    clarify: "Bedoelt u “{first}” of “{second}”?",
    confirm: "Bedoelt u “{question}”?",
    topic: "Gaat uw vraag over “{question}”?",
    yes: "Ja",
    no: "Nee",
    greetings: [
      "Hallo! Ik ben {name}, een automatische assistent. Waarmee kan ik u helpen?",
      "Ik ben er. Wat wilt u weten?",
    ],
    identity:
      "Ik ben {name}, een automatische assistent en geen mens. Ik beantwoord wat ik weet en geef al het andere door aan een collega. Als u met een mens wilt spreken, zegt u het gewoon.",
    mark: "Automatische assistent",
    welcome: "Graag gedaan.",
    because: {
      unsure: "Ik weet niet zeker of ik u goed begrijp.",
      nothingFound: "Daar weet ik geen antwoord op.",
      wantsPerson: "Natuurlijk.",
      unfounded: "Daar heb ik geen betrouwbaar antwoord op.",
      usedUp: "Dat kan ik nu niet beantwoorden.",
      failed: "Dat kan ik nu niet beantwoorden.",
      repeated: "Meer weet ik hier niet over.",
      details: "Dank u voor de gegevens.",
      complaint: "Dat spijt me.",
      opposite: "Ik wil dat u daar het juiste antwoord op krijgt.",
      notHelped: "Het spijt me dat dit niet heeft geholpen.",
      angry: "Het spijt me dat u hier last van hebt.",
    },
    handOver: [
      "Ik geef dit door aan een collega. U krijgt hier antwoord.",
      "Ik heb mijn collega’s verteld wat u schreef. Een van hen antwoordt u hier.",
    ],
    approval: "Een collega moet dit eerst goedkeuren. U krijgt hier antwoord.",
    executed: "Uw verzoek is uitgevoerd.",
    refused: "Dat kon ik niet voor u doen. Ik geef het door aan een collega. U krijgt hier antwoord.",
    prove: "Voordat ik verderga, moet ik zeker weten dat u het bent. {prompt}",
    proveMore: "Dank u wel. Nog één vraag. {prompt}",
    asked: "Vraag: “{text}”",
    answered: "De assistent antwoordde: “{text}”",
    askedBack: "De assistent vroeg ter verduidelijking: “{text}”",
    unsure: "Het dichtstbijzijnde item past niet goed genoeg: “{text}”",
    nothingFound: "Geen goedgekeurd item beantwoordt deze vraag.",
    wantsPerson: "De contactpersoon wil met een mens spreken.",
    passedOn: "De assistent geeft het gesprek door.",
    unfounded: "Wat de assistent schreef, staat in geen enkel item.",
    usedUp: "De assistent heeft zijn tokens verbruikt.",
    failed: "De assistent kon dit niet afronden.",
    repeated: "De assistent had dit antwoord al gegeven.",
    details: "De contactpersoon gaf gegevens waar iemand iets mee moet doen.",
    complaint: "De contactpersoon klaagt, of vraagt naar iets wat gebeurd is.",
    opposite: "De contactpersoon bedoelt iets anders dan het dichtstbijzijnde item, of het tegendeel.",
    notHelped: "De contactpersoon zegt dat het antwoord niet hielp.",
    angry: "De contactpersoon is boos.",
    done: "Uitgevoerd: {call}",
    notDone: "Niet uitgevoerd: {call}",
    unknown: "Het is niet bekend of dit is uitgevoerd: {call}",
  },
  pt: {
    clarify: "Refere-se a “{first}” ou a “{second}”?",
    confirm: "Refere-se a “{question}”?",
    topic: "A sua pergunta é sobre “{question}”?",
    yes: "Sim",
    no: "Não",
    greetings: [
      "Olá! Sou {name}, um assistente automático. Em que posso ajudar?",
      "Estou aqui. O que gostaria de saber?",
    ],
    identity:
      "Sou {name}, um assistente automático e não uma pessoa. Respondo ao que sei e encaminho tudo o resto a um colega. Se preferir falar com uma pessoa, basta dizer.",
    mark: "Assistente automático",
    welcome: "De nada.",
    because: {
      unsure: "Não tenho a certeza de ter compreendido bem.",
      nothingFound: "Não sei a resposta a isso.",
      wantsPerson: "Com certeza.",
      unfounded: "Não tenho uma resposta fiável para isso.",
      usedUp: "De momento, não consigo responder a isso.",
      failed: "De momento, não consigo responder a isso.",
      repeated: "É tudo o que sei sobre isso.",
      details: "Obrigado pelos dados.",
      complaint: "Lamento o sucedido.",
      opposite: "Quero que receba a resposta certa.",
      notHelped: "Lamento que isto não tenha ajudado.",
      angry: "Lamento o transtorno.",
    },
    handOver: [
      "Vou encaminhar o seu pedido a um colega, que lhe responderá aqui.",
      "Já disse aos meus colegas o que escreveu. Um deles responder-lhe-á aqui.",
    ],
    approval: "Primeiro, um colega tem de aprovar isto. Receberá uma resposta aqui.",
    executed: "O que pediu já foi feito.",
    refused: "Não consegui fazer isto. Vou encaminhar o seu pedido a um colega, que lhe responderá aqui.",
    prove: "Antes de continuar, tenho de confirmar a sua identidade. {prompt}",
    proveMore: "Obrigado. Só mais uma pergunta. {prompt}",
    asked: "Pergunta: “{text}”",
    answered: "O assistente respondeu: “{text}”",
    askedBack: "O assistente pediu um esclarecimento: “{text}”",
    unsure: "A entrada mais próxima não corresponde o suficiente: “{text}”",
    nothingFound: "Nenhuma entrada aprovada responde a esta pergunta.",
    wantsPerson: "O cliente pede para falar com uma pessoa.",
    passedOn: "O assistente encaminha a conversa.",
    unfounded: "O que o assistente escreveu não se baseia em nenhuma entrada.",
    usedUp: "O assistente esgotou os seus tokens.",
    failed: "O assistente não conseguiu terminar.",
    repeated: "O assistente já tinha dado esta resposta.",
    details: "O cliente deu dados com os quais alguém tem de fazer algo.",
    complaint: "O cliente reclama, ou pergunta por algo que aconteceu.",
    opposite: "O cliente refere-se a algo diferente da entrada mais próxima, ou ao contrário.",
    notHelped: "O cliente diz que a resposta não ajudou.",
    angry: "O cliente está zangado.",
    done: "Executado: {call}",
    notDone: "Não executado: {call}",
    unknown: "Não se sabe se isto foi executado: {call}",
  },
};

/** That people take over, for contacts of other languages, in which the assistant says nothing else. */
export const HANDED_OVER: Readonly<Record<string, readonly [string, string]>> = {
  ar: ["سأحوّل رسالتك إلى أحد زملائي، وسيرد عليك هنا.", "لقد أبلغت زملائي بما كتبت. سيرد عليك أحدهم هنا."],
  cs: [
    "Předávám to kolegovi, který vám tady odpoví.",
    "Řekl jsem kolegům, co jste napsali. Někdo z nich vám tady odpoví.",
  ],
  da: [
    "Jeg giver det videre til en kollega, som svarer dig her.",
    "Jeg har fortalt mine kolleger, hvad du skrev. En af dem svarer dig her.",
  ],
  el: [
    "Το προωθώ σε συνάδελφο, που θα σας απαντήσει εδώ.",
    "Ενημέρωσα τους συναδέλφους μου για όσα γράψατε. Κάποιος θα σας απαντήσει εδώ.",
  ],
  fi: [
    "Välitän tämän kollegalle, joka vastaa sinulle täällä.",
    "Kerroin kollegoilleni, mitä kirjoitit. Joku heistä vastaa sinulle täällä.",
  ],
  he: ["אני מעביר את הפנייה לעמית, שישיב לך כאן.", "מסרתי לצוות מה שכתבת. מישהו ישיב לך כאן."],
  hu: [
    "Továbbítom ezt egy kollégának, aki itt válaszol Önnek.",
    "Elmondtam a kollégáimnak, amit írt. Egyikük itt válaszol Önnek.",
  ],
  ja: ["担当者に引き継ぎます。こちらで返信いたします。", "内容を担当者に伝えました。こちらで返信いたします。"],
  ko: [
    "담당자에게 전달하겠습니다. 여기에서 답변해 드리겠습니다.",
    "보내 주신 내용을 담당자에게 전달했습니다. 여기에서 답변해 드리겠습니다.",
  ],
  no: [
    "Jeg sender dette videre til en kollega, som svarer deg her.",
    "Jeg har fortalt kollegene mine hva du skrev. En av dem svarer deg her.",
  ],
  pl: [
    "Przekazuję to współpracownikowi, który odpowie tutaj.",
    "Przekazałem zespołowi Twoją wiadomość. Ktoś z nas odpowie tutaj.",
  ],
  ro: [
    "Transmit mesajul unui coleg, care vă va răspunde aici.",
    "Le-am spus colegilor ce ați scris. Unul dintre ei vă va răspunde aici.",
  ],
  ru: ["Я передаю ваш вопрос коллеге, вам ответят здесь.", "Я сообщил коллегам, что вы написали. Вам ответят здесь."],
  sv: [
    "Jag lämnar över detta till en kollega, som svarar dig här.",
    "Jag har berättat för mina kollegor vad du skrev. En av dem svarar dig här.",
  ],
  tr: [
    "Bunu bir çalışma arkadaşıma iletiyorum, size buradan yanıt verecek.",
    "Yazdıklarınızı çalışma arkadaşlarıma ilettim. Size buradan yanıt verecekler.",
  ],
  uk: [
    "Я передаю ваше запитання колезі, вам дадуть відповідь тут.",
    "Я повідомив колегам, що ви написали. Вам дадуть відповідь тут.",
  ],
  zh: ["我会转交给同事，他们会在这里回复您。", "我已把您的留言转告同事，他们会在这里回复您。"],
};

/**
 * What a contact is told when people take over.
 * @param said what our side said before, so that nobody reads the same sentence twice in a row
 */
export function handOverText(why: Why, said: readonly string[], language: string, primaryLanguage: string): string {
  const known = Object.hasOwn(TEXTS, language) ? undefined : HANDED_OVER[language];
  const texts = textsIn(language, primaryLanguage);
  const ways = known ?? texts.handOver;
  const reason = known ? undefined : texts.because[why];
  const last = said.findLast((one) => ways.some((way) => one.endsWith(way)));
  const way = last?.endsWith(ways[0]) ? ways[1] : ways[0];
  return reason ? `${reason} ${way}` : way;
}

/** In the first of the languages that there are texts in, else in English. @param languages ISO 639-1 */
export function textsIn(...languages: readonly string[]): Texts {
  const spoken = languages.find((language): language is Language => Object.hasOwn(TEXTS, language));
  return TEXTS[spoken ?? "en"];
}

/** With the agent's name where it has one: "I am Ada, an automated assistant". */
export const named = (text: string, name: string | null): string =>
  name === null ? text.replace("{name}, ", "") : text.replace("{name}", () => name);

/** Replaces each `{name}`. */
export const fill = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
