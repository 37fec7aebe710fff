import type { Duplex } from "node:stream";
import pg, { type ClientConfig } from "pg";
import { Parser } from "pg-protocol/dist/parser.js";

const DATA_ROW = "D".charCodeAt(0);
/** The number of columns, and the length of the first one's value. */
const [COLUMNS, LENGTH] = [2, 4];

/** What `Parser` and `Connection` have beside their types. */
interface Packets {
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): { name: string };
}
interface Wire {
  attachListeners(stream: Duplex): void;
  emit(name: string, message: unknown): void;
}

/** A message with the values of a row. They are bytes until somebody asks for strings. */
export class Row {
  readonly name = "dataRow";

  constructor(
    readonly length: number,
    private readonly bytes: Buffer,
    private readonly offset: number,
    private readonly read: () => { fields: (string | null)[] },
  ) {}

  get fields(): (string | null)[] {
    return this.read().fields;
  }

  /** The value of the first column. Its bytes are only valid now: the next messages are read into the same memory. */
  get first(): Buffer | null {
    const length = this.bytes.readInt32BE(this.offset + COLUMNS);
    const begin = this.offset + COLUMNS + LENGTH;
    return length < 0 ? null : this.bytes.subarray(begin, begin + length);
  }
}

/** A client of `pg` whose rows can be read as bytes. `pg` makes a string of each value, which spoils those that are no text. */
export class AnswerClient extends pg.Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const wire = this.connection as unknown as Wire;
    wire.attachListeners = (stream) => {
      const parser = new Parser();
      const packets = parser as unknown as Packets;
      const read = packets.handlePacket.bind(parser);
      packets.handlePacket = (offset, code, length, bytes) =>
        code === DATA_ROW
          ? new Row(length, bytes, offset, () => read(offset, code, length, bytes) as unknown as Row)
          : read(offset, code, length, bytes);
      stream.on("data", (bytes: Buffer) =>
        parser.parse(bytes, (message) => {
          // `error` would be an error of the connection.
          wire.emit(message.name === "error" ? "errorMessage" : message.name, message);
        }),
      );
    };
  }
}
