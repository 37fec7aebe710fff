import { h, icon, wordsIn } from "../common.js";
import { filled, type Look, type Mount, mount } from "../inline.js";
import { rich } from "../rich.js";
import { WORDS } from "./words.js";

const CSS = `
.field { position: relative }
.field svg { position: absolute; inset-block-start: .8125rem; inset-inline-start: .875rem; width: 1.25rem; height: 1.25rem; color: var(--quiet); pointer-events: none }
input { min-height: 3rem; padding-inline-start: 2.75rem }
input::-webkit-search-cancel-button { -webkit-appearance: none }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.status { min-height: 1.5rem; margin: .75rem 0 0; color: var(--quiet); font-size: .9375rem }
.status.wrong { color: var(--wrong) }
.answers { margin: .25rem 0 0; padding: 0; list-style: none }
.answers > li { border-block-start: 1px solid var(--edge) }
.answers > li:first-child { border: 0 }
summary { display: flex; align-items: flex-start; gap: .75rem; padding: .75rem 0; border-radius: .375rem; cursor: pointer; list-style: none }
summary::-webkit-details-marker { display: none }
summary svg { flex: none; width: 1.25rem; height: 1.25rem; margin-block-start: .125rem; color: var(--line) }
@media (prefers-reduced-motion: no-preference) { summary svg { transition: transform .12s } }
details[open] summary svg { transform: rotate(180deg) }
summary:hover h3 { text-decoration: underline; text-underline-offset: .2em; text-decoration-thickness: 1px }
h3 { flex: 1; min-width: 0; margin: 0; font-size: 1rem; line-height: 1.5; font-weight: 600; overflow-wrap: anywhere }
.answer { padding: 0 0 1rem; padding-inline-end: 2rem; overflow-wrap: anywhere }
.answer > * { margin: 0 0 .625rem }
.answer > :last-child { margin: 0 }
.answer ul, .answer ol { padding-inline-start: 1.375rem }
.answer a { color: var(--line) }
code { padding: .1em .3em; border-radius: .25rem; background: color-mix(in srgb, var(--text) 8%, transparent); font-size: .9em }
`;
/** Search after this pause in typing. */
const PAUSE_MS = 250;
const LEAST = 2;

interface Answer {
  question: string;
  answer: string;
}

void mount<Look>("kb-widgets", CSS, show);

function show({ config, root, ask }: Mount<Look>): void {
  const { words } = wordsIn(WORDS, config.language);
  const input = h("input", {
    type: "search",
    id: "q",
    maxlength: 500,
    autocomplete: "off",
    enterkeyhint: "search",
    placeholder: config.placeholder ?? words.placeholder,
    "aria-describedby": "status",
  });
  const status = h("p", { id: "status", class: "status", role: "status" });
  const answers = h("ul", { class: "answers" });
  const form = h(
    "form",
    { role: "search", "aria-labelledby": "title" },
    h("label", { for: "q", class: "hidden" }, words.label),
    h("div", { class: "field" }, icon("M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.3 15.3 20 20"), input),
  );
  root.append(
    h(
      "section",
      { class: "card", "aria-labelledby": "title" },
      h("h2", { id: "title" }, config.title ?? words.title),
      form,
      status,
      answers,
    ),
  );

  let timer: number | undefined;
  let running: AbortController | undefined;
  let shown = "";
  const say = (text: string, wrong = false): void => {
    status.textContent = text;
    status.classList.toggle("wrong", wrong);
  };
  const list = (found: Answer[]): void => {
    // The best answer is open, because most visitors need no other.
    answers.replaceChildren(
      ...found.map(({ question, answer }, i) =>
        h(
          "li",
          {},
          h(
            "details",
            { open: i === 0 },
            h("summary", {}, h("h3", {}, question), icon("m6 9 6 6 6-6")),
            h("div", { class: "answer" }, ...rich(answer)),
          ),
        ),
      ),
    );
  };

  const fail = (why: string): void => {
    // Allows the same words to be tried again.
    shown = "";
    list([]);
    say(why, true);
  };

  async function search(): Promise<void> {
    clearTimeout(timer);
    const q = input.value.trim();
    if (q === shown) return;
    // A running request is for an older question.
    running?.abort();
    shown = q;
    if (q.length < LEAST) {
      say("");
      list([]);
      return;
    }
    const mine = (running = new AbortController());
    try {
      const response = await ask(`/search?q=${encodeURIComponent(q)}`, { signal: mine.signal });
      if (!response.ok) return fail(response.status === 429 ? words.wait : words.failed);
      const { data } = (await response.json()) as { data: Answer[] };
      if (mine.signal.aborted) return;
      list(data);
      say(data.length ? (data.length === 1 ? words.one : filled(words.many, data.length)) : words.none);
    } catch {
      if (!mine.signal.aborted) fail(words.failed);
    }
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void search(), PAUSE_MS);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void search();
  });
}
