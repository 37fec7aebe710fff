import { directionOf, h, icon, shadow, wordsIn } from "../common.js";
import { Composer } from "./composer.js";
import { Connection, Lost, type Message, type Page, recall, Refused, remember, type Settings } from "./connection.js";
import { logoElement } from "./logo.js";
import { MessageLog } from "./message-log.js";
import { css } from "./style.js";
import { Thread } from "./thread.js";
import { TypingReport, TypingSign } from "./typing.js";
import { ICONS, type Shown } from "./view.js";
import { type Words, WORDS } from "./words.js";

/**
 * A page that is hidden for this long stops listening, because a browser allows only a few connections for all its
 * tabs.
 */
const UNSEEN_MS = 30_000;
const session = (): Storage => sessionStorage;

interface Unsent {
  clientMessageId: string;
  body: string;
  attachmentIds: string[];
  createdAt: string;
  /** The server will not take it, for example because its file is gone. What comes after it is sent all the same. */
  refused?: true;
}

/** The chat of one visitor on the page: a button and its panel. */
export class Chat {
  isOpen = false;
  /** Whether it is to be open once it is there. */
  isWanted = false;
  private readonly connection: Connection;
  private readonly host = h("div");
  private settings!: Settings;
  private words!: Words;
  private language = "en";
  private readonly thread = new Thread((limit, cursor) =>
    this.connection.call<Page>("GET", `/messages?limit=${limit}${cursor === undefined ? "" : `&cursor=${cursor}`}`),
  );
  private unsent: Unsent[] = [];
  private failed = false;
  private sending = false;
  private loaded = false;
  private removed = false;
  private panel!: HTMLElement;
  private launcher!: HTMLButtonElement;
  private badge!: HTMLElement;
  private log!: MessageLog;
  private status!: HTMLElement;
  private composer!: Composer;
  private sign!: TypingSign;
  private readonly report: TypingReport;
  private resting?: ReturnType<typeof setTimeout>;
  private readonly shown = (): void => {
    clearTimeout(this.resting);
    if (document.hidden)
      this.resting = setTimeout(() => {
        this.connection.close();
      }, UNSEEN_MS);
    else if (this.settings.started || this.thread.messages.length) this.listen();
  };
  private readonly online = (): void => {
    this.connection.hurry();
    void this.flush();
  };

  constructor(
    base: string,
    private readonly store: string,
    private readonly identity?: string,
  ) {
    this.connection = new Connection(base, store, identity);
    this.report = new TypingReport(this.connection);
  }

  /** Shows the button. Shows nothing if the chat is disabled or not allowed for this page or visitor. */
  async start(): Promise<void> {
    for (let pause = 1_000; !this.connection.settings; pause = Math.min(pause * 2, 60_000)) {
      try {
        await this.connection.open();
      } catch (error) {
        if (!(error instanceof Lost) && !(error instanceof Refused && error.status === 429)) return;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
      if (this.removed) return;
    }
    this.settings = this.connection.settings;
    const { language, words } = wordsIn(WORDS, this.settings.language);
    this.words = words;
    // Use the visitor's regional time format if it has the same language.
    this.language = navigator.language.startsWith(language) ? navigator.language : language;
    this.build();
    try {
      this.unsent = this.identity ? [] : (JSON.parse(recall(`${this.store}:unsent`, session) ?? "[]") as Unsent[]);
    } catch {
      /* not ours */
    }
    window.addEventListener("online", this.online);
    document.addEventListener("visibilitychange", this.shown);
    if (this.settings.started) this.listen();
    else this.loaded = true;
    this.draw();
    void this.flush();
    if (this.isWanted) this.open();
  }

  open(): void {
    this.isWanted = true;
    if (this.isOpen || !this.launcher) return;
    this.isOpen = true;
    this.panel.hidden = false;
    this.launcher.setAttribute("aria-expanded", "true");
    this.log.scrollToBottom();
    this.seen();
    this.composer.focus();
  }

  close(): void {
    this.isWanted = false;
    if (!this.isOpen) return;
    this.isOpen = false;
    this.panel.hidden = true;
    this.launcher.setAttribute("aria-expanded", "false");
    this.launcher.focus();
    this.mark();
  }

  remove(): void {
    this.removed = true;
    this.connection.close();
    window.removeEventListener("online", this.online);
    document.removeEventListener("visibilitychange", this.shown);
    clearTimeout(this.resting);
    this.host.remove();
  }

  /** Removes all traces of the current visitor. */
  forget(): void {
    for (const name of ["", ":seen"]) remember(this.store + name, null);
    this.forgetHere();
  }

  /** Removes what only this tab has. What all tabs share may be the next visitor's by now. */
  forgetHere(): void {
    this.connection.isOver = true;
    remember(`${this.store}:unsent`, null, session);
  }

  private build(): void {
    const {
      words,
      settings: { title, logoUrl, colour, position },
    } = this;
    const logo = logoUrl === null ? null : logoElement(new URL(logoUrl, this.connection.base).href);
    this.badge = h("span", { class: "badge", hidden: true, "aria-hidden": "true" });
    const [bubble, down] = [icon(ICONS.chat), icon(ICONS.down)];
    bubble.classList.add("bubble");
    down.classList.add("down");
    this.launcher = h(
      "button",
      {
        type: "button",
        class: "launcher",
        "aria-expanded": "false",
        "aria-label": words.open,
        "aria-haspopup": "dialog",
      },
      bubble,
      down,
      this.badge,
    );
    this.launcher.addEventListener("click", () => {
      if (this.isOpen) this.close();
      else this.open();
    });
    const close = h("button", { type: "button", class: "icon", "aria-label": words.close }, icon(ICONS.close));
    close.addEventListener("click", () => {
      this.close();
    });
    this.status = h("div", { class: "status", role: "status" });
    this.log = new MessageLog({
      words,
      language: this.language,
      greeting: this.settings.greeting ?? words.greeting,
      loadOlder: () => this.loadOlder(),
      retry: () => {
        this.retry();
      },
      choose: (choice) => {
        this.write(choice, []);
        this.composer.focus();
      },
    });
    this.composer = new Composer(
      this.connection,
      words,
      this.language,
      this.settings.maxFileBytes,
      (body, attachmentIds) => {
        this.write(body, attachmentIds);
      },
      (hasText) => {
        if (this.settings.started || this.thread.messages.length) this.report.changed(hasText);
      },
    );
    this.sign = new TypingSign(words.typing);
    this.panel = h(
      "section",
      { class: "panel", role: "dialog", "aria-labelledby": "title", hidden: true },
      h("header", {}, logo, h("h2", { id: "title", dir: "auto" }, title), close),
      this.status,
      this.log.element,
      this.sign.element,
      this.composer.element,
    );
    const root = shadow(this.host, css(colour));
    const aside = h(
      "aside",
      { lang: this.language, dir: directionOf(this.settings.language), class: position, "aria-label": words.chat },
      this.launcher,
      this.panel,
    );
    aside.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.isOpen) {
        event.stopPropagation();
        this.close();
      }
    });
    root.append(aside);
    document.body.append(this.host);
  }

  private listen(): void {
    void this.connection.listen({
      connected: async () => {
        this.status.textContent = "";
        // The shown messages may be outdated, and messages that came while the page was not listening are missing.
        await this.load();
        void this.flush();
      },
      lost: () => {
        this.sign.show(false);
        this.status.textContent = this.words.offline;
      },
      message: (message) => {
        if (message.direction === "outbound") this.sign.show(false);
        this.thread.hasUpTo(message);
        this.add([message]);
      },
      typing: (typing) => {
        const { isAtBottom } = this.log;
        this.sign.show(typing);
        if (isAtBottom) this.log.scrollToBottom();
      },
      over: () => {
        this.status.textContent = this.words.over;
      },
    });
  }

  /** Shows the newest messages and all that were missed. */
  private async load(): Promise<void> {
    const messages = await this.thread.readNewest();
    this.loaded = true;
    this.add(messages, this.thread.messages.length > 0);
  }

  private async loadOlder(): Promise<void> {
    const messages = await this.thread.readOlder();
    this.log.growAtTop(() => {
      this.add(messages, false);
    });
  }

  private add(messages: Message[], toBottom = true): void {
    if (this.removed) return;
    const fresh = this.thread.add(messages);
    const arrived = new Set(messages.map(({ clientMessageId }) => clientMessageId));
    this.setUnsent(this.unsent.filter(({ clientMessageId }) => !arrived.has(clientMessageId)));
    const { isAtBottom } = this.log;
    this.draw();
    if (isAtBottom && fresh && toBottom) this.log.scrollToBottom();
    if (this.isOpen) this.seen();
    else this.mark();
  }

  private draw(): void {
    const unsent = this.unsent.map((one): Shown => ({
      ...one,
      id: one.clientMessageId,
      direction: "inbound",
      author: null,
      automated: false,
      bodyFormat: "text",
      choices: [],
      attachments: [],
      state: this.failed || one.refused ? "failed" : "sending",
    }));
    this.log.draw([...this.thread.messages, ...unsent], this.thread.cursor ? "older" : this.loaded ? "greeting" : null);
  }

  private write(body: string, attachmentIds: string[]): void {
    // Not `randomUUID`, because it only exists on https pages.
    const clientMessageId = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join(
      "-",
    );
    this.setUnsent([...this.unsent, { clientMessageId, body, attachmentIds, createdAt: new Date().toISOString() }]);
    this.failed = false;
    this.report.sent();
    this.draw();
    this.log.scrollToBottom();
    void this.flush();
  }

  private retry(): void {
    this.failed = false;
    this.setUnsent(this.unsent.map(({ refused: _, ...one }) => one));
    this.draw();
    this.composer.focus();
    this.connection.hurry();
    void this.flush();
  }

  /** Sends one message after the other. For the server, a repeated message is the same message. */
  private async flush(): Promise<void> {
    if (this.sending || !this.launcher) return;
    this.sending = true;
    try {
      while (!this.removed) {
        const next = this.unsent.find(({ refused }) => !refused);
        if (!next) break;
        const message = await this.post(next);
        this.failed = false;
        if (!message) continue;
        this.composer.say("");
        this.add([message]);
        this.listen();
      }
    } catch (error) {
      this.failed = true;
      if (error instanceof Refused && error.status === 429) {
        this.composer.say(this.words.slow);
        setTimeout(
          () => {
            void this.flush();
          },
          (error.retryAfter + 1) * 1_000,
        );
      } else if (error instanceof Lost && !this.removed) {
        if (!this.settings.started && !this.thread.messages.length)
          setTimeout(() => {
            void this.flush();
          }, 3_000);
      }
      this.draw();
      this.log.scrollToBottom();
    } finally {
      this.sending = false;
    }
  }

  /** @returns the message; undefined if the server refused it for good */
  private async post(one: Unsent): Promise<Message | undefined> {
    const { clientMessageId, body, attachmentIds } = one;
    try {
      return await this.connection.call<Message>("POST", "/messages", {
        body,
        clientMessageId,
        ...(attachmentIds.length ? { attachmentIds } : {}),
      });
    } catch (error) {
      if (!(error instanceof Refused) || [401, 408, 429].includes(error.status)) throw error;
      this.setUnsent(this.unsent.map((other) => (other === one ? { ...one, refused: true } : other)));
      this.draw();
      return undefined;
    }
  }

  private setUnsent(unsent: Unsent[]): void {
    this.unsent = unsent;
    if (!this.identity) remember(`${this.store}:unsent`, unsent.length ? JSON.stringify(unsent) : null, session);
  }

  private seen(): void {
    const last = this.thread.messages.at(-1)?.createdAt;
    if (last) remember(`${this.store}:seen`, last);
    this.mark();
  }

  private mark(): void {
    const seen = recall(`${this.store}:seen`) ?? "";
    const unread = this.isOpen
      ? 0
      : this.thread.messages.filter(({ direction, createdAt }) => direction === "outbound" && createdAt > seen).length;
    this.badge.hidden = unread === 0;
    this.badge.textContent = String(unread);
    this.launcher.setAttribute(
      "aria-label",
      this.isOpen
        ? this.words.close
        : unread
          ? `${this.words.open}, ${this.words.unread.replace("{n}", String(unread))}`
          : this.words.open,
    );
  }
}
