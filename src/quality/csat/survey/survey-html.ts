import { escape, Html, page } from "../../../platform/http/html-page.js";
import type { OpenSurvey } from "./surveys.queries.js";
import type { Answer } from "./surveys.service.js";
import { type SurveyTexts, surveyTexts } from "./survey-texts.js";

export const MAX_COMMENT_LENGTH = 2_000;
/** Drawn, because not every system has these emoji. */
const face = (mouth: string): string =>
  `<svg class="face" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10"/><path d="M9 9v.5M15 9v.5${mouth}"/></svg>`;
const FACES: Record<number, string> = { 1: face("M8 16q4-3.5 8 0"), 2: face("M8 14.5q4 3.5 8 0") };

/** The question with its answers. The form posts to the page's own address. */
export function surveyPage(survey: OpenSurvey, { score: chosen, comment }: Answer, error?: "choose" | "tooLong"): Html {
  const { scale, question, questionLanguage, language } = survey;
  const texts = surveyTexts(language);
  const answers = Array.from({ length: scale }, (_, index) =>
    choice(index + 1, survey, texts, index + 1 === chosen),
  ).join("");
  return show(
    language,
    question,
    [
      from(survey),
      error ? `<p class="fault" role="alert">${escape(texts[error])}</p>` : "",
      `<form method="post">
<fieldset><legend><h1 lang="${escape(questionLanguage)}" dir="auto">${escape(question)}</h1></legend>
<div class="scores of-${scale}">${answers}</div>${
        scale === 2
          ? ""
          : `
<div class="ends" aria-hidden="true"><span>1: ${escape(texts.lowest)}</span><span>${scale}: ${escape(texts.highest)}</span></div>`
      }</fieldset>
${field(texts.comment, texts, comment)}
<button>${escape(texts.send)}</button>
</form>`,
    ],
    error ? 422 : 200,
  );
}

function choice(score: number, { scale }: OpenSurvey, texts: SurveyTexts, checked: boolean): string {
  const end = score === 1 ? texts.lowest : score === scale ? texts.highest : undefined;
  const name =
    scale === 2
      ? escape(score === 1 ? texts.bad : texts.good)
      : `${score}${end === undefined ? "" : `<span class="unseen"> (${escape(end)})</span>`}`;
  return `<label><input type="radio" name="score" value="${score}" required${checked ? " checked" : ""}><span class="score">${scale === 2 ? FACES[score] : ""}${name}</span></label>`;
}

const field = (label: string, texts: SurveyTexts, text: string | null): string =>
  `<label class="field"><span>${escape(label)}${label === texts.comment ? ` <span class="small">(${escape(texts.optional)})</span>` : ""}</span>
<textarea name="comment" rows="4" maxlength="${MAX_COMMENT_LENGTH}" dir="auto">${text === null ? "" : `\n${escape(text)}`}</textarea></label>`;

/** The page of an answered survey. A comment can be added while there is none. */
export function answeredPage(survey: OpenSurvey, which: "noted" | "known" | "tooLong"): Html {
  const texts = surveyTexts(survey.language);
  return show(
    survey.language,
    texts.thanks,
    [
      from(survey),
      `<h1>${escape(texts.thanks)}</h1>`,
      `<p${which === "tooLong" ? ' class="fault" role="alert"' : ""}>${escape(texts[which])}${survey.commentable ? "" : ` ${escape(texts.close)}`}</p>`,
      survey.commentable
        ? `<form method="post">\n${field(texts.more, texts, null)}\n<button>${escape(texts.send)}</button>\n</form>`
        : "",
    ],
    which === "tooLong" ? 422 : 200,
  );
}

/** The same page for unknown, expired and erased surveys. It names neither brand nor workspace. */
export function invalidLinkPage(language: string): Html {
  const texts = surveyTexts(language);
  return show(language, texts.dead, [`<h1>${escape(texts.dead)}</h1>`, `<p>${escape(texts.deadMore)}</p>`], 404);
}

const show = (lang: string, title: string, body: readonly string[], status?: number): Html =>
  new Html(page({ lang, title, body: body.filter(Boolean).join("\n") }), status);

function from({ brand, workspace, logoUrl }: OpenSurvey): string {
  const [first, second] = [...new Set([brand, workspace])].map(escape);
  const logo = logoUrl === null ? "" : `<img class="logo" src="${escape(logoUrl)}" alt="">`;
  return `${logo}<p class="from"><strong>${first}</strong>${second === undefined ? "" : `<br>${second}`}</p>`;
}
