import { describe, expect, test } from "vitest";
import {
  asksWhatItIs,
  isAngry,
  isApproval,
  isGreeting,
  isOnlyDetails,
  isSign,
  reactionOf,
  saysNoHelp,
} from "../../../src/assistant/context/acts.js";
import { isThanks } from "../../../src/assistant/context/courtesy.js";
import { partsOf } from "../../../src/assistant/context/parts.js";

const GREETED = `hi|Hello!|hey there|Good morning|Hello, one question|Hi, can you help me?|anyone there?|I have a question|Hallo|Guten Tag, ich hätte eine Frage|Moin|Können Sie mir helfen?|Bonjour|Bonjour, j'ai une question|Salut !|Hola|Hola, buenas tardes|tengo una duda|Buongiorno|Ciao, ho una domanda|Salve|Goedemorgen|Hoi, ik heb een vraag|Olá|Bom dia|Oi, tudo bem?|hello?|Hi, how are you?`;
const NOT_GREETED = `Where is my parcel?|hi where is my parcel|Hello 12345|I have a question about my refund|Ich habe eine Frage zur Lieferung|Hallo Herr Müller|bonjour je veux annuler|refund|ok|thanks`;

describe("a greeting", () => {
  test.each(GREETED.split("|"))("%s", (text) => expect(isGreeting(text)).toBe(true));
  test.each(NOT_GREETED.split("|"))("is not: %s", (text) => expect(isGreeting(text)).toBe(false));
});

describe("a question what the assistant is", () => {
  test.each([
    "are you a bot?",
    "Are you a real person",
    "is this a robot?",
    "am I talking to a human?",
    "who are you?",
    "Bist du ein Bot?",
    "Sind Sie ein Mensch?",
    "Spreche ich mit einem echten Menschen?",
    "Êtes-vous un robot ?",
    "Je parle à une vraie personne ?",
    "¿Eres un robot?",
    "¿Estoy hablando con una persona?",
    "Sei un bot?",
    "Sto parlando con una persona vera?",
    "Ben je een robot?",
    "Praat ik met een mens?",
    "Você é um robô?",
    "Estou a falar com uma pessoa?",
  ])("%s", (text) => expect(asksWhatItIs(text)).toBe(true));
  test.each(["Is it a gift?", "Are you open on Sunday?", "Do you sell robots?", "Who delivers my parcel?"])(
    "is not: %s",
    (text) => expect(asksWhatItIs(text)).toBe(false),
  );
});

describe("an answer to a question back", () => {
  test.each([
    ["yes", "yes"],
    ["Yes please!", "yes"],
    ["ja, genau", "yes"],
    ["oui", "yes"],
    ["sí, por favor", "yes"],
    ["esatto", "yes"],
    ["klopt", "yes"],
    ["isso mesmo", "yes"],
    ["ok", "yes"],
    ["k ty", "yes"],
    ["yes thanks", "yes"],
    ["ja danke", "yes"],
    ["yesss", "yes"],
    ["no", "no"],
    ["no thanks", "no"],
    ["neither", "no"],
    ["Nein, etwas anderes", "no"],
    ["aucun des deux", "no"],
    ["ninguno", "no"],
    ["both please", "both"],
    ["both", "both"],
    ["beides bitte", "both"],
    ["les deux", "both"],
    ["entrambi, grazie", "both"],
    ["allebei", "both"],
    ["as duas", "both"],
    ["the second", undefined],
    ["yes, and how much is shipping?", undefined],
    ["no idea what you mean with that parcel", undefined],
  ])("%s is %s", (text, reaction) => expect(reactionOf(text)).toBe(reaction));
});

test("what did not help, and anger, are heard in seven languages", () => {
  for (const text of [
    "that did not help",
    "That's not what I asked",
    "still not working",
    "Das hilft mir nicht",
    "Das war nicht meine Frage",
    "ça ne m'aide pas",
    "no me sirve",
    "non mi aiuta",
    "dat helpt niet",
    "isso não ajuda",
  ])
    expect([text, saysNoHelp(text)]).toEqual([text, true]);
  for (const text of [
    "This is ridiculous!!",
    "Are you kidding me",
    "you are useless",
    "Das ist eine Frechheit",
    "Mir reicht's!",
    "C'est inadmissible",
    "Es una vergüenza",
    "è una vergogna",
    "Dit is belachelijk",
    "Isto é uma vergonha",
  ])
    expect([text, isAngry(text)]).toEqual([text, true]);
  for (const text of ["Where is my parcel?", "I want to return shoes", "Wie lange dauert die Lieferung?"])
    expect([isAngry(text), saysNoHelp(text)]).toEqual([false, false]);
});

test("anger is heard without its strongest words, and in signs", () => {
  for (const text of [
    "where the hell is my parcel",
    "this is the third time I'm asking",
    "3rd time asking",
    "langsam reicht es mir wirklich!!",
    "das ist jetzt das dritte Mal, dass ich schreibe",
    "c'est la troisième fois que je demande",
    "es la tercera vez que escribo",
    "vergognatevi",
    "è la terza volta che scrivo",
    "dit is de derde keer dat ik mail",
    "é a terceira vez que pergunto",
    "😡",
    "🤬🤬",
  ])
    expect([text, isAngry(text)]).toEqual([text, true]);
  for (const text of [
    "When is the third delivery?",
    "Is it the second time zone?",
    "🎉",
    "the third one",
    "it is the third time I order from you, I love it",
    "das dritte Mal, dass ich hier bestelle",
  ])
    expect([text, isAngry(text)]).toEqual([text, false]);
});

test("what was tried before, and a thumb down, did not help", () => {
  for (const text of ["did that already, never got any mail", "I already did that", "hab ich schon gemacht", "👎"])
    expect([text, saysNoHelp(text)]).toEqual([text, true]);
});

test("a sign alone is one, whatever it means; words and nothing at all are none", () => {
  for (const text of ["👋", "...", "?", "📦❓", "👍"]) expect([text, isSign(text)]).toEqual([text, true]);
  for (const text of ["", "  ", "ok", "1", "送料"]) expect([text, isSign(text)]).toEqual([text, false]);
});

test("a thumb up approves, and a thumb down, a wave or a question do not", () => {
  for (const text of ["👍", "👍🏽", "👌 ✅"]) expect([text, isApproval(text)]).toEqual([text, true]);
  for (const text of ["👋", "👎", "👍?", "👍👎", "ok 👍", "..."])
    expect([text, isApproval(text)]).toEqual([text, false]);
});

test("numbers and addresses alone are details, a question with a number is none", () => {
  for (const text of [
    "W1234567, Ringstr. 5",
    "#12345",
    "ada@example.com",
    "It is W123",
    "12 May 2024",
    "+49 30 1234567",
  ])
    expect([text, isOnlyDetails(text)]).toEqual([text, true]);
  for (const text of ["Where is order 12345?", "I would like to change the address of my order 12345", "Ringstrasse"])
    expect([text, isOnlyDetails(text)]).toEqual([text, false]);
});

test("thanks are thanks, and other courtesy is none", () => {
  const said = ["Thank you!", "ok danke", "merci beaucoup", "grazie mille", "obrigada", "obrigadaa", "thanksss"];
  expect(said.map(isThanks)).toEqual(said.map(() => true));
  expect(["ok", "👍", "bye", "great"].map(isThanks)).toEqual(Array(4).fill(false));
});

describe("a message is read line by line and sentence by sentence", () => {
  test("without greetings", () => {
    expect(partsOf("Hello\none question\nDo you take PayPal?")).toEqual({
      whole: "Do you take PayPal?",
      searched: [],
      rest: [],
    });
  });
  test("two questions of one sentence are two", () => {
    expect(partsOf("Do you take PayPal and how much is shipping?").searched).toEqual([
      "Do you take PayPal",
      "how much is shipping?",
    ]);
    expect(partsOf("Nehmt ihr PayPal und was kostet der Versand?").searched).toEqual([
      "Nehmt ihr PayPal",
      "was kostet der Versand?",
    ]);
  });
  test("also where the second begins with an accent", () => {
    expect(partsOf("¿Aceptan PayPal y cuánto cuesta el envío?").searched).toEqual([
      "¿Aceptan PayPal",
      "cuánto cuesta el envío?",
    ]);
  });
  test("but things that belong together are one", () => {
    expect(partsOf("Where are my shoes and socks?").searched).toEqual([]);
  });
  test("no more than four are searched, the questions first", () => {
    const { searched, rest } = partsOf("One is here. Two? Three is here. Four? Five is here. Six is here.");
    expect(searched).toEqual(["Two?", "Four?", "One is here.", "Three is here."]);
    expect(rest).toEqual(["Five is here.", "Six is here."]);
  });
  test("a thousand lines are one text, and are searched as a whole", () => {
    expect(partsOf("a?\n".repeat(1_000))).toMatchObject({ searched: [], rest: [] });
  });
});
