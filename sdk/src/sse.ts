/** An event as it was sent. */
export interface ServerSentEvent {
  /** Undefined if this event has none. */
  id: string | undefined;
  type: string;
  data: string;
}

/** No line and no event of Parley comes near it. What is longer would only fill the memory. */
const LONGEST = 1 << 20;

/**
 * Reads text/event-stream in pieces of any size. The time is linear, since a line is put together once, when it has ended.
 * @throws Error for a line or an event of more than a million characters
 */
export class EventReader {
  #pieces: string[] = [];
  #length = 0;
  #skipsLineFeed = false;
  #id: string | undefined;
  #type = "";
  #data: string[] = [];

  /** The events that this piece completes. */
  *push(piece: string): Generator<ServerSentEvent, void, undefined> {
    let from = 0;
    if (this.#skipsLineFeed && piece !== "") {
      this.#skipsLineFeed = false;
      if (piece.startsWith("\n")) from = 1;
    }
    const ends = /\r\n?|\n/g;
    ends.lastIndex = from;
    for (let end = ends.exec(piece); end; end = ends.exec(piece)) {
      this.#add(piece.slice(from, end.index));
      from = ends.lastIndex;
      this.#skipsLineFeed = end[0] === "\r" && from === piece.length;
      const event = this.#endLine();
      if (event) yield event;
    }
    this.#add(piece.slice(from));
  }

  #add(text: string): void {
    if (text === "") return;
    this.#length += text.length;
    if (this.#length > LONGEST) throw new Error("The stream sends an event that is too long");
    this.#pieces.push(text);
  }

  #endLine(): ServerSentEvent | undefined {
    const line = this.#pieces.join("");
    this.#pieces = [];
    if (line === "") return this.#endEvent();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "data") this.#data.push(value);
    else {
      // Only data is kept until the event ends.
      this.#length -= line.length;
      if (name === "event") this.#type = value;
      else if (name === "id" && !value.includes("\0")) this.#id = value;
    }
    return undefined;
  }

  #endEvent(): ServerSentEvent | undefined {
    const event = { id: this.#id, type: this.#type || "message", data: this.#data.join("\n") };
    const isEvent = this.#data.length > 0;
    this.#id = undefined;
    this.#type = "";
    this.#data = [];
    this.#length = 0;
    return isEvent ? event : undefined;
  }
}
