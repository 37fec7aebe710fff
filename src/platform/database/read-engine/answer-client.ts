import { type ConnectOpts, Socket, type SocketConstructorOpts } from "node:net";
import type { Duplex } from "node:stream";
import pg, { type ClientConfig } from "pg";
import { Parser } from "pg-protocol/dist/parser.js";
import { Spare } from "./spare.js";

const DATA_ROW = "D".charCodeAt(0);
/** The number of columns, and the length of the first one's value. */
const [COLUMNS, LENGTH] = [2, 4];

/** What `Parser` and `Connection` have beside their types. */
interface Packets {
  /** What has come of a message that is not complete. */
  buffer: Buffer;
  bufferOffset: number;
  bufferLength: number;
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

/**
 * All connections read into the same memory: what comes is read at once. Node would allocate 64 kB for each read, and give back
 * what was not needed.
 */
const received = Buffer.allocUnsafeSlow(64 * 1024);

function reading(receive: (bytes: Buffer) => void): Socket {
  const onread: ConnectOpts["onread"] = {
    buffer: received,
    callback: (length, bytes) => {
      receive(Buffer.from(bytes.buffer, bytes.byteOffset, length));
      return true;
    },
  };
  return new Socket({ onread } as SocketConstructorOpts);
}

const LARGE = 2 * received.length;
const rooms = new Spare<Buffer>((length) => Buffer.allocUnsafeSlow(length), 16 * 1024 * 1024);

/** Room for the whole message at once, and for what comes with its end: `Parser` would double it again and again. */
function roomFor(beginning: Buffer): Buffer {
  const length = beginning.length > LENGTH ? 1 + beginning.readInt32BE(1) + received.length : 0;
  if (length <= LARGE) return Buffer.from(beginning);
  const room = rooms.take(length);
  beginning.copy(room);
  return room;
}

/** A client of `pg` whose rows can be read as bytes. `pg` makes a string of each value, which spoils those that are no text. */
export class AnswerClient extends pg.Client {
  constructor(config: string | ClientConfig = {}) {
    let receive: (bytes: Buffer) => void;
    const socket = reading((bytes) => {
      receive(bytes);
    });
    // TLS reads from the socket by itself. The types do not know that `pg` gives the settings.
    const stream = (({ ssl }: { ssl?: unknown }) => (ssl ? new Socket() : socket)) as () => Socket;
    const settings = typeof config === "string" ? { connectionString: config } : config;
    // A pool hides the password from copies.
    super({ ...settings, password: settings.password, stream });
    const wire = this.connection as unknown as Wire;
    wire.attachListeners = (stream) => {
      const parser = new Parser();
      const packets = parser as unknown as Packets;
      const read = packets.handlePacket.bind(parser);
      packets.handlePacket = (offset, code, length, bytes) =>
        code === DATA_ROW
          ? new Row(length, bytes, offset, () => read(offset, code, length, bytes) as unknown as Row)
          : read(offset, code, length, bytes);
      const parse = (bytes: Buffer): void =>
        parser.parse(bytes, (message) => {
          // `error` would be an error of the connection.
          wire.emit(message.name === "error" ? "errorMessage" : message.name, message);
        });
      if (stream !== socket) {
        stream.on("data", parse);
        return;
      }
      // Messages of the sign-in are kept until the password is there.
      let ready = false;
      this.connection.once("readyForQuery", () => (ready = true));
      let room: Buffer | undefined;
      receive = (bytes) => {
        if (!ready) {
          parse(Buffer.from(bytes));
          return;
        }
        parse(bytes);
        if (room && packets.buffer !== room) {
          if (room.length > LARGE) rooms.giveBack(room);
          room = undefined;
        }
        // The beginning of a message whose rest is still to come.
        if (packets.bufferLength && packets.buffer.buffer === received.buffer) {
          const { buffer, bufferOffset, bufferLength } = packets;
          packets.buffer = room = roomFor(buffer.subarray(bufferOffset, bufferOffset + bufferLength));
          packets.bufferOffset = 0;
        }
      };
    };
  }
}
