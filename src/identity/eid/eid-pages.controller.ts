import { Controller, Get, HttpCode, Param, Post, Req, Res } from "@nestjs/common";
import { RouteConfig } from "@nestjs/platform-fastify";
import { ApiQuery, ApiResponse } from "@nestjs/swagger";
import type { FastifyReply } from "fastify";
import { Public } from "../../auth/access/access.js";
import { Config } from "../../platform/config/config.js";
import { FORM, SMALL } from "../../platform/http/body-reader.js";
import { HostCookie } from "../../platform/http/host-cookie.js";
import { AnswersHtml, SetsCookie } from "../../platform/http/openapi.js";
import { escape, Html, page, PAGE_HEADERS, sendHtml } from "../../platform/http/html-page.js";
import type { Request } from "../../platform/http/request.js";
import { EidLinksService, type EidPage } from "./eid-links.service.js";
import { eidTexts } from "./eid-texts.js";

const CALLBACK = "/api/public/eid/callback";
const NOT_VALID = "A page that says that the link is not valid: it is unknown or has expired";

/** Pages that work without scripts. */
@Controller("api/public/eid")
export class EidPagesController {
  private readonly cookie: HostCookie;

  constructor(
    private readonly links: EidLinksService,
    config: Config,
  ) {
    // The provider sends the browser back with a plain link, so the cookie must be lax.
    this.cookie = new HostCookie("parley_eid", CALLBACK, "lax", config);
  }

  /** Show the page that an eID link leads to. It has one button. Opening it does not use the link up. */
  @Get("start/:token")
  @Public("the token of the link is the credential")
  @AnswersHtml(200, "The page")
  @AnswersHtml(404, NOT_VALID)
  async show(@Param("token") token: string, @Res() reply: FastifyReply): Promise<void> {
    show(reply, await this.links.look(token));
  }

  /** Go to the provider of the eID. This is the button of the page. */
  @Post("start/:token")
  @HttpCode(200)
  @RouteConfig({ ...FORM, ...SMALL })
  @Public("the token of the link is the credential")
  @AnswersHtml(200, "A page that says why it cannot continue")
  @AnswersHtml(404, NOT_VALID)
  @SetsCookie()
  @ApiResponse({ status: 303, description: "To the provider, with a cookie for this browser" })
  async begin(@Param("token") token: string, @Res() reply: FastifyReply): Promise<void> {
    const next = await this.links.begin(token);
    if ("state" in next) return show(reply, next);
    const { url, browserSecret, seconds } = next;
    void reply
      .status(303)
      .headers({ ...PAGE_HEADERS, "Set-Cookie": this.cookie.write(browserSecret, seconds), Location: url })
      .send();
  }

  /** Come back from the provider of the eID. Its answer counts once, in the browser that went there. */
  @Get("callback")
  @Public("the state, and the cookie of the browser that it was made for, are the credential")
  @AnswersHtml(200, "A page with the result")
  @AnswersHtml(404, NOT_VALID)
  @ApiQuery({ name: "state", required: false, schema: { type: "string" } })
  @ApiQuery({ name: "code", required: false, schema: { type: "string" } })
  @ApiQuery({ name: "error", required: false, schema: { type: "string" } })
  async complete(@Req() request: Request, @Res() reply: FastifyReply): Promise<void> {
    const at = request.url.indexOf("?");
    show(reply, await this.links.complete(at < 0 ? "" : request.url.slice(at), this.cookie.read(request)));
  }
}

function show(reply: FastifyReply, { language, brand, state, issuer }: EidPage): void {
  const texts = eidTexts(language);
  const text = state === "begin" ? texts.text : texts[state];
  const from = brand === undefined ? "" : `<p class="from"><strong>${escape(brand)}</strong></p>\n`;
  const button = state === "begin" ? `\n<form method="post"><button>${escape(texts.button)}</button></form>` : "";
  // Browsers also apply form-action to where the form's answer redirects: the provider.
  const policy = PAGE_HEADERS["Content-Security-Policy"]!.replace(
    `form-action 'self'`,
    `form-action 'self' https:${issuer === undefined ? "" : ` ${new URL(issuer).origin}`}`,
  );
  const document = page({
    lang: texts.lang,
    title: texts.title,
    body: `${from}<h1>${escape(texts.title)}</h1>\n<p>${escape(text)}</p>${button}`,
  });
  const html = new Html(document, state === "over" ? 404 : 200);
  sendHtml(reply, html, button ? { "Content-Security-Policy": policy } : undefined);
}
