/** A dialogue that cannot be played. The message names the field and the reason. */
export class DialogueError extends Error {}

/** What a customer or an operator said. */
interface SpokenTurn {
  i: number;
  from: "customer" | "operator";
  text: string;
  at: number | null;
}
/** An operator's query to a back-office system, or its result. */
interface SystemTurn {
  i: number;
  from: "system";
  action: unknown;
  api: unknown;
  constraints: unknown;
  item: unknown;
  at: number | null;
}

/**
 * One turn. `i` is unique in its dialogue (with gaps). `at` is in Unix seconds, or null if the source has no time.
 */
export type Turn = SpokenTurn | SystemTurn;

/** One line of the file. The order of `turns` is the order of the conversation. */
export interface Dialogue {
  id: number | string;
  domains: string[];
  happy: boolean;
  tasks: string[];
  turns: Turn[];
}

/** The request that plays one turn, to `/api/conversations/{id}/{path}`. */
export interface TurnRequest {
  kind: Turn["from"];
  path: "messages" | "reply" | "notes";
  body: Record<string, string>;
  /**
   * Identifies the turn among the conversation's messages. `messageKeys` gives the same key for an existing message.
   */
  key: string;
}

/** The last time that a Date can hold, in seconds. */
const LATEST = 8.64e12;

/**
 * Reads one line.
 * @throws DialogueError if it is not JSON or not a dialogue
 */
export function parseDialogue(line: string): Dialogue {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new DialogueError(`not JSON (${(error as Error).message})`);
  }
  if (!isObject(value)) throw new DialogueError("must be a JSON object");
  const { id, happy, turns } = value;
  if (!(Number.isSafeInteger(id) || (typeof id === "string" && id !== "")))
    throw new DialogueError("id must be an integer or a string");
  if (typeof happy !== "boolean") throw new DialogueError("happy must be true or false");
  if (!Array.isArray(turns)) throw new DialogueError("turns must be an array");
  const dialogue = {
    id: id as number | string,
    domains: parseLabels(value.domains, "domains"),
    happy,
    tasks: parseLabels(value.tasks, "tasks"),
    turns: turns.map((turn, index) => parseTurn(turn, `turns[${index}]`)),
  };
  const numbers = new Set<number>();
  for (const { i } of dialogue.turns) {
    // The number identifies a turn when it is repeated. If two turns shared it, the second would be lost.
    if (numbers.has(i)) throw new DialogueError(`two turns have i = ${i}`);
    numbers.add(i);
  }
  return dialogue;
}

/** The body of `POST /api/conversations`. The external ids find an existing conversation and contact again. */
export function conversationRequest({ id, domains, happy, tasks, turns }: Dialogue, workspaceId: string) {
  return {
    workspaceId,
    externalId: `star-${id}`,
    subject: subject(tasks.length > 0 ? tasks : domains) || `Dialogue ${id}`,
    contact: { externalId: `star-customer-${id}`, name: nameIn(turns) ?? `Customer ${id}` },
    metadata: { source: "STAR", domains, tasks, happy },
  };
}

/** The fields of a query in which the customer has said who they are. */
const NAMES = ["FullName", "CustomerName", "RenterName", "PatientName", "UserName", "GuestName"];

const NAME = /^"(\p{L}[\p{L} ]{0,60})"$/u;

/** The name that the customer gave, if a query has it: STAR writes `{"FullName": "\"Jane Doe\""}`. */
function nameIn(turns: readonly Turn[]): string | undefined {
  const constraints = turns.flatMap((turn): unknown[] =>
    turn.from === "system" && Array.isArray(turn.constraints) ? turn.constraints : [],
  );
  for (const one of constraints.filter(isObject))
    for (const field of NAMES) {
      const said = NAME.exec(String(one[field]))?.[1];
      if (said) return said.charAt(0).toUpperCase() + said.slice(1);
    }
  return undefined;
}

/** Customers write messages, operators reply, and a system's queries and results become notes. */
export function turnRequest(turn: Turn): TurnRequest {
  const id = String(turn.i);
  switch (turn.from) {
    case "customer": {
      const body: TurnRequest["body"] = { body: turn.text, externalId: id };
      if (turn.at !== null) body.occurredAt = new Date(turn.at * 1000).toISOString();
      return { kind: "customer", path: "messages", body, key: `externalId ${id}` };
    }
    case "operator":
      return {
        kind: "operator",
        path: "reply",
        body: { body: turn.text, clientMessageId: id },
        key: `clientMessageId ${id}`,
      };
    case "system": {
      const { action, api, constraints, item } = turn;
      const body = JSON.stringify({ action, api, constraints, item });
      return { kind: "system", path: "notes", body: { body, externalId: id }, key: `externalId ${id}` };
    }
  }
}

/** The keys of the turns that an existing message may come from. */
export function messageKeys(message: { externalId: string | null; clientMessageId: string | null }): string[] {
  return [`externalId ${message.externalId}`, `clientMessageId ${message.clientMessageId}`];
}

/** `['bank_balance', 'weather']` → `Bank balance, weather`. */
function subject(labels: string[]): string {
  const text = labels.join(", ").replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function parseTurn(value: unknown, name: string): Turn {
  if (!isObject(value)) throw new DialogueError(`${name} must be an object`);
  const { i, from, text, at = null } = value;
  if (!Number.isSafeInteger(i) || (i as number) < 0) throw new DialogueError(`${name}.i must be an integer from 0`);
  if (at !== null && !(typeof at === "number" && Math.abs(at) <= LATEST))
    throw new DialogueError(`${name}.at must be Unix seconds or null`);
  const common = { i: i as number, at };
  if (from === "system") {
    const { action = null, api = null, constraints = null, item = null } = value;
    return { ...common, from, action, api, constraints, item };
  }
  if (from !== "customer" && from !== "operator")
    throw new DialogueError(`${name}.from must be customer, operator or system`);
  if (typeof text !== "string" || text.trim() === "")
    throw new DialogueError(`${name}.text must be a text that is not empty`);
  return { ...common, from, text };
}

/** STAR writes null for a missing label. It is left out. */
function parseLabels(value: unknown, name: string): string[] {
  const labels = Array.isArray(value) ? value.filter((label) => label !== null) : undefined;
  if (!labels?.every((label) => typeof label === "string"))
    throw new DialogueError(`${name} must be an array of strings`);
  return labels;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
