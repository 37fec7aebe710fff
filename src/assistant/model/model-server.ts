import { setTimeout as sleep } from "node:timers/promises";
import { Injectable } from "@nestjs/common";
import { Config } from "../../platform/config/config.js";
import { OutboundClient, OutboundError } from "../../platform/outbound/outbound.client.js";

/** Statuses after which the same request may succeed. */
const PASSING = [408, 429, 500, 502, 503, 504, 529];
const MAX_RETRIES = 2;
const RETRY_AFTER_MS = 1_000;
const MAX_CALLS = 16;
const MAX_ARGUMENTS = 50_000;
const MAX_CONTENT = 100_000;
const MAX_TOKENS = 10_000_000;
/** What a text is worth that the server does not count, in characters. Rather too many tokens than too few. */
const CHARACTERS_OF_TOKEN = 3;

/** A message of a conversation with the model, as the protocol has it. */
export type ModelMessage =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string | null; tool_calls?: readonly object[] }
  | { role: "tool"; tool_call_id: string; content: string };

export interface ModelFunction {
  name: string;
  description: string;
  /** JSON Schema. */
  parameters: object;
}
/** A call of a function that the model asks for. Nothing of it is checked against the schema yet. */
interface ModelCall {
  id: string;
  name: string;
  arguments: string;
}
export interface Completion {
  model: string;
  content: string | null;
  calls: ModelCall[];
  /** As the server counts them, otherwise estimated. */
  inputTokens: number;
  outputTokens: number;
}

/** Why there is no answer of the model. The message is for people to read and shows nothing of the inside. */
export class ModelError extends Error {}

/** The server that ASSISTANT_URL names, if any. It must support `POST {url}/chat/completions` with tools, as OpenAI defines it. */
@Injectable()
export class ModelServer {
  constructor(
    private readonly outbound: OutboundClient,
    private readonly config: Config,
  ) {}

  get configured(): boolean {
    return this.config.ASSISTANT_URL !== undefined;
  }

  get model(): string {
    return this.config.ASSISTANT_MODEL!;
  }

  /**
   * Asks the model, and asks again where the server is busy, until the deadline.
   * @param deadline as `Date.now()`
   * @throws ModelError
   */
  async complete(
    messages: readonly ModelMessage[],
    functions: readonly ModelFunction[],
    deadline: number,
  ): Promise<Completion> {
    const body = JSON.stringify({
      model: this.model,
      messages,
      tools: functions.map((one) => ({ type: "function", function: one })),
      tool_choice: "required",
    });
    for (let retries = 0; ; retries++) {
      const answer = await this.post(body, deadline);
      if (answer.status >= 200 && answer.status < 300) return completionOf(answer.text, body);
      const wait = (answer.retryAfter ?? 2 ** retries) * RETRY_AFTER_MS;
      if (!PASSING.includes(answer.status) || retries === MAX_RETRIES || Date.now() + wait >= deadline)
        throw new ModelError(`The language model's server answered with status ${answer.status}`);
      await sleep(wait);
    }
  }

  private async post(content: string, deadline: number) {
    const timeoutMs = deadline - Date.now();
    if (timeoutMs <= 0) throw new ModelError("The time was up");
    const { ASSISTANT_URL: url, ASSISTANT_KEY: key } = this.config;
    try {
      return await this.outbound.exchange(`${url}/chat/completions`, {
        method: "POST",
        timeoutMs,
        content,
        headers: { "content-type": "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) },
      });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new ModelError(`The language model failed: ${error.message}`);
    }
  }
}

const NO_COMPLETION = "The language model's server answered with something else than a completion";

type Unknown<T> = { [K in keyof T]?: unknown } | null | undefined;

/** @throws ModelError */
function completionOf(text: string, request: string): Completion {
  const answer = parsed(text) as Unknown<{ model: 0; choices: 0; usage: 0 }>;
  const [choice] = Array.isArray(answer?.choices) ? (answer.choices as Unknown<{ message: 0 }>[]) : [];
  const message = choice?.message as Unknown<{ content: 0; tool_calls: 0 }>;
  if (!message || typeof message !== "object") throw new ModelError(NO_COMPLETION);
  const { content = null, tool_calls: calls } = message;
  if ((content !== null && typeof content !== "string") || (content ?? "").length > MAX_CONTENT)
    throw new ModelError(NO_COMPLETION);
  if (calls !== undefined && calls !== null && (!Array.isArray(calls) || calls.length > MAX_CALLS))
    throw new ModelError(NO_COMPLETION);
  const usage = answer?.usage as Unknown<{ prompt_tokens: 0; completion_tokens: 0 }>;
  return {
    model: typeof answer?.model === "string" ? answer.model.slice(0, 200) : "",
    content: content,
    calls: ((calls ?? []) as unknown[]).map(callOf),
    inputTokens: counted(usage?.prompt_tokens, request),
    outputTokens: counted(usage?.completion_tokens, text),
  };
}

function callOf(call: unknown, index: number): ModelCall {
  const { id, function: called } = (call ?? {}) as Record<string, unknown>;
  const { name, arguments: given } = (called ?? {}) as Record<string, unknown>;
  // Some servers send the arguments as an object.
  const text = typeof given === "string" ? given : JSON.stringify(given ?? {});
  if (typeof name !== "string" || name === "" || text.length > MAX_ARGUMENTS) throw new ModelError(NO_COMPLETION);
  return {
    id: typeof id === "string" && id !== "" ? id.slice(0, 200) : `call_${index}`,
    name: name.slice(0, 200),
    arguments: text,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ModelError(NO_COMPLETION);
  }
}

/** The estimate stands where the server says nothing, or something impossible, so that budgets hold. */
const counted = (said: unknown, text: string): number =>
  Number.isInteger(said) && (said as number) > 0 && (said as number) <= MAX_TOKENS
    ? (said as number)
    : Math.ceil(text.length / CHARACTERS_OF_TOKEN);
