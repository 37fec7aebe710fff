/** A prepared statement that answers with one value. */
export interface AnswerRead<Answer> {
  /** Of the prepared statement; the same for the same text. */
  name: string;
  text: string;
  values: readonly unknown[];
  /** Makes the answer of the value: the bytes of a `bytea`, otherwise UTF-8. It must not keep the bytes. */
  read: (value: Buffer) => Answer;
  /** Whether another read may wait for the end of this one, on the same connection. */
  isShort?: boolean;
}

/** How single reads reach PostgreSQL. */
export interface Reads {
  /** How many reads and others wait for a connection. */
  readonly waitingCount: number;
  /** @returns undefined if there is no row */
  run<Answer>(read: AnswerRead<Answer>): Promise<Answer | null | undefined>;
}
