import { h } from "../common.js";
import { dayOf, messageElement, type Shown } from "./view.js";
import type { Words } from "./words.js";

/** Messages of one author within this time are grouped. */
const TOGETHER_MS = 120_000;
const BOTTOM_PX = 60;

interface Options {
  words: Words;
  language: string;
  greeting: string;
  /** Loads older messages. */
  loadOlder: () => Promise<void>;
  /** Sends the messages that failed again. */
  retry: () => void;
  /** Answers with one of the choices of the last message. */
  choose: (choice: string) => void;
}

/** The list of messages in the panel. */
export class MessageLog {
  readonly element: HTMLElement;
  private readonly elements = new Map<string, { content: string; element: HTMLElement }>();

  constructor(private readonly options: Options) {
    const label = options.words.chat;
    this.element = h("div", { class: "log", role: "log", "aria-live": "polite", "aria-label": label, tabindex: 0 });
  }

  get isAtBottom(): boolean {
    const { scrollHeight, scrollTop, clientHeight } = this.element;
    return scrollHeight - scrollTop - clientHeight < BOTTOM_PX;
  }

  scrollToBottom(): void {
    this.element.scrollTop = this.element.scrollHeight;
  }

  /** Shows what `change` adds at the top without moving what the visitor looks at. */
  growAtTop(change: () => void): void {
    const height = this.element.scrollHeight;
    change();
    this.element.scrollTop += this.element.scrollHeight - height;
  }

  /** @param top what is above the first message: a button for older ones, or the greeting */
  draw(messages: readonly Shown[], top: "older" | "greeting" | null): void {
    const { language } = this.options;
    const nodes: HTMLElement[] = [];
    if (top === "older") nodes.push(this.keep("older", "", () => this.olderButton()));
    else if (top === "greeting") nodes.push(this.keep("greeting", "", () => this.greeting()));
    let before: Shown | undefined;
    for (const message of messages) {
      const time = new Date(message.createdAt);
      const day = dayOf(time, language);
      const isNewDay = !before || dayOf(new Date(before.createdAt), language) !== day;
      if (isNewDay) nodes.push(this.keep(`day ${day}`, "", () => h("div", { class: "day" }, day)));
      const isSameAuthor =
        !isNewDay &&
        before!.direction === message.direction &&
        before!.author === message.author &&
        before!.automated === message.automated &&
        time.getTime() - new Date(before!.createdAt).getTime() < TOGETHER_MS;
      nodes.push(this.message(message, isSameAuthor));
      before = message;
    }
    if (before?.choices.length) nodes.push(this.choices(before));
    this.replaceChanged(nodes);
  }

  /** Replaces only what has changed. So screen readers announce nothing twice, and the focus stays. */
  private replaceChanged(nodes: readonly HTMLElement[]): void {
    const { element } = this;
    const kept = new Set<Node>(nodes);
    for (const child of [...element.childNodes]) if (!kept.has(child)) child.remove();
    nodes.forEach((node, at) => {
      if (element.childNodes[at] !== node) element.insertBefore(node, element.childNodes[at] ?? null);
    });
  }

  /** Keeps the existing element if its content is the same. */
  private keep(name: string, content: string, make: () => HTMLElement): HTMLElement {
    const known = this.elements.get(name);
    if (known?.content === content) return known.element;
    const element = make();
    this.elements.set(name, { content, element });
    return element;
  }

  private message(message: Shown, isSameAuthor: boolean): HTMLElement {
    const { words, language, retry } = this.options;
    const files = message.attachments.map(({ id }) => id);
    const content = JSON.stringify([message.state, message.body, files, isSameAuthor]);
    const element = this.keep(message.clientMessageId ?? message.id, content, () =>
      messageElement(message, isSameAuthor, words, language, retry),
    );
    // Their links are valid for an hour. Those of a thread that was read again are newer.
    element.querySelectorAll<HTMLAnchorElement>(":scope > a").forEach((link, n) => {
      link.href = message.attachments[n]!.url;
    });
    return element;
  }

  private choices({ id, choices }: Shown): HTMLElement {
    return this.keep(`choices ${id}`, "", () => {
      const buttons = choices.map((choice) => {
        const button = h("button", { type: "button", dir: "auto" }, choice);
        button.addEventListener("click", () => {
          this.options.choose(choice);
        });
        return button;
      });
      return h("div", { class: "choices" }, ...buttons);
    });
  }

  private greeting(): HTMLElement {
    const text = h("div", { class: "text", dir: "auto" }, this.options.greeting);
    return h("div", { class: "message" }, text);
  }

  private olderButton(): HTMLElement {
    const { words, loadOlder } = this.options;
    const button = h("button", { type: "button", class: "older" }, words.older);
    button.addEventListener("click", () => {
      button.disabled = true;
      loadOlder()
        .then(
          () => {
            this.element.focus();
          },
          () => undefined,
        )
        .finally(() => {
          button.disabled = false;
        });
    });
    return button;
  }
}
