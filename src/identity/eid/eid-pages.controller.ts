import { Controller, Get, HttpCode, Param, Post, Req, Res } from "@nestjs/common";
import { RouteConfig } from "@nestjs/platform-fastify";
import { ApiQuery, ApiResponse, ApiTags } from "@nestjs/swagger";
import { parseCookie, stringifySetCookie } from "cookie";
import type { FastifyReply } from "fastify";
import { Public } from "../../auth/access/access.js";
import { Config } from "../../platform/config/config.js";
import { FORM } from "../../platform/http/body-reader.js";
import { AnswersHtml } from "../../platform/http/openapi.js";
import { escape, page, PAGE_HEADERS } from "../../platform/http/html-page.js";
import type { Request } from "../../platform/http/request.js";
import { EidLinksService, type Page } from "./eid-links.service.js";
import { eidWords } from "./eid-texts.js";

const COOKIE = "parley_eid";
const CALLBACK = "/api/public/eid/callback";
const DEAD = "A page that says that the link is not valid: unknown, or its time is over";

/** Pages for a person at a browser, which work without scripts. */
@ApiTags("Identity")
@Controller("api/public/eid")
export class EidPagesController {
  constructor(
    private readonly links: EidLinksService,
    private readonly config: Config,
  ) {}

  /** Show the page that an eID link leads to, with one button. Whatever opens it, and however often, uses up nothing. */
  @Get("start/:token")
  @Public("the token of the link is the credential")
  @AnswersHtml(200, "The page")
  @AnswersHtml(404, DEAD)
  async look(@Param("token") token: string, @Res() reply: FastifyReply): Promise<void> {
    show(reply, await this.links.look(token));
  }

  /** Go from that page to the provider of the eID. */
  @Post("start/:token")
  @HttpCode(200)
  @RouteConfig(FORM)
  @Public("the token of the link is the credential")
  @AnswersHtml(200, "A page that says how things stand, where it does not go on")
  @AnswersHtml(404, DEAD)
  @ApiResponse({ status: 303, description: "To the provider, with a cookie for this browser" })
  async begin(@Param("token") token: string, @Res() reply: FastifyReply): Promise<void> {
    const next = await this.links.begin(token);
    if ("shown" in next) return show(reply, next);
    const { url, browser, seconds } = next;
    // Lax: the provider sends the browser back with a plain link.
    const cookie = stringifySetCookie({
      name: COOKIE,
      value: browser,
      maxAge: seconds,
      path: CALLBACK,
      httpOnly: true,
      sameSite: "lax",
      secure: this.config.NODE_ENV === "production",
    });
    void reply
      .status(303)
      .headers({ ...PAGE_HEADERS, "Set-Cookie": cookie, Location: url })
      .send();
  }

  /** Come back from the provider of the eID: its answer counts once, in the browser that went there. */
  @Get("callback")
  @Public("the state, and the cookie of the browser that it was made for, are the credential")
  @AnswersHtml(200, "A page that says what became of it")
  @AnswersHtml(404, DEAD)
  @ApiQuery({ name: "state", required: false, schema: { type: "string" } })
  @ApiQuery({ name: "code", required: false, schema: { type: "string" } })
  @ApiQuery({ name: "error", required: false, schema: { type: "string" } })
  async complete(@Req() request: Request, @Res() reply: FastifyReply): Promise<void> {
    const at = request.url.indexOf("?");
    show(
      reply,
      await this.links.complete(at < 0 ? "" : request.url.slice(at), parseCookie(request.headers.cookie ?? "")[COOKIE]),
    );
  }
}

function show(reply: FastifyReply, { language, brand, shown, issuer }: Page): void {
  const words = eidWords(language);
  const text = shown === "begin" ? words.text : words[shown];
  const from = brand === undefined ? "" : `<p class="from"><strong>${escape(brand)}</strong></p>\n`;
  const button = shown === "begin" ? `\n<form method="post"><button>${escape(words.button)}</button></form>` : "";
  // A form's target is also held against where the answer redirects to: the provider's own host, which is known when it is asked.
  const policy = PAGE_HEADERS["Content-Security-Policy"]!.replace(
    `form-action 'self'`,
    `form-action 'self' https:${issuer === undefined ? "" : ` ${new URL(issuer).origin}`}`,
  );
  void reply
    .status(shown === "over" ? 404 : 200)
    .headers({ ...PAGE_HEADERS, ...(button && { "Content-Security-Policy": policy }) })
    .type("text/html; charset=utf-8")
    .send(
      page({
        lang: words.lang,
        title: words.title,
        body: `${from}<h1>${escape(words.title)}</h1>\n<p>${escape(text)}</p>${button}`,
      }),
    );
}
