import { Controller, Get, HttpCode, Param, Post, Req } from "@nestjs/common";
import { RouteConfig } from "@nestjs/platform-fastify";
import { Public } from "../../auth/access/access.js";
import { FORM, SMALL } from "../../platform/http/body-reader.js";
import { AnswersHtml } from "../../platform/http/openapi.js";
import type { Html } from "../../platform/http/html-page.js";
import type { Request } from "../../platform/http/request.js";
import { MagicLinksService } from "./magic-links.service.js";
import { confirmedPage, confirmPage, unusableLinkPage } from "./magic-link-pages.js";
import { preferredLanguage } from "./magic-link-texts.js";

const UNUSABLE =
  "A page that says that the link cannot be used. It is the same for unknown, expired, used and replaced links";

@Controller("api/public/verifications")
export class VerificationPagesController {
  constructor(private readonly links: MagicLinksService) {}

  /** Show the page behind a magic link. It says who asks, and has one button. Opening it does not use the link up. */
  @Get(":token")
  @Public("the token is the credential")
  @AnswersHtml(200, "The page with the button")
  @AnswersHtml(404, UNUSABLE)
  async show(@Param("token") token: string, @Req() { headers }: Request): Promise<Html> {
    const link = await this.links.look(token);
    return link?.open
      ? confirmPage(link, link.asksCode ? { ask: "first" } : { code: link.code })
      : unusableLinkPage(link?.language ?? preferredLanguage(headers["accept-language"]));
  }

  /**
   * Redeem a magic link, once. This is the button of the page. With `requireLinkCode`, the body has the two digits
   * that the conversation shows, as `code`, in a form or as JSON. Otherwise the body is ignored.
   */
  @Post(":token")
  @HttpCode(200)
  @RouteConfig({ ...FORM, ...SMALL })
  @Public("the token is the credential")
  @AnswersHtml(200, "The page that confirms it")
  @AnswersHtml(422, "The page again: the number is missing or wrong. After three wrong numbers the link is void")
  @AnswersHtml(404, UNUSABLE)
  async confirm(@Param("token") token: string, @Req() request: Request): Promise<Html> {
    const link = await this.links.redeem(token, codeOf(request));
    if (link?.result === "redeemed") return confirmedPage(link, link.counts);
    if (link?.result === "wrong code") return confirmPage(link, { ask: "again" });
    return unusableLinkPage(link?.language ?? preferredLanguage(request.headers["accept-language"]));
  }
}

function codeOf({ body, rawBody = Buffer.alloc(0) }: Request): string {
  const code: unknown = body
    ? (body as Record<string, unknown>).code
    : new URLSearchParams(rawBody.toString()).get("code");
  return typeof code === "string" || typeof code === "number" ? String(code).trim() : "";
}
