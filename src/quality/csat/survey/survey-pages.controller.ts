import { Controller, Get, HttpCode, Param, Post, Query, Req } from "@nestjs/common";
import { RouteConfig } from "@nestjs/platform-fastify";
import { ApiBody, ApiConsumes, ApiQuery } from "@nestjs/swagger";
import { Public } from "../../../auth/access/access.js";
import { checkText, decode, FORM, SMALL } from "../../../platform/http/body-reader.js";
import { OperationGroup } from "../../../platform/http/operation-id.js";
import { AnswersHtml } from "../../../platform/http/openapi.js";
import type { Html } from "../../../platform/http/html-page.js";
import type { Request } from "../../../platform/http/request.js";
import { type Answer, SurveysService } from "./surveys.service.js";
import { answeredPage, invalidLinkPage, MAX_COMMENT_LENGTH, surveyPage } from "./survey-html.js";
import { preferredLanguage } from "./survey-texts.js";

const INVALID_LINK =
  "A page that says that the link cannot be used. It is the same for unknown, expired and erased surveys.";

@OperationGroup("csatPages")
@Controller("api/public/csat")
export class SurveyPagesController {
  constructor(private readonly surveys: SurveysService) {}

  /** Show a survey. Opening it stores nothing. `score` preselects an answer; values that the scale does not have are ignored. */
  @Get(":token")
  @Public("the token is the credential")
  @ApiQuery({ name: "score", required: false, schema: { type: "string" } })
  @AnswersHtml(200, "The page with the question")
  @AnswersHtml(404, INVALID_LINK)
  async show(
    @Param("token") token: string,
    @Query("score") score: unknown,
    @Req() { headers }: Request,
  ): Promise<Html> {
    const survey = await this.surveys.open(token);
    if (!survey) return invalidLinkPage(preferredLanguage(headers["accept-language"]));
    return survey.score === null
      ? surveyPage(survey, { score: scoreOf(score), comment: null })
      : answeredPage(survey, "noted");
  }

  /**
   * Answer a survey with a form. The form has `score` and optionally `comment`. Only the first answer counts. A
   * comment can be added within a day.
   */
  @Post(":token")
  @HttpCode(200)
  @RouteConfig({ ...FORM, ...SMALL })
  @Public("the token is the credential")
  @ApiConsumes("application/x-www-form-urlencoded")
  @ApiBody({
    schema: {
      type: "object",
      properties: {
        score: {
          type: "integer",
          minimum: 0,
          maximum: 10,
          description: "A value of the survey's scale. Not needed to add a comment.",
        },
        comment: { type: "string", maxLength: MAX_COMMENT_LENGTH, description: "What the contact adds in words." },
      },
    },
  })
  @AnswersHtml(200, "A page that says that the answer is stored")
  @AnswersHtml(422, "The page again, with what is missing")
  @AnswersHtml(404, INVALID_LINK)
  async submit(@Param("token") token: string, @Req() { headers, rawBody }: Request): Promise<Html> {
    const answer = answerOf(rawBody!);
    const tooLong = (answer.comment?.length ?? 0) > MAX_COMMENT_LENGTH;
    const answered = await this.surveys.answer(token, tooLong ? { score: null, comment: null } : answer);
    if (!answered) return invalidLinkPage(preferredLanguage(headers["accept-language"]));
    const { survey, outcome } = answered;
    if (survey.score === null) return surveyPage(survey, answer, tooLong ? "tooLong" : "choose");
    if (tooLong) return answeredPage(survey, "tooLong");
    return answeredPage(survey, outcome === "rated" || outcome === "commented" ? "noted" : "known");
  }
}

const scoreOf = (value: unknown): number | null =>
  typeof value === "string" && /^\d{1,2}$/.test(value) ? Number(value) : null;

/** Browsers send a line break as two characters but count it as one. */
function answerOf(form: Buffer): Answer {
  const fields = new URLSearchParams(decode(form, "body"));
  const comment = (fields.get("comment") ?? "").replace(/\r\n/g, "\n");
  checkText(comment, "comment");
  return { score: scoreOf(fields.get("score")), comment: comment || null };
}
