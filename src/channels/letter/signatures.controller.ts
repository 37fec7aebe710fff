import { Body, Controller, Get, Param, Put, Query } from "@nestjs/common";
import { CurrentCaller, CurrentMember, MembersOnly, RequireScope } from "../../auth/access/access.js";
import type { Caller, MemberCaller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { Answers, Fails } from "../../platform/http/openapi.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { IdPipe } from "../../platform/http/validation.js";
import { MailFrameDto, MailFrameQueryDto, SetSignatureDto, SignatureDto } from "./signatures.dto.js";
import { SignaturesService } from "./signatures.service.js";

@OperationGroup("channels")
@Controller("api/channels/:id/signature")
export class ChannelSignatureController {
  constructor(private readonly signatures: SignaturesService) {}

  /** Read the signature of a mailbox. */
  @Get()
  @RequireScope("channels:read")
  @Answers(SignatureDto)
  getSignature(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<SignatureDto>> {
    return this.signatures.ofChannel(caller, id);
  }

  /** Set the signature of a mailbox. Mails of members without one of their own end with it, and those that no person wrote. */
  @Put()
  @RequireScope("channels:write")
  @Answers(SignatureDto)
  @Fails(409)
  setSignature(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() { body }: SetSignatureDto,
  ): Promise<Json<SignatureDto>> {
    return this.signatures.setOfChannel(caller, id, body);
  }
}

@OperationGroup("me")
@Controller("api/me/signature")
export class OwnSignatureController {
  constructor(private readonly signatures: SignaturesService) {}

  /** Read your signature. */
  @Get()
  @MembersOnly()
  @Answers(SignatureDto)
  getSignature(@CurrentMember() caller: MemberCaller): Promise<Json<SignatureDto>> {
    return this.signatures.ofMember(caller);
  }

  /** Set your signature. Your mails end with it, on both sides, instead of the mailbox's. */
  @Put()
  @MembersOnly()
  @Answers(SignatureDto)
  setSignature(@CurrentMember() caller: MemberCaller, @Body() { body }: SetSignatureDto): Promise<Json<SignatureDto>> {
    return this.signatures.setOfMember(caller, body);
  }
}

@OperationGroup("conversations")
@Controller("api/conversations/:id/mail-frame")
export class MailFrameController {
  constructor(private readonly signatures: SignaturesService) {}

  /** See what goes below a reply by mail. It has your signature. Without a mailbox it is empty. */
  @Get()
  @RequireScope("conversations:read")
  @Answers(MailFrameDto)
  mailFrame(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Query() { quote }: MailFrameQueryDto,
  ): Promise<Json<MailFrameDto>> {
    return this.signatures.frame(caller, id, quote);
  }
}
