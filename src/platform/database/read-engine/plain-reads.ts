import type { CustomTypesConfig, Pool } from "pg";
import type { AnswerRead, Reads } from "./answer-read.js";

const BYTEA = 17;
/** `pg` asks for text: that of bytes is `\x` and hexadecimal digits. */
const types: CustomTypesConfig = {
  getTypeParser: (type: number) => (value: string) =>
    type === BYTEA ? Buffer.from(value.slice(2), "hex") : Buffer.from(value),
};

/** Reads with the query of `pg`: slower, and nothing that `pg` does not document. */
export class PlainReads implements Reads {
  constructor(private readonly pool: Pool) {}

  get waitingCount(): number {
    return this.pool.waitingCount;
  }

  async run<Answer>({ name, text, values, read }: AnswerRead<Answer>): Promise<Answer | null | undefined> {
    const { rows } = await this.pool.query<[Buffer | null]>({
      name,
      text,
      values: [...values],
      rowMode: "array",
      types,
    });
    const value = rows[0]?.[0];
    return value && read(value);
  }
}
