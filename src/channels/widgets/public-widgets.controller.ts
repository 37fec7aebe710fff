import { Body, Controller, Get, Param, Post, Query, Req } from "@nestjs/common";
import { RouteConfig } from "@nestjs/platform-fastify";
import { Public } from "../../auth/access/access.js";
import type { Json, Ok } from "../../platform/http/json.js";
import { SMALL } from "../../platform/http/body-reader.js";
import { Answers, AnswersOk, Fails } from "../../platform/http/openapi.js";
import type { Request } from "../../platform/http/request.js";
import {
  PublicAnswersDto,
  PublicContactFormDto,
  PublicKbWidgetDto,
  SearchKbWidgetDto,
  SubmitContactFormDto,
} from "./public-widgets.dto.js";
import { PublicSearchService } from "./public-search.service.js";
import { FormSubmissionsService } from "./form-submissions.service.js";

const WHY = "anybody on the pages that the widget is on";

/**
 * Requests from pages whose origin is not in the widget's `allowedOrigins` get 403. A request without an `Origin`
 * does not come from another page.
 */
@Controller("api/public")
export class PublicWidgetsController {
  constructor(
    private readonly answers: PublicSearchService,
    private readonly submissions: FormSubmissionsService,
  ) {}

  /** Read the appearance of a search widget. It is 404 while the widget is disabled or its workspace is archived. */
  @Get("kb-widgets/:publicKey")
  @Public(WHY)
  @Answers(PublicKbWidgetDto)
  @Fails(403)
  getKb(@Param("publicKey") publicKey: string): Promise<Json<PublicKbWidgetDto>> {
    return this.answers.look(publicKey);
  }

  /**
   * Find the approved entries that answer a question. They are in the widget's language. At most 60 requests a minute
   * per client address: 429.
   */
  @Get("kb-widgets/:publicKey/search")
  @Public(WHY)
  @Answers(PublicAnswersDto)
  @Fails(403)
  searchKb(
    @Param("publicKey") publicKey: string,
    @Query() { q }: SearchKbWidgetDto,
    @Req() { ip }: Request,
  ): Promise<Json<PublicAnswersDto>> {
    return this.answers.search(publicKey, ip, q);
  }

  /** Read the appearance of a contact form. You also get a token that proves when the form was started. */
  @Get("contact-form-widgets/:publicKey")
  @Public(WHY)
  @Answers(PublicContactFormDto)
  @Fails(403)
  getContactForm(@Param("publicKey") publicKey: string): Promise<Json<PublicContactFormDto>> {
    return this.submissions.look(publicKey);
  }

  /**
   * Send a contact form. It always starts a new conversation, even if the email address is known, because the sender
   * has not proven that the address is theirs. Likely spam is accepted and labelled `suspected-spam`. At most 10 per
   * client address in 10 minutes: 429.
   */
  @Post("contact-form-widgets/:publicKey/submissions")
  @RouteConfig(SMALL)
  @Public(WHY)
  @AnswersOk("Sent", 201)
  @Fails(403, 409)
  submitContactForm(
    @Param("publicKey") publicKey: string,
    @Body() body: SubmitContactFormDto,
    @Req() { ip }: Request,
  ): Promise<Json<Ok>> {
    return this.submissions.submit(publicKey, ip, body);
  }
}
