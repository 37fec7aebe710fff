import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../auth/access/access.js";
import { OneRead } from "../auth/access/known-polls.js";
import type { Caller } from "../platform/caller/caller.js";
import type { Json, Page } from "../platform/http/json.js";
import { Answers, AnswersPage } from "../platform/http/openapi.js";
import { Tag } from "../platform/http/openapi/tags.js";
import { IdPipe } from "../platform/http/validation.js";
import {
  ComposeConversationDto,
  ConversationDto,
  ListConversationsDto,
  StartConversationDto,
  UpdateConversationDto,
} from "./conversations.dto.js";
import { ConversationsService } from "./conversations.service.js";
import { ListMessagesDto, MessageDto, AddNoteDto, SendReplyDto, ReplySentDto, SentMessageDto } from "./messages.dto.js";
import { MessagesService } from "./messages.service.js";

@Tag("Conversations", ["conversations", "bulkActions", "labels"], {
  order: 10,
  description:
    "Conversations between a contact and your side, their messages and notes, their labels, and who handles them.",
})
@Controller("api/conversations")
export class ConversationsController {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly messages: MessagesService,
  ) {}

  /**
   * List conversations. The newest activity comes first, or with `sort=waiting` the contact who has waited longest. A page
   * reads at most 2,000 conversations of a status or workspace for filters that have no index of their own, so it can have
   * fewer items than `limit`. The list has ended where `nextCursor` is missing.
   */
  @Get()
  @RequireScope("conversations:read")
  @OneRead()
  @AnswersPage(ConversationDto)
  list(@CurrentCaller() caller: Caller, @Query() query: ListConversationsDto): Promise<Json<Page<ConversationDto>>> {
    return this.conversations.list(caller, query);
  }

  /** Read one conversation. */
  @Get(":id")
  @RequireScope("conversations:read")
  @OneRead()
  @Answers(ConversationDto)
  get(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<ConversationDto>> {
    return this.conversations.get(caller, id);
  }

  /**
   * Start a conversation from the contact's side. If the workspace already has a conversation with this `externalId`,
   * you get that one, unchanged, with 200.
   */
  @Post()
  @RequireScope("conversations:write")
  @Answers(ConversationDto, { status: 201 })
  @Answers(ConversationDto, { description: "It was there already" })
  start(@CurrentCaller() caller: Caller, @Body() body: StartConversationDto): Promise<Json<ConversationDto>> {
    return this.conversations.start(caller, body);
  }

  /**
   * Write to a contact in a new conversation. A human handles it from the start. It is assigned to the member who
   * writes; if an API key writes, it has no assignee yet.
   */
  @Post("compose")
  @RequireScope("conversations:write")
  @Answers(ConversationDto, { status: 201 })
  compose(@CurrentCaller() caller: Caller, @Body() body: ComposeConversationDto): Promise<Json<ConversationDto>> {
    return this.conversations.compose(caller, body);
  }

  /** Change what a conversation is about. Only the fields that you give change. */
  @Patch(":id")
  @RequireScope("conversations:write")
  @Answers(ConversationDto)
  update(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateConversationDto,
  ): Promise<Json<ConversationDto>> {
    return this.conversations.update(caller, id, body);
  }

  /** List the messages of a conversation, oldest first. Internal notes are among them. */
  @Get(":id/messages")
  @RequireScope("conversations:read")
  @AnswersPage(MessageDto)
  listMessages(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Query() query: ListMessagesDto,
  ): Promise<Json<Page<MessageDto>>> {
    return this.messages.list(caller, id, query);
  }

  /**
   * Add a message from the contact. It opens a pending, snoozed or resolved conversation. More than 7 days after the
   * conversation was resolved, the message starts a new one instead: its `previousConversationId` links to the old
   * one, and the message's `conversationId` names the new one.
   */
  @Post(":id/messages")
  @RequireScope("conversations:write")
  @Answers(MessageDto, { status: 201 })
  @Answers(MessageDto, { description: "It was there already" })
  receive(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: SentMessageDto,
  ): Promise<Json<MessageDto>> {
    return this.messages.receive(caller, id, body);
  }

  /**
   * Reply to the contact. A human reply takes over from the assistant unless `keepAssistant` is true. If the
   * conversation has no assignee, a member who replies becomes the assignee. With `agentId`, an API key answers as an
   * agent that works in the workspace.
   */
  @Post(":id/reply")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @Answers(ReplySentDto)
  reply(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: SendReplyDto,
  ): Promise<Json<ReplySentDto>> {
    return this.messages.reply(caller, id, body);
  }

  /** Add an internal note. The contact never sees it. */
  @Post(":id/notes")
  @RequireScope("conversations:write")
  @Answers(MessageDto, { status: 201 })
  @Answers(MessageDto, { description: "It was there already" })
  addNote(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: AddNoteDto,
  ): Promise<Json<MessageDto>> {
    return this.messages.note(caller, id, body);
  }
}
