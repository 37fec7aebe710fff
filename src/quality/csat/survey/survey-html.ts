import { escape, Html, page } from "../../../platform/http/html-page.js";
import type { OpenSurvey } from "./surveys.queries.js";
import type { Answer } from "./surveys.service.js";
import { type Words, words } from "./survey-texts.js";

export const LONGEST_COMMENT = 2_000;
/** Drawn, since not every system has a picture for each character. */
const face = (mouth: string): string =>
  `<svg class="face" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10"/><path d="M9 9v.5M15 9v.5${mouth}"/></svg>`;
const FACES: Record<number, string> = { 1: face("M8 16q4-3.5 8 0"), 2: face("M8 14.5q4 3.5 8 0") };

/** The question with its answers. The one button posts to the page's own address. */
export function surveyPage(survey: OpenSurvey, { score: chosen, comment }: Answer, fault?: "choose" | "tooLong"): Html {
  const { scale, question, questionLanguage, language } = survey;
  const said = words(language);
  const answers = Array.from({ length: scale }, (_, index) =>
    choice(index + 1, survey, said, index + 1 === chosen),
  ).join("");
  return show(
    language,
    question,
    [
      from(survey),
      fault ? `<p class="fault" role="alert">${escape(said[fault])}</p>` : "",
      `<form method="post">
<fieldset><legend><h1 lang="${escape(questionLanguage)}" dir="auto">${escape(question)}</h1></legend>
<div class="scores of-${scale}">${answers}</div>${
        scale === 2
          ? ""
          : `
<div class="ends" aria-hidden="true"><span>1: ${escape(said.lowest)}</span><span>${scale}: ${escape(said.highest)}</span></div>`
      }</fieldset>
${field(said.comment, said, comment)}
<button>${escape(said.send)}</button>
</form>`,
    ],
    fault ? 422 : 200,
  );
}

function choice(score: number, { scale }: OpenSurvey, said: Words, checked: boolean): string {
  const end = score === 1 ? said.lowest : score === scale ? said.highest : undefined;
  const name =
    scale === 2
      ? escape(score === 1 ? said.bad : said.good)
      : `${score}${end === undefined ? "" : `<span class="unseen"> (${escape(end)})</span>`}`;
  return `<label><input type="radio" name="score" value="${score}" required${checked ? " checked" : ""}><span class="score">${scale === 2 ? FACES[score] : ""}${name}</span></label>`;
}

const field = (label: string, said: Words, text: string | null): string =>
  `<label class="field"><span>${escape(label)}${label === said.comment ? ` <span class="small">(${escape(said.optional)})</span>` : ""}</span>
<textarea name="comment" rows="4" maxlength="${LONGEST_COMMENT}" dir="auto">${text === null ? "" : `\n${escape(text)}`}</textarea></label>`;

/** After an answer, and of a survey that is answered; while it has no comment, one can be added. */
export function answeredPage(survey: OpenSurvey, which: "noted" | "known" | "tooLong"): Html {
  const said = words(survey.language);
  return show(
    survey.language,
    said.thanks,
    [
      from(survey),
      `<h1>${escape(said.thanks)}</h1>`,
      `<p${which === "tooLong" ? ' class="fault" role="alert"' : ""}>${escape(said[which])}${survey.commentable ? "" : ` ${escape(said.close)}`}</p>`,
      survey.commentable
        ? `<form method="post">\n${field(said.more, said, null)}\n<button>${escape(said.send)}</button>\n</form>`
        : "",
    ],
    which === "tooLong" ? 422 : 200,
  );
}

/** Of unknown, expired and erased surveys the same one, and of nobody. */
export function deadPage(language: string): Html {
  const said = words(language);
  return show(language, said.dead, [`<h1>${escape(said.dead)}</h1>`, `<p>${escape(said.deadMore)}</p>`], 404);
}

const show = (lang: string, title: string, body: readonly string[], status?: number): Html =>
  new Html(page({ lang, title, body: body.filter(Boolean).join("\n") }), status);

function from({ brand, workspace }: OpenSurvey): string {
  const [first, second] = [...new Set([brand, workspace])].map(escape);
  return `<p class="from"><strong>${first}</strong>${second === undefined ? "" : `<br>${second}`}</p>`;
}
