import { h, icon } from "../common.js";
import { type Connection, type File as Uploaded, Refused } from "./connection.js";
import { ICONS } from "./view.js";
import type { Words } from "./words.js";

const MAX_FILES = 5;
const MAX_CHARACTERS = 4_000;

interface Chip {
  name: string;
  id?: string;
  element: HTMLElement;
}

/** Where the visitor writes. */
export class Composer {
  readonly element: HTMLFormElement;
  private readonly text: HTMLTextAreaElement;
  private readonly problem: HTMLElement;
  private readonly chips: HTMLElement;
  private files: Chip[] = [];

  constructor(
    private readonly connection: Connection,
    private readonly words: Words,
    language: string,
    private readonly maxFileBytes: number,
    private readonly write: (body: string, attachmentIds: string[]) => void,
    private readonly typed: (hasText: boolean) => void,
  ) {
    this.text = h("textarea", {
      rows: 1,
      maxlength: MAX_CHARACTERS,
      placeholder: words.write,
      "aria-label": words.write,
      lang: language,
      dir: "auto",
      enterkeyhint: "send",
    });
    this.problem = h("p", { class: "problem", role: "alert" });
    this.chips = h("ul", { class: "chips", hidden: true });
    const input = h("input", { type: "file", multiple: true, hidden: true, tabindex: -1, "aria-hidden": "true" });
    const attach = h("button", { type: "button", class: "icon", "aria-label": words.attach }, icon(ICONS.attach));
    this.element = h(
      "form",
      {},
      this.chips,
      this.problem,
      h(
        "div",
        { class: "row" },
        attach,
        input,
        this.text,
        h("button", { class: "icon send", "aria-label": words.send }, icon(ICONS.send)),
      ),
    );
    attach.addEventListener("click", () => {
      input.click();
    });
    input.addEventListener("change", () => {
      for (const file of input.files ?? []) void this.add(file);
      input.value = "";
      this.focus();
    });
    this.text.addEventListener("input", () => {
      this.grow();
      this.typed(this.text.value.trim() !== "");
    });
    this.text.addEventListener("keydown", (event) => {
      // Enter that ends a composed character is not one that sends. In Safari, only this code says so.
      if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
      event.preventDefault();
      this.submit();
    });
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    for (const type of ["dragover", "drop"] as const) {
      this.element.addEventListener(type, (event) => {
        event.preventDefault();
        if (type === "drop") for (const file of event.dataTransfer?.files ?? []) void this.add(file);
      });
    }
  }

  focus(): void {
    this.text.focus();
  }
  say(problem: string): void {
    this.problem.textContent = problem;
  }

  private submit(): void {
    const body = this.text.value.trim();
    const ready = this.files.filter(({ id }) => id !== undefined);
    if ((!body && !ready.length) || ready.length < this.files.length) return;
    this.write(
      body ||
        ready
          .map(({ name }) => name)
          .join(", ")
          .slice(0, MAX_CHARACTERS),
      ready.map(({ id }) => id!),
    );
    this.text.value = "";
    this.say("");
    for (const { element } of this.files) element.remove();
    this.files = [];
    this.chips.hidden = true;
    this.grow();
    this.focus();
  }

  private grow(): void {
    this.text.style.height = "auto";
    this.text.style.height = `${this.text.scrollHeight + 2}px`;
  }

  /** The file is on its way at once; with the message goes its id. */
  private async add(file: globalThis.File): Promise<void> {
    this.say("");
    if (this.files.length >= MAX_FILES) return;
    if (file.size > this.maxFileBytes) {
      this.say(this.words.tooLarge.replace("{n}", String(Math.floor(this.maxFileBytes / 1_048_576))));
      return;
    }
    const label = h("span", {}, `${file.name}: ${this.words.uploading}`);
    const remove = h(
      "button",
      { type: "button", class: "icon", "aria-label": `${this.words.remove}: ${file.name}` },
      icon(ICONS.close),
    );
    const chip: Chip = { name: file.name, element: h("li", {}, label, remove) };
    const drop = (): void => {
      this.files = this.files.filter((other) => other !== chip);
      chip.element.remove();
      this.chips.hidden = !this.files.length;
    };
    remove.addEventListener("click", () => {
      drop();
      this.focus();
    });
    this.files.push(chip);
    this.chips.append(chip.element);
    this.chips.hidden = false;
    try {
      const form = new FormData();
      form.set("file", file);
      const { id, fileName } = await this.connection.call<Uploaded>("POST", "/attachments", form);
      Object.assign(chip, { id, name: fileName });
      label.textContent = fileName;
    } catch (error) {
      drop();
      this.say(
        error instanceof Refused
          ? error.status === 429
            ? this.words.slow
            : `${this.words.refused}: ${file.name}`
          : this.words.offline,
      );
    }
  }
}
