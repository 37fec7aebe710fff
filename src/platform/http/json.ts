/**
 * An answer whose JSON text is ready to be sent as it is: most of it is made by PostgreSQL, and a retried POST is
 * answered with the stored text, byte for byte. `T` is the shape that the text has.
 */
export class Json<T = unknown> {
  declare protected readonly shape: T;

  constructor(
    readonly text: string,
    /** HTTP status of the answer. */
    readonly status: number = 200,
    /** The answer holds a secret and must not be stored for retries. */
    readonly secret: boolean = false,
    /** Names the answer, where it can be named without reading it. */
    readonly etag?: string,
  ) {}

  /** The caller has this answer already: 304. */
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

/** What actions answer with. */
export interface Ok {
  ok: true;
}
export const ok = (): Json<Ok> => Json.of({ ok: true as const });

/** A page of a list that can grow. */
export interface Page<T> {
  data: T[];
  nextCursor?: string;
}
