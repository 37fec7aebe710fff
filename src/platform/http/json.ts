/**
 * An answer whose JSON is ready to be sent, as text or, if it is long, as bytes. PostgreSQL makes most of it. A repeated
 * POST gets the stored text, byte for byte. `T` is the shape of the JSON.
 */
export class Json<T = unknown> {
  declare protected readonly shape: T;

  constructor(
    readonly json: string | Buffer,
    /** HTTP status of the answer. */
    readonly status: number = 200,
    /** The answer holds a secret and must not be stored for retries. */
    readonly secret: boolean = false,
    /** The ETag, if it is known without reading the answer. */
    readonly etag?: string,
  ) {}

  get text(): string {
    return this.json.toString();
  }

  get bytes(): Buffer {
    return typeof this.json === "string" ? Buffer.from(this.json) : this.json;
  }

  /** The caller already has this answer: 304. */
  static unchanged<T>(etag: string): Json<T> {
    return new Json<T>("", 304, false, etag);
  }

  tagged(etag: string | undefined): Json<T> {
    return new Json<T>(this.json, this.status, this.secret, etag);
  }

  static of<T>(value: T, status = 200): Json<T> {
    return new Json<T>(JSON.stringify(value), status);
  }

  /** A resource was created: 201. */
  created(): Json<T> {
    return new Json<T>(this.json, 201, this.secret);
  }

  parse(): T {
    return JSON.parse(this.text) as T;
  }
}

/** The answer of actions. */
export interface Ok {
  ok: true;
}
export const ok = (): Json<Ok> => Json.of({ ok: true as const });

/** A page of a list that can grow. */
export interface Page<T> {
  data: T[];
  nextCursor?: string;
}
