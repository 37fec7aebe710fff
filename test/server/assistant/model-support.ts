import http from "node:http";
import type { AddressInfo } from "node:net";
import type { TestApp } from "../../support/app.js";
import type { Config } from "../../../src/platform/config/config.js";

/** What Parley sent to the model. */
export interface Request {
  authorization?: string;
  model: string;
  messages: { role: string; content: string | null; tool_call_id?: string; tool_calls?: unknown[] }[];
  tools: { type: string; function: { name: string; parameters: unknown } }[];
}
/** What the model answers: a completion, or anything else that writes to the connection itself. */
type Turn = object | ((request: Request, response: http.ServerResponse) => unknown);

export interface ScriptedModel {
  settings: Pick<Config, "ASSISTANT_URL" | "ASSISTANT_MODEL" | "ASSISTANT_KEY" | "OUTBOUND_ALLOW">;
  /** All requests since the last `script`. */
  requests: Request[];
  /** What it answers from now on, one turn after the other. The last one stays. */
  script(...turns: Turn[]): void;
  close(): void;
}

/** A real server for chat completions that says what the test wants. */
export async function startModel(): Promise<ScriptedModel> {
  let turns: Turn[] = [];
  const requests: Request[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as Request;
        requests.push({ ...body, authorization: request.headers.authorization });
        if (request.url !== "/v1/chat/completions" || request.method !== "POST") return response.writeHead(404).end();
        const turn = turns.length > 1 ? turns.shift()! : turns[0]!;
        const said: unknown =
          typeof turn === "function" ? (turn as (a: Request, b: unknown) => unknown)(body, response) : turn;
        void Promise.resolve(said).then((completion) => {
          if (completion === undefined) return;
          response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(completion));
        });
      });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: {
      ASSISTANT_URL: `http://${host}/v1`,
      ASSISTANT_MODEL: "scripted",
      ASSISTANT_KEY: "a key",
      OUTBOUND_ALLOW: [host],
    },
    requests,
    script: (...next) => {
      turns = next;
      requests.length = 0;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** All agents that there are answer in the model's own words. Those that a test makes say so themselves. */
export const inOwnWords = (app: TestApp): Promise<unknown> => app.db.query("update agent set wording = 'own'");

let serial = 0;
const completion = (
  message: object,
  usage: object | undefined = { prompt_tokens: 100, completion_tokens: 20 },
): object => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  model: "scripted-1",
  choices: [{ index: 0, message: { role: "assistant", content: null, ...message }, finish_reason: "stop" }],
  ...(usage && { usage }),
});
/** A completion that calls functions. */
export const calls = (...asked: [name: string, args: unknown][]): object =>
  completion({
    tool_calls: asked.map(([name, args]) => ({
      id: `call_${++serial}`,
      type: "function",
      function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
    })),
  });
/** A completion without a call. */
export const says = (content: string, usage?: object): object => completion({ content }, usage);

interface Reply {
  action?: string;
  text?: string;
  citations?: unknown[];
  confidence?: number;
}
const full = ({ action = "answer", text = "", citations = ["E1"], confidence = 0.95 }: Reply): object => ({
  action,
  text,
  citations,
  confidence,
});
/** A completion with the model's reply, by the function that ends a run. */
export const replies = (reply: Reply): object => calls(["respond", full(reply)]);
/** A completion of a model that answers in quotes. */
export const quotes = (say: unknown, more: object = {}): object =>
  calls(["respond", { action: "answer", say, confidence: 0.95, ...more }]);
/** The same as JSON in the content. */
export const repliesAsText = (reply: Reply): object => says(JSON.stringify(full(reply)));

/** What the model was shown in the first message that is no instruction. */
export const dataOf = ({ messages }: Request) =>
  JSON.parse(messages[1]!.content!.replace(/^[^{]*/, "")) as {
    entries: { id: string; question: string; answer: string }[];
    conversation: { from: string; text: string }[];
  };
