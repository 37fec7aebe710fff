import type { OfferedTool } from "./tool-calls.js";

const text = (description: string, maxLength: number): object => ({
  type: "string",
  description,
  minLength: 1,
  maxLength,
});
const takes = (properties: object, required: readonly string[] = Object.keys(properties)): object => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

/** The platform's own tools. A tenant's tool cannot have their names. */
export const BUILT_IN = {
  search_knowledge: {
    description: "Searches the approved knowledge base entries of the workspace.",
    parameters: takes({ query: text("What to look for, as a question", 2_000) }),
    effect: "read",
  },
  hand_off: {
    description: "Hands the conversation over to a person.",
    parameters: takes({ reason: text("Why, for the colleague who takes over", 500) }),
    effect: "read",
  },
  ask_verification: {
    description: "Asks the customer to prove who they are. Their next message is the answer.",
    parameters: takes({}),
    effect: "read",
  },
  propose_booking: {
    description: "Enters a tentative appointment for the customer in a calendar of the workspace.",
    parameters: takes(
      {
        calendarId: { type: "string", format: "uuid", description: "The calendar" },
        title: text("What it is about", 200),
        startsAt: { type: "string", format: "date-time", description: "Begin, ISO 8601 with a time zone" },
        endsAt: { type: "string", format: "date-time", description: "End, ISO 8601 with a time zone" },
      },
      ["calendarId", "title", "startsAt", "endsAt"],
    ),
    effect: "write",
  },
  add_note: {
    description: "Writes an internal note, which the customer does not see.",
    parameters: takes({ body: text("The note", 2_000) }),
    effect: "write",
  },
  set_label: {
    description: "Labels the conversation with one of the workspace's labels.",
    parameters: takes({ label: text("The label's name", 100) }),
    effect: "write",
  },
} as const satisfies Record<string, Omit<OfferedTool, "name">>;

export type BuiltIn = keyof typeof BUILT_IN;
export const isBuiltIn = (name: string): name is BuiltIn => Object.hasOwn(BUILT_IN, name);
