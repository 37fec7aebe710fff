import type { Message, Page } from "./connection.js";

const PAGE = 30;
/** What was missed is read in pages as long as the server allows. */
const MISSED_PAGE = 100;

/** What this page has of the visitor's messages. */
export class Thread {
  /** Oldest first. */
  messages: readonly Message[] = [];
  /** Where the older messages begin, if there are any. */
  cursor?: string;
  /** Whether the newest messages were ever read. One that the stream brought says nothing about those before it. */
  private hasRead = false;
  /** Up to here the messages have no gap. One that the visitor sent may come after messages that they have not got yet. */
  private gapless?: Message;

  constructor(private readonly page: (limit: number, cursor?: string) => Promise<Page>) {}

  /** @returns the newest messages, and all that were missed */
  async readNewest(): Promise<Message[]> {
    const { gapless } = this;
    let page = await this.page(PAGE);
    const data = [...page.data];
    while (gapless && page.nextCursor !== undefined && isBefore(gapless, data.at(-1)!)) {
      page = await this.page(MISSED_PAGE, page.nextCursor);
      data.push(...page.data);
    }
    if (!this.hasRead) this.cursor = page.nextCursor;
    this.hasRead = true;
    if (data[0]) this.hasUpTo(data[0]);
    return data;
  }

  async readOlder(): Promise<Message[]> {
    const page = await this.page(PAGE, this.cursor);
    this.cursor = page.nextCursor;
    return page.data;
  }

  /** There is no gap before this message. */
  hasUpTo(message: Message): void {
    if (!this.gapless || isBefore(this.gapless, message)) this.gapless = message;
  }

  /**
   * Adds each message once, in its place.
   * @returns whether one of them is new
   */
  add(messages: readonly Message[]): boolean {
    const known = new Map(this.messages.map((message) => [message.id, message]));
    const fresh = messages.some(({ id }) => !known.has(id));
    for (const message of messages) known.set(message.id, message);
    this.messages = [...known.values()].sort((a, b) => (isBefore(a, b) ? -1 : 1));
    return fresh;
  }
}

const isBefore = (one: Message, other: Message): boolean =>
  one.createdAt === other.createdAt ? one.id < other.id : one.createdAt < other.createdAt;
