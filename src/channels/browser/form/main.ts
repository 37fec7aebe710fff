import { h, icon, wordsIn } from "../common.js";
import { filled, type Look, type Mount, mount } from "../inline.js";
import { rich } from "../rich.js";
import { type Words, WORDS } from "./words.js";

type Shown = "hidden" | "optional" | "required";
interface Config extends Look {
  fields: { name: Shown; phone: Shown; subject: Shown };
  thankYou: string | null;
  consent: string | null;
  start: string;
}

const CSS = `
form { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: 1.125rem 1rem }
/* Short fields stand two by two; one that is left over has the line to itself. */
.wide, .foot, .short:nth-child(odd):has(+ .wide) { grid-column: 1 / -1 }
label { display: block; margin: 0 0 .375rem; font-weight: 600; font-size: .9375rem }
label small { color: var(--quiet); font-size: .875rem; font-weight: 400 }
textarea { min-height: 8.5rem; resize: vertical }
[aria-invalid=true] { border-color: var(--wrong); box-shadow: inset 0 0 0 1px var(--wrong) }
.error { margin: .375rem 0 0; color: var(--wrong); font-size: .9375rem }
.error:empty { display: none }
.agree label { display: flex; gap: .75rem; margin: 0; font-weight: 400; font-size: .9375rem; cursor: pointer; overflow-wrap: anywhere }
.agree input { flex: none; width: 1.375rem; min-height: 0; height: 1.375rem; margin: 0; accent-color: var(--line) }
.foot { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem 1rem }
.foot .error { flex: 1 1 14rem; margin: 0 }
button { min-width: 8rem }
button[aria-disabled=true] { cursor: progress; filter: saturate(.4) }
.trap { position: absolute; inset-inline-start: -9999px; width: 1px; height: 1px; overflow: hidden }
.sent { display: flex; gap: .75rem; align-items: flex-start }
.sent svg { flex: none; width: 1.75rem; height: 1.75rem; padding: .3125rem; border-radius: 50%; background: var(--accent); color: var(--on-accent); stroke-width: 3 }
.done > * { margin: 0 0 .625rem }
.done > :last-child { margin: 0 }
`;
/** A page that was left open for longer begins anew. */
const STALE_MS = 12 * 3_600_000;
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*\.[^\s@.]{2,}$/;

interface Field {
  name: string;
  input: HTMLInputElement | HTMLTextAreaElement;
  box: HTMLElement;
  error: HTMLElement;
  fault(): string;
}

void mount<Config>("contact-form-widgets", CSS, show);

function show({ config, root, ask, fresh }: Mount<Config>): void {
  const { words } = wordsIn(WORDS, config.language);
  const fields = fieldsOf(config, words);
  const trap = h("input", { type: "text", id: "website", tabindex: -1, autocomplete: "off" });
  const failure = h("p", { class: "error", role: "alert" });
  const progress = h("p", { class: "trap", role: "status" });
  const button = h("button", { type: "submit" }, words.send);
  const form = h(
    "form",
    { novalidate: true, "aria-labelledby": "title" },
    ...fields.map(({ box }) => box),
    h("div", { class: "trap", "aria-hidden": "true" }, h("label", { for: "website" }, "Website"), trap),
    h("div", { class: "foot" }, button, failure, progress),
  );
  const card = h(
    "section",
    { class: "card", "aria-labelledby": "title" },
    h("h2", { id: "title" }, config.title ?? words.title),
    form,
  );
  root.append(card);

  let { start } = config;
  let begun = Date.now();
  let submissionId: string | undefined;
  let sending = false;
  const mark = ({ input, error }: Field, fault: string): void => {
    error.textContent = fault;
    if (fault) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  };

  form.addEventListener("focusin", () => {
    if (Date.now() - begun < STALE_MS) return;
    begun = Date.now();
    void fresh().then(
      (again) => {
        ({ start } = again);
      },
      () => undefined,
    );
  });
  for (const field of fields) {
    field.input.addEventListener("input", () => {
      // What was changed is another message, also where the one before has arrived after all.
      submissionId = undefined;
      if (field.error.textContent) mark(field, field.fault());
    });
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!sending) void send();
  });

  async function send(): Promise<void> {
    failure.textContent = "";
    for (const field of fields) mark(field, field.fault());
    const first = fields.find(({ error }) => error.textContent);
    if (first) {
      first.input.focus();
      return;
    }
    sending = true;
    button.setAttribute("aria-disabled", "true");
    progress.textContent = button.textContent = words.sending;
    try {
      const response = await ask("/submissions", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({
          ...valuesOf(fields),
          submissionId: (submissionId ??= newId()),
          start,
          website: trap.value || undefined,
        }),
      });
      if (response.ok) return finish();
      const refused = await refusedIn(response);
      const field = refused && fields.find(({ name }) => name === refused.name);
      if (field) {
        mark(field, words[refused.fault]);
        field.input.focus();
      } else
        failure.textContent =
          response.status === 429
            ? filled(words.wait, Math.ceil(Number(response.headers.get("Retry-After") ?? 60) / 60))
            : words.failed;
    } catch {
      failure.textContent = words.failed;
    } finally {
      sending = false;
      button.removeAttribute("aria-disabled");
      button.textContent = words.send;
      progress.textContent = "";
    }
  }

  function finish(): void {
    const heading = h("h2", { id: "title", tabindex: -1 }, words.sent);
    card.replaceChildren(
      h("div", { class: "sent" }, icon("m5 12.5 4.5 4.5L19 7.5"), heading),
      h("div", { class: "done" }, ...rich(config.thankYou ?? words.thankYou)),
    );
    heading.focus();
  }
}

/** Which field the server refuses, if the visitor can do something about it. */
async function refusedIn(response: Response): Promise<{ name: string; fault: "tooLong" | "wrongEmail" } | undefined> {
  // Counted in bytes, so fewer letters than the field takes are too many in some scripts.
  if (response.status === 413) return { name: "message", fault: "tooLong" };
  if (response.status !== 400) return undefined;
  const { error } = (await response.json()) as { error: string };
  return error.startsWith("email") ? { name: "email", fault: "wrongEmail" } : undefined;
}

function fieldsOf({ fields: { name, phone, subject }, consent, placeholder }: Config, words: Words): Field[] {
  const all: [string, Shown, string, Record<string, string | number>, ((value: string) => string)?][] = [
    ["name", name, words.name, { type: "text", autocomplete: "name", maxlength: 200 }],
    [
      "email",
      "required",
      words.email,
      { type: "email", autocomplete: "email", maxlength: 320 },
      (value) => (EMAIL.test(value) ? "" : words.wrongEmail),
    ],
    [
      "phone",
      phone,
      words.phone,
      { type: "tel", autocomplete: "tel", maxlength: 40 },
      (value) => (value.length < 3 ? words.tooShort : ""),
    ],
    ["subject", subject, words.subject, { type: "text", maxlength: 200, autocomplete: "off" }],
    [
      "message",
      "required",
      words.message,
      { maxlength: 10_000, rows: 5, ...(placeholder !== null && { placeholder }) },
    ],
  ];
  const fields = all
    .filter(([, shown]) => shown !== "hidden")
    .map(([id, shown, label, attributes, check]): Field => {
      const required = shown === "required";
      const input = h(id === "message" ? "textarea" : "input", {
        ...attributes,
        id,
        required,
        "aria-describedby": `${id}-error`,
      });
      const error = h("p", { class: "error", id: `${id}-error` });
      const box = h(
        "div",
        { class: id === "message" ? "wide" : "short" },
        h("label", { for: id }, label, required ? undefined : h("small", {}, ` (${words.optional})`)),
        input,
        error,
      );
      return {
        name: id,
        input,
        box,
        error,
        fault: () => {
          const value = input.value.trim();
          return value ? (check?.(value) ?? "") : required ? words.missing : "";
        },
      };
    });
  if (consent !== null) {
    const input = h("input", { type: "checkbox", id: "consent", required: true, "aria-describedby": "consent-error" });
    const error = h("p", { class: "error", id: "consent-error" });
    fields.push({
      name: "consent",
      input,
      error,
      box: h("div", { class: "wide agree" }, h("label", { for: "consent" }, input, h("span", {}, consent)), error),
      fault: () => (input.checked ? "" : words.agree),
    });
  }
  return fields;
}

const valuesOf = (fields: Field[]): Record<string, string | boolean> =>
  Object.fromEntries(
    fields.flatMap(({ name, input }): [string, string | boolean][] => {
      if (name === "consent") return [[name, true]];
      const value = input.value.trim();
      return value ? [[name, value]] : [];
    }),
  );

/** Also on pages without https, where there is no `randomUUID`. */
const newId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
