import type { operations } from "./generated/schema.js";

/** The name of an operation, such as `conversations.list`. */
export type OperationId = keyof operations;

type ContentOf<Message> = Message extends { content: infer Content } ? Content : never;
type Sent<Content> = Content extends { "application/json": infer Json }
  ? Json
  : Content extends { "multipart/form-data": unknown }
    ? FormData
    : string | Blob;
type Answered<Content> = Content extends { "application/json": infer Json }
  ? Json
  : keyof Content extends `text/${string}`
    ? string
    : Blob;
type Responses<Id extends OperationId> = operations[Id]["responses"];

/** What an operation takes in its path. */
export type Path<Id extends OperationId> = operations[Id]["parameters"]["path"];
/** The filters and settings of a list or a read. */
export type Query<Id extends OperationId> = NonNullable<operations[Id]["parameters"]["query"]>;
/** What an operation takes as its body. */
export type Body<Id extends OperationId> = Sent<ContentOf<NonNullable<operations[Id]["requestBody"]>>>;
/** What an operation answers. */
export type Result<Id extends OperationId> = Answered<ContentOf<Responses<Id>[keyof Responses<Id>]>>;
/** What a list has in it. */
export type Item<Id extends OperationId> =
  Result<Id> extends { data: (infer Each)[] } ? Each : Result<Id> extends (infer Each)[] ? Each : never;

/** How one call differs from the others. */
export interface RequestOptions {
  /** Stops the call, and any wait before a retry. */
  signal?: AbortSignal;
  /** How long one attempt may take, until the whole answer has arrived. */
  timeoutMs?: number;
  /**
   * Makes a POST happen once, whoever repeats it, for at least 24 hours. Without one, each call gets a random key that its retries
   * share. Give your own to stay safe over a restart of your program.
   */
  idempotencyKey?: string;
  /** Additional headers. */
  headers?: Record<string, string>;
}

/** An answer with its status and headers. */
export interface Answer<Data> {
  status: number;
  headers: Headers;
  /** The `X-Request-Id`. Include it when you ask about an answer. */
  requestId: string | undefined;
  /** Undefined if the status is 304. */
  data: Data;
}

/** How the client reaches Parley. */
export interface ParleyOptions {
  /** Where your Parley is, such as `https://parley.example.com`. */
  baseUrl: string;
  /** An API key. Keep it on your servers, never in a web page. */
  apiKey?: string;
  /**
   * Returns the access token of a session. It is called before each request. If the server refused a token, it is called again
   * with that token as `refused`: then get a new one, and the request is sent once more.
   */
  getToken?: (refused?: string) => string | Promise<string>;
  /** How long one attempt may take. By default 30,000 milliseconds. */
  timeoutMs?: number;
  /** How often a failed request is sent again if that is safe. By default 2. */
  maxRetries?: number;
  /** Additional headers for each request. */
  headers?: Record<string, string>;
  /** Whether browsers send cookies to another origin. The refresh of a session needs `include` there. */
  credentials?: "omit" | "same-origin" | "include";
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}
