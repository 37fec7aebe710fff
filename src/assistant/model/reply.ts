import type { Wording } from "../../knowledge/agents/agent.entity.js";
import { namedEnum } from "../../platform/enums/named-enum.js";
import type { ToolRequest } from "../tools/tool-calls.js";
import type { Completion, ModelFunction } from "./model-server.js";

export const ACTIONS = namedEnum("AgentAction", "What the assistant's language model wants to do.", {
  answer: "answer the contact",
  clarify: "ask the contact back",
  call: "call a tool",
  hand_off: "hand over to people",
  resolve: "resolve the conversation",
});
export type Action = (typeof ACTIONS)[number];

export interface Call {
  /** Empty where the model did not ask for it as the protocol has it. */
  id: string;
  request: ToolRequest;
}
/** What the model wants to happen. */
export type Reply =
  | {
      action: "answer" | "clarify" | "hand_off" | "resolve";
      text: string;
      citations: string[];
      /** What is quoted, by id: see `Quote` and `Phrase`. */
      say: string[];
      confidence: number;
    }
  | { action: "call"; calls: Call[] };

/** Why an output of the model cannot be used. The model is told. */
export class InvalidReply extends Error {}

const MAX_TEXT = 10_000;
const MAX_CITATIONS = 20;
const MAX_QUOTES = 60;

/** The function by which the model ends. */
export const RESPOND: ModelFunction = {
  name: "respond",
  description: "End your work on the contact's message.",
  parameters: {
    type: "object",
    additionalProperties: false,
    required: ["action", "text", "citations", "confidence"],
    properties: {
      action: {
        type: "string",
        enum: ["answer", "clarify", "hand_off", "resolve"],
        description:
          "answer: send the text. clarify: send the text, one question back. hand_off: a person takes over. " +
          "resolve: the contact has what they asked for and asks for nothing more.",
      },
      text: { type: "string", description: "What the contact reads. Empty for hand_off and resolve." },
      citations: {
        type: "array",
        items: { type: "string" },
        description: "The ids of the sources that the text rests on, such as E1 or T1.",
      },
      confidence: { type: "number", minimum: 0, maximum: 1, description: "How sure you are that the text is right." },
    },
  },
};

/** The same for a model that answers in quotes. */
const RESPOND_BY_QUOTES: ModelFunction = {
  ...RESPOND,
  parameters: {
    type: "object",
    additionalProperties: false,
    required: ["action", "say", "confidence"],
    properties: {
      action: {
        type: "string",
        enum: ["answer", "clarify", "hand_off", "resolve"],
        description:
          "answer: the contact reads what you say. clarify: the contact is asked which of two entries is meant. " +
          "hand_off: a person takes over. resolve: the contact has what they asked for and asks for nothing more.",
      },
      say: {
        type: "array",
        items: { type: "string" },
        description:
          "answer: the ids of sentences and phrases in the order in which the contact reads them, such as " +
          '["P.hello", "E1.1", "E1.3"]. clarify: the ids of two entries. Empty otherwise.',
      },
      confidence: {
        type: "number",
        minimum: 0,
        maximum: 1,
        description: "How sure you are that this answers what the contact asks.",
      },
    },
  },
};
export const respondIn = (wording: Wording): ModelFunction => (wording === "quotes" ? RESPOND_BY_QUOTES : RESPOND);

export const BEGIN_PROCEDURE = "begin_procedure";
/** By which the model begins one of the company's procedures. */
export const beginsOneOf = (names: readonly string[]): ModelFunction => ({
  name: BEGIN_PROCEDURE,
  description:
    "The contact wants one of these done: the company's own steps for it begin. They ask the contact for what is missing, and for a yes " +
    "before anything changes. Not for a question about it, which entries answer.",
  parameters: {
    type: "object",
    additionalProperties: false,
    required: ["name"],
    properties: { name: { type: "string", enum: names, description: "The name of the procedure." } },
  },
});

/**
 * What the model asks for: calls of tools, or its reply, by the function `respond` or as JSON in the content.
 * Calls come first: a reply beside them was written without their answers.
 * @throws InvalidReply
 */
export function replyOf({ content, calls }: Completion, wording: Wording): Reply {
  const toCall = calls.filter(({ name }) => name !== RESPOND.name);
  if (toCall.length)
    return {
      action: "call",
      calls: toCall.map(({ id, name, arguments: text }) => ({ id, request: { tool: name, arguments: jsonIn(text) } })),
    };
  return validated(responseIn({ content, calls }), wording);
}

/**
 * What the model gave to the function that it ends by, or wrote as JSON into the content.
 * @throws InvalidReply
 */
export function responseIn({ content, calls: [respond] }: Pick<Completion, "content" | "calls">): unknown {
  if (respond) return jsonIn(respond.arguments);
  if (!content?.trim()) throw new InvalidReply("Call a function: a tool, or respond");
  return jsonIn(withoutFence(content));
}

function validated(given: unknown, wording: Wording): Reply {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new InvalidReply("The reply must be an object");
  const {
    action,
    text = "",
    citations = [],
    say = [],
    confidence,
    tool,
    arguments: args = {},
  } = given as Record<string, unknown>;
  if (!ACTIONS.includes(action as Action)) throw new InvalidReply(`action must be one of ${ACTIONS.join(", ")}`);
  if (action === "call") {
    if (typeof tool !== "string") throw new InvalidReply("tool must be the name of a tool");
    return { action, calls: [{ id: "", request: { tool, arguments: args } }] };
  }
  const said = text ?? "";
  if (typeof said !== "string" || said.length > MAX_TEXT)
    throw new InvalidReply(`text must be a string of at most ${MAX_TEXT} characters`);
  if (!Array.isArray(citations) || citations.length > MAX_CITATIONS)
    throw new InvalidReply(`citations must be a list of at most ${MAX_CITATIONS} ids`);
  const speaks = action === "answer" || action === "clarify";
  if (!Array.isArray(say) || say.length > MAX_QUOTES || !say.every((id) => typeof id === "string" && id.length <= 100))
    throw new InvalidReply(`say must be a list of at most ${MAX_QUOTES} ids`);
  if (wording === "own" && speaks && !said.trim()) throw new InvalidReply("text must not be empty");
  const sure = speaks ? confidence : (confidence ?? 1);
  if (typeof sure !== "number" || !(sure >= 0 && sure <= 1))
    throw new InvalidReply("confidence must be a number from 0 to 1");
  return {
    action: action as Exclude<Action, "call">,
    text: said,
    citations: citations.map(citedId),
    say: say as string[],
    confidence: sure,
  };
}

/** Some models write `{kbEntryId, score}`, as the API has them. */
function citedId(citation: unknown): string {
  const { kbEntryId, id } = (typeof citation === "object" && citation !== null ? citation : {}) as Record<
    string,
    unknown
  >;
  const found = kbEntryId ?? id ?? citation;
  if (typeof found !== "string" || found.length > 100) throw new InvalidReply("citations must be ids of sources");
  return found;
}

/** Some models put code fences around it. */
function withoutFence(content: string): string {
  const text = content.trim();
  return text.startsWith("```") && text.endsWith("```") ? text.slice(text.indexOf("\n") + 1, -3) : text;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text === "" ? "{}" : text) as unknown;
  } catch {
    throw new InvalidReply("It is not JSON");
  }
}
