/**
 * An answer whose JSON text is ready to be sent. PostgreSQL makes most of the text. A repeated POST gets the stored
 * text, byte for byte. `T` is the shape of the JSON.
 */
export class Json<T = unknown> {
  declare protected readonly shape: T;

  constructor(
    readonly text: string,
    /** HTTP status of the answer. */
    readonly status: number = 200,
    /** The answer holds a secret and must not be stored for retries. */
    readonly secret: boolean = false,
    /** The ETag, if it is known without reading the answer. */
    readonly etag?: string,
  ) {}

  /** The caller already has this answer: 304. */
  static unchanged<T>(etag: string): Json<T> {
    return new Json<T>("", 304, false, etag);
  }

  tagged(etag: string | undefined): Json<T> {
    return new Json<T>(this.text, this.status, this.secret, etag);
  }

  static of<T>(value: T, status = 200): Json<T> {
    return new Json<T>(JSON.stringify(value), status);
  }

  /** A resource was created: 201. */
  created(): Json<T> {
    return new Json<T>(this.text, 201, this.secret);
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
