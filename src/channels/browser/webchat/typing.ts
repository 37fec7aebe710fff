import { h } from "../common.js";
import type { Connection } from "./connection.js";

/** How long the server counts a member as typing. Not `until`, because the visitor's clock may be wrong. */
const SIGN_MS = 20_000;
/** The server counts a visitor as typing for twice as long. */
const EVERY_MS = 5_000;

/** Says that somebody types a reply, until they stop or the reply is there. */
export class TypingSign {
  readonly element = h("div", { class: "typing", role: "status" });
  private timer?: ReturnType<typeof setTimeout>;

  constructor(private readonly text: string) {}

  show(typing: boolean): void {
    clearTimeout(this.timer);
    const text = typing ? this.text : "";
    // Screen readers would read the same text again.
    if (this.element.textContent !== text) this.element.textContent = text;
    if (typing)
      this.timer = setTimeout(() => {
        this.show(false);
      }, SIGN_MS);
  }
}

/** Tells the server that the visitor types, again while it lasts, and when the text is gone. */
export class TypingReport {
  private reportedAt = 0;
  private sending: Promise<unknown> = Promise.resolve();

  constructor(private readonly connection: Connection) {}

  changed(hasText: boolean): void {
    const now = Date.now();
    if (hasText ? now - this.reportedAt < EVERY_MS : !this.reportedAt) return;
    this.reportedAt = hasText ? now : 0;
    // One at a time: two requests at once may arrive in the wrong order. If one is lost, the next one may arrive.
    this.sending = this.sending
      .then(() => this.connection.call("POST", "/typing", { typing: hasText }))
      .catch(() => undefined);
  }

  /** The message itself says so. */
  sent(): void {
    this.reportedAt = 0;
  }
}
