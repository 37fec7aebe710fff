import { ERROR_CODES, type ErrorCode } from "../../src/platform/http/error-codes.js";
import type { Body } from "./api-types.js";
import { checkAnswer } from "./contract.js";
import { exchange, type Reply } from "./http.js";

export interface Answer<T = unknown> {
  status: number;
  body: T;
  text: string;
  headers: Headers;
}
type Options = { headers?: Record<string, string>; signal?: AbortSignal };

const isJson = ({ headers }: Reply): boolean => headers["content-type"]?.startsWith("application/json") ?? false;

/** Few tests look at them. */
function headersOf({ headers }: Reply): Headers {
  const made = new Headers();
  for (const [name, values = []] of Object.entries(headers))
    for (const value of [values].flat()) made.append(name, value);
  return made;
}

/** @throws if an error has no code, or one that nobody knows */
function checkCode(request: string, { status, headers }: Reply): void {
  const code = headers["x-error-code"];
  if (status >= 400 ? !ERROR_CODES.includes(code as ErrorCode) : code !== undefined)
    throw new Error(`${request} answered ${status} with the error code ${String(code)}`);
}

/** A client over real HTTP. It checks every response against openapi.json. */
export class Client {
  constructor(
    readonly baseUrl: string,
    readonly token?: string,
  ) {}

  as(token: string | undefined): Client {
    return new Client(this.baseUrl, token);
  }

  async login(email: string, password: string, environment: "live" | "test" = "live"): Promise<Client> {
    const { body } = await this.post("/api/auth/login", { email, password, environment }, 200);
    if (!("accessToken" in body)) throw new Error("the member has a second factor");
    return this.as(body.accessToken);
  }

  /**
   * The type of the body comes from openapi.json if the path is a literal or a template; see `Body`.
   * @param expected the status that the response must have
   */
  get<P extends string, S extends number = number>(
    path: P,
    expected?: S,
    options?: Options,
  ): Promise<Answer<Body<"get", P, S>>>;
  get<T extends object>(path: string, expected?: number, options?: Options): Promise<Answer<T>>;
  get(path: string, expected?: number, options?: Options): Promise<Answer> {
    return this.send("GET", path, undefined, expected, options);
  }
  post<P extends string, S extends number = number>(
    path: P,
    body?: unknown,
    expected?: S,
    options?: Options,
  ): Promise<Answer<Body<"post", P, S>>>;
  post<T extends object>(path: string, body?: unknown, expected?: number, options?: Options): Promise<Answer<T>>;
  post(path: string, body?: unknown, expected?: number, options?: Options): Promise<Answer> {
    return this.send("POST", path, body, expected, options);
  }
  patch<P extends string, S extends number = number>(
    path: P,
    body: unknown,
    expected?: S,
    options?: Options,
  ): Promise<Answer<Body<"patch", P, S>>>;
  patch<T extends object>(path: string, body: unknown, expected?: number, options?: Options): Promise<Answer<T>>;
  patch(path: string, body: unknown, expected?: number, options?: Options): Promise<Answer> {
    return this.send("PATCH", path, body, expected, options);
  }
  put<P extends string, S extends number = number>(
    path: P,
    body: unknown,
    expected?: S,
    options?: Options,
  ): Promise<Answer<Body<"put", P, S>>>;
  put<T extends object>(path: string, body: unknown, expected?: number, options?: Options): Promise<Answer<T>>;
  put(path: string, body: unknown, expected?: number, options?: Options): Promise<Answer> {
    return this.send("PUT", path, body, expected, options);
  }
  delete<P extends string, S extends number = number>(
    path: P,
    expected?: S,
    options?: Options,
  ): Promise<Answer<Body<"delete", P, S>>>;
  delete<T extends object>(path: string, expected?: number, options?: Options): Promise<Answer<T>>;
  delete(path: string, expected?: number, options?: Options): Promise<Answer> {
    return this.send("DELETE", path, undefined, expected, options);
  }

  async send<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    expected?: number,
    { headers = {}, signal }: Options = {},
  ): Promise<Answer<T>> {
    const { bytes, headers: ofBody } = await encode(body);
    const reply = await exchange(this.baseUrl + path, {
      method,
      signal,
      body: bytes,
      headers: {
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
        ...ofBody,
        ...headers,
      },
    });
    const { status, text } = reply;
    checkAnswer(method, path, status, text);
    checkCode(`${method} ${path}`, reply);
    if (expected !== undefined && status !== expected)
      throw new Error(`${method} ${path}: expected ${expected}, got ${status} ${text}`);
    return {
      status,
      text,
      get headers() {
        return headersOf(reply);
      },
      body: (text && isJson(reply) ? JSON.parse(text) : undefined) as T,
    };
  }
}

/**
 * The body as it is sent: objects as JSON, text as JSON that the test has written, forms as multipart with their boundary, and
 * bytes unchanged.
 */
export async function encode(body: unknown): Promise<{ bytes?: Buffer; headers: Record<string, string> }> {
  if (body === undefined) return { headers: {} };
  if (body instanceof Uint8Array) return { bytes: Buffer.from(body), headers: {} };
  if (!(body instanceof FormData || body instanceof Blob))
    return {
      bytes: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
      headers: { "content-type": "application/json" },
    };
  const response = new Response(body);
  const type = response.headers.get("content-type");
  return { bytes: Buffer.from(await response.arrayBuffer()), headers: type ? { "content-type": type } : {} };
}

/** A form with one file. */
export function fileForm(content: string | Uint8Array, name = "note.txt", type = "text/plain"): FormData {
  const form = new FormData();
  form.set("file", new File([content], name, { type }));
  return form;
}
