import { Controller, Get, HttpCode, Param, Post, Req } from "@nestjs/common";
import { RouteConfig } from "@nestjs/platform-fastify";
import { ApiTags } from "@nestjs/swagger";
import { Public } from "../../auth/access/access.js";
import { FORM } from "../../platform/http/body-reader.js";
import { AnswersHtml } from "../../platform/http/openapi.js";
import type { Html } from "../../platform/http/html-page.js";
import type { Request } from "../../platform/http/request.js";
import { MagicLinksService } from "./magic-links.service.js";
import { askingPage, deadPage, donePage } from "./magic-link-pages.js";
import { preferred } from "./magic-link-texts.js";

const DEAD =
  "A page that says that the link cannot be used: unknown, expired, used or replaced, which it does not tell apart";

@ApiTags("Identity")
@Controller("api/public/verifications")
export class VerificationPagesController {
  constructor(private readonly links: MagicLinksService) {}

  /** Show the page behind a link: who asks, and one button. Opening it, however often, uses nothing up. */
  @Get(":token")
  @Public("the token is the credential")
  @AnswersHtml(200, "The page with the button")
  @AnswersHtml(404, DEAD)
  async look(@Param("token") token: string, @Req() { headers }: Request): Promise<Html> {
    const link = await this.links.look(token);
    return link?.open ? askingPage(link) : deadPage(link?.language ?? preferred(headers["accept-language"]));
  }

  /** Press the button: the link is redeemed, once. What is sent along is not looked at. */
  @Post(":token")
  @HttpCode(200)
  @RouteConfig(FORM)
  @Public("the token is the credential")
  @AnswersHtml(200, "The page that says that it is confirmed")
  @AnswersHtml(404, DEAD)
  async press(@Param("token") token: string, @Req() { headers }: Request): Promise<Html> {
    const link = await this.links.redeem(token);
    return link?.open ? donePage(link) : deadPage(link?.language ?? preferred(headers["accept-language"]));
  }
}
