import { Controller, HttpCode, Param, Post, Req, Res, SetMetadata } from "@nestjs/common";
import { ApiBody, ApiConsumes, ApiHeader } from "@nestjs/swagger";
import type { FastifyReply } from "fastify";
import { Public } from "../../../auth/access/access.js";
import type { Json, Ok } from "../../../platform/http/json.js";
import { AnswersOk, Fails } from "../../../platform/http/openapi.js";
import { OperationGroup } from "../../../platform/http/operation-id.js";
import type { Request } from "../../../platform/http/request.js";
import { READS_BODY } from "../../../platform/http/upload.js";
import { IdPipe } from "../../../platform/http/validation.js";
import { MailWebhooksService } from "./mail-webhooks.service.js";

@OperationGroup("channelWebhooks")
@Controller("api/webhooks/mail")
export class MailWebhooksController {
  constructor(private readonly webhooks: MailWebhooksService) {}

  /**
   * Receive a mail from a channel's provider. It comes in the format of the provider that `settings.inbound` names:
   * JSON of Postmark with `RawEmail`, a form of Mailgun with `body-mime`, or a message of Amazon SNS. The answer is 200
   * once the mail is stored; a repeat stores nothing. An unknown channel answers like a wrong credential: 401.
   */
  @Post(":channelId/mime")
  @HttpCode(200)
  @Public("the password in the address, or the signature in the body, is the credential")
  @SetMetadata(READS_BODY, true)
  @AnswersOk("The mail is stored")
  @Fails(401, 409, 413, 415)
  @ApiConsumes("application/json", "multipart/form-data", "application/x-www-form-urlencoded", "text/plain")
  @ApiBody({
    schema: {
      type: "object",
      additionalProperties: true,
      description: "What the provider sends. Unknown fields are ignored",
    },
  })
  @ApiHeader({ name: "Authorization", required: false, description: "Basic authentication, by Postmark" })
  @ApiHeader({ name: "x-amz-sns-topic-arn", required: false, description: "The topic, by Amazon SNS" })
  receiveMail(
    @Param("channelId", IdPipe) id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Json<Ok>> {
    return this.webhooks.receive(id, request, reply);
  }
}
