import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { AttachmentsService } from "./attachments/attachments.service.js";
import type { Caller } from "../platform/caller/caller.js";
import { callerId } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import type { Query } from "../platform/database/statements.js";
import type { Tx } from "../platform/database/transaction.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import { ARCHIVED, ERASED, notFound } from "../platform/http/errors.js";
import { Json, type Page } from "../platform/http/json.js";
import { assertAnswering } from "./answering-agent.js";
import {
  EntriesCited,
  type ForPeople,
  MailNamed,
  MessageQueued,
  MessageReceived,
  type NotedMail,
} from "./conversation-events.js";
import type { BodyFormat, MessageAuthentication, MessageEntity } from "./conversation.entity.js";
import type {
  CitationDto,
  ListMessagesDto,
  MailHeaderDto,
  MessageDto,
  AddNoteDto,
  SendReplyDto,
  ReplySentDto,
  SentMessageDto,
} from "./messages.dto.js";
import {
  APPEND,
  APPEND_ANSWER,
  APPEND_QUESTION,
  type AppendArgs,
  type Appended,
  CITE,
  FIND_MESSAGES_BY_EXTERNAL_ID,
  FIND_MESSAGES_BY_ID,
  FORGET_SENT_DRAFT,
  GET_MESSAGE,
  IS_FETCHED,
  LIST_MESSAGES,
  REPLY_IN_ONE_STATEMENT,
  REPLY_THEN,
  type ReplyThenArgs,
  type SentDraft,
  SET_DELIVERY_STATUS,
} from "./messages.queries.js";
import type { Then } from "./lifecycle/lifecycle.js";
import { keepNamed, type Recipients, recipientsOf } from "./participants/recipients.js";
import { PrivateTexts } from "./private-texts.js";
import type { Quote } from "./quote.js";
import { COUNT_READERS } from "./readers.js";
import { FollowUpConversations } from "./reopening.js";
import type { SenderProof } from "./sender-proof.js";

type NewMessage = Pick<MessageEntity, "direction" | "authorType" | "body"> & {
  bodyFormat?: MessageEntity["bodyFormat"];
  externalId?: string | null;
  clientMessageId?: string | null;
  occurredAt?: string | null;
  authentication?: string | null;
  senderProof?: SenderProof;
  takeOver?: boolean;
  attachmentIds?: readonly string[];
  ifLastSequence?: number;
  holdSeconds?: number;
  mentions?: readonly string[];
  quote?: Quote;
  recipients?: Recipients | null;
  participantId?: string | null;
  forPeople?: ForPeople;
  mail?: MailHeaderDto;
};

/** A message from the contact, as a channel brings it in. */
export interface ReceivedMessage extends SentMessageDto {
  /** Only of mails. */
  authentication?: MessageAuthentication | null;
  senderProof: SenderProof;
  /** Of a mail with others in copy. */
  recipients?: Recipients | null;
  /** The contact who wrote it, if that is not the conversation's but a participant. */
  participantId?: string | null;
  /** No agent may answer it. */
  forPeople?: ForPeople;
}

/** What the events of a message name and its row does not. */
interface Aside {
  quote?: Quote;
  forPeople?: ForPeople;
  mail?: MailHeaderDto;
}

/** The statuses that each delivery status may follow. */
const MAY_FOLLOW = {
  queued: ["held"],
  sent: ["queued", "failed"],
  delivered: ["queued", "sent", "failed"],
  read: ["queued", "sent", "delivered", "failed"],
  failed: ["queued", "sent"],
} as const;

@Injectable()
export class MessagesService {
  constructor(
    private readonly db: Database,
    private readonly followUps: FollowUpConversations,
    private readonly attachments: AttachmentsService,
    private readonly events: DomainEvents,
    private readonly privateTexts: PrivateTexts,
  ) {}

  /**
   * Records the delivery status of an outbound message. A late or repeated status changes nothing. `queued` ends a hold.
   * @returns whether it changed anything
   */
  async delivery(tx: Tx, messageId: string, status: keyof typeof MAY_FOLLOW): Promise<boolean> {
    const [changed] = await tx.query(SET_DELIVERY_STATUS, { messageId, status, from: MAY_FOLLOW[status] });
    if (changed) tx.changesWorkspace(changed.workspaceId);
    return changed !== undefined;
  }

  /** An API key that is the channel itself reads messages as the contact receives them, because it passes them on. */
  async list(
    caller: Caller,
    conversationId: string,
    { order = "asc", externalId, id, limit = 25, cursor }: ListMessagesDto,
  ): Promise<Json<Page<MessageDto>>> {
    if (id !== undefined && externalId !== undefined) throw new BadRequestException("Name the id or the externalId");
    const statement = id
      ? FIND_MESSAGES_BY_ID
      : externalId === undefined
        ? LIST_MESSAGES[order]
        : FIND_MESSAGES_BY_EXTERNAL_ID;
    const page = await this.db.page(caller, statement, { conversationId, externalId, id }, { limit, cursor });
    if (caller.kind !== "apiKey" || !this.privateTexts.occurIn(page.bytes)) return page;
    if (!(await this.db.read(caller, IS_FETCHED, { conversationId })).parse().fetched) return page;
    const { data, ...rest } = page.parse();
    return Json.of({
      data: data.map((message) => ({ ...message, body: this.revealed(caller, message) })),
      ...rest,
    }).tagged(page.etag);
  }

  /** Adds a message from the contact: 201 for a new one, 200 for one that exists. */
  receive(caller: Caller, conversationId: string, body: SentMessageDto): Promise<Json<MessageDto>> {
    return this.db.transaction(caller, async (tx) =>
      this.answer(tx, await this.receiveWithin(tx, conversationId, { ...body, senderProof: "channel" })),
    );
  }

  async receiveWithin(
    tx: Tx,
    conversationId: string,
    { authentication = null, ...body }: ReceivedMessage,
  ): Promise<Appended> {
    const message: NewMessage = {
      direction: "inbound",
      authorType: "contact",
      ...withMailId(body),
      authentication: authentication && JSON.stringify(authentication),
    };
    const appended = await this.append(tx, this.args(tx.caller, conversationId, message));
    if (!appended.closed || appended.messageId) return this.allowed(appended);
    const known = body.externalId ? await this.followUps.findMessage(tx, conversationId, body.externalId) : undefined;
    if (known) return { ...appended, messageId: known };
    return this.allowed(
      await this.append(tx, this.args(tx.caller, await this.followUps.findOrStart(tx, conversationId), message)),
    );
  }

  /**
   * Replies to the contact. The reply takes over from the assistant, unless `keepAssistant` is set or an agent
   * answers.
   */
  reply(
    caller: Caller,
    conversationId: string,
    { keepAssistant, agentId, citations = [], draftUpdatedAt, then, snoozeUntil, ...given }: SendReplyDto,
  ): Promise<Json<ReplySentDto>> {
    assertMove(then, snoozeUntil);
    if (agentId && keepAssistant === false)
      throw new BadRequestException(
        "keepAssistant must not be false with agentId: what an agent answers leaves the conversation with the assistant",
      );
    const draft = sentDraft(caller, conversationId, draftUpdatedAt);
    const isLate = snoozeUntil !== undefined && Date.parse(snoozeUntil) <= Date.now();
    const { to, cc, bcc, subject, ...body } = given;
    const people = { to, cc, bcc, subject };
    const args: AppendArgs & ReplyThenArgs = {
      ...this.args(caller, conversationId, {
        direction: "outbound",
        authorType: agentId ? "assistant" : authorType(caller),
        ...body,
        takeOver: !agentId && !keepAssistant,
      }),
      ...(agentId && { authorId: agentId }),
      ...(snoozeUntil && { snoozeUntil }),
      ...(then === "resolve" && { by: callerId(caller) }),
    };
    const common = {
      statement: then ? REPLY_THEN[then].inOneStatement : REPLY_IN_ONE_STATEMENT,
      args,
      answer: Json.of<ReplySentDto>({ ok: true, messageId: args.id }),
    };
    return this.db.transaction(
      caller,
      async (tx) => {
        const recipients = await recipientsOf(tx, conversationId, people, { toAll: !agentId });
        const appended = this.allowed(
          await this.append(tx, { ...args, recipients: asJson(recipients) }, then && REPLY_THEN[then].append),
        );
        if (appended.created && recipients) await keepNamed(tx, conversationId, recipients);
        // A repeated request gets the reply that was written, also after the time.
        if (appended.created && isLate) throw new BadRequestException("snoozeUntil must be ahead of now");
        if (appended.created && agentId) await assertAnswering(tx, conversationId, agentId);
        if (appended.created && citations.length) await this.cite(tx, appended, citations);
        if (appended.created && citations.length && !agentId)
          await this.publishCited(tx, conversationId, appended, citations);
        if (draft) await tx.query(FORGET_SENT_DRAFT, draft);
        return Json.of<ReplySentDto>({ ok: true, messageId: appended.messageId! });
      },
      // Attachments, citations, agents, drafts, recipients and channels that send need additional statements.
      Object.values(people).some((named) => named !== undefined) ||
        args.attachmentIds?.length ||
        citations.length ||
        agentId ||
        draft ||
        args.holdSeconds ||
        isLate
        ? undefined
        : common,
    );
  }

  /** Writes the first message of a conversation that your side starts. */
  async replyWithin(
    tx: Tx,
    conversationId: string,
    { to, cc, bcc, ...body }: Pick<SendReplyDto, "body" | "bodyFormat" | "attachmentIds" | "to" | "cc" | "bcc">,
  ): Promise<void> {
    const recipients = await recipientsOf(tx, conversationId, { to, cc, bcc }, { toAll: true });
    this.allowed(
      await this.append(
        tx,
        this.args(tx.caller, conversationId, {
          direction: "outbound",
          authorType: authorType(tx.caller),
          ...body,
          takeOver: true,
          recipients,
        }),
      ),
    );
    if (recipients) await keepNamed(tx, conversationId, recipients);
  }

  /** Writes the note about a mail to others than the contact, and sends it. @returns the note's id, and whether it is new */
  async mailedNoteWithin(
    tx: Tx,
    conversationId: string,
    note: { body: string; recipients: Recipients; clientMessageId?: string },
    mail: NotedMail,
  ): Promise<{ messageId: string; created: boolean }> {
    const args = this.args(tx.caller, conversationId, {
      direction: "internal",
      authorType: authorType(tx.caller),
      ...note,
    });
    const { channelId, sequence, erased, archived, messageId, created } = await this.append(tx, args);
    if (erased) throw new ConflictException(ERASED);
    if (archived && created) throw new ConflictException(ARCHIVED);
    if (!created) return { messageId: messageId!, created };
    await this.events.publish(
      tx,
      new MessageQueued({
        id: args.id,
        conversationId,
        channelId,
        sequence: sequence!,
        body: mail.body,
        bodyFormat: "text",
        authorType: args.authorType,
        authorId: args.authorId,
        attachmentIds: [],
        recipients: note.recipients,
        mail,
      }),
    );
    return { messageId: args.id, created };
  }

  /** Writes an internal note: 201 for a new one, 200 for one that exists. */
  note(
    caller: Caller,
    conversationId: string,
    { draftUpdatedAt, mentions = [], ...body }: AddNoteDto,
  ): Promise<Json<MessageDto>> {
    const draft = sentDraft(caller, conversationId, draftUpdatedAt);
    const note: NewMessage = { direction: "internal", authorType: authorType(caller), ...withMailId(body) };
    if (mentions.length) note.mentions = mentions;
    return this.db.transaction(caller, async (tx) => {
      const appended = this.allowed(await this.append(tx, this.args(caller, conversationId, note)));
      if (appended.created && mentions.length) await this.assertReaders(tx, conversationId, mentions);
      if (draft) await tx.query(FORGET_SENT_DRAFT, draft);
      return this.answer(tx, appended);
    });
  }

  /** Writes a note about a report from a channel. For an erased contact nothing is written. */
  noteWithin(
    tx: Tx,
    conversationId: string,
    note: Pick<AddNoteDto, "body" | "externalId" | "attachmentIds" | "mentions">,
  ): Promise<Appended> {
    return this.append(tx, {
      ...this.args(tx.caller, conversationId, { direction: "internal", authorType: "system", ...note }),
      authorId: null,
    });
  }

  /**
   * Writes a system message to the contact. It does not count as a reply, and the assistant keeps the conversation.
   * Only the contact sees the text behind placeholders of `PrivateTexts`.
   * @throws ConflictException: there is no way to reach the contact
   */
  async announceWithin(
    tx: Tx,
    conversationId: string,
    { id, ...message }: { id: string; body: string; bodyFormat?: BodyFormat },
  ): Promise<void> {
    this.allowed(
      await this.append(tx, {
        ...this.args(tx.caller, conversationId, { direction: "outbound", authorType: "system", ...message }),
        id,
        authorId: null,
      }),
    );
  }

  /**
   * Writes what an agent says to the contact, unless it must not: a person handles the conversation or has replied, the contact
   * has written again, it is resolved, or the agent is off. Lock the conversation first, in a statement of its own.
   * @param answer `afterSequence`: the message that it answers. `confidence`: 0 to 1. `asks`: it is a question, and the
   * conversation waits for the contact
   * @returns the message's id, or undefined if nothing was written
   * @throws NotFoundException (a cited entry is no longer approved), ConflictException (it cannot be delivered)
   */
  async answerWithin(
    tx: Tx,
    conversationId: string,
    answer: {
      agentId: string;
      body: string;
      bodyFormat?: BodyFormat;
      afterSequence: number;
      citations?: CitationDto[];
      confidence?: number;
      asks?: boolean;
      choices?: readonly string[];
    },
  ): Promise<string | undefined> {
    const { agentId, afterSequence: ifLastSequence, citations = [], confidence, asks = false, ...said } = answer;
    const args = {
      ...this.args(tx.caller, conversationId, {
        direction: "outbound",
        authorType: "assistant",
        ...said,
        ifLastSequence,
      }),
      authorId: agentId,
    };
    const appended = await this.append(tx, args, asks ? APPEND_QUESTION : APPEND_ANSWER);
    if (!appended.created) return undefined;
    if (citations.length) await this.cite(tx, appended, citations, confidence);
    return args.id;
  }

  private revealed(
    { tenantId }: Caller,
    { id, body, direction, authorType }: Pick<AppendArgs, "id" | "body" | "direction" | "authorType">,
  ): string {
    const announced = direction === "outbound" && authorType === "system";
    return this.privateTexts.reveal(tenantId, { id, body, announced });
  }

  private args(caller: Caller, conversationId: string, { recipients, ...message }: NewMessage): AppendArgs & Aside {
    const authorId = callerId(caller);
    const broughtBy = message.direction === "inbound" && ["apiKey", "member"].includes(caller.kind) ? authorId : null;
    const people = recipients && { recipients: asJson(recipients) };
    return {
      bodyFormat: "text",
      takeOver: false,
      ...message,
      ...people,
      conversationId,
      id: uuid(),
      authorId,
      broughtBy,
    };
  }

  private async append(
    tx: Tx,
    args: AppendArgs & ReplyThenArgs & Aside,
    statement: Query<AppendArgs & ReplyThenArgs, Appended> = APPEND,
  ): Promise<Appended> {
    const [appended] = await tx.query(statement, args);
    if (!appended) throw notFound();
    tx.changesWorkspace(appended.workspaceId);
    if (appended.created && args.holdSeconds && !appended.delivers)
      throw new BadRequestException("holdSeconds is for channels that send, mail and SMS. Leave it out here");
    if (appended.created && args.attachmentIds?.length)
      await this.attachments.attach(
        tx,
        { conversationId: args.conversationId, messageId: args.id },
        args.attachmentIds,
      );
    if (appended.created && appended.delivers && args.direction === "outbound")
      await this.events.publish(
        tx,
        new MessageQueued({
          id: args.id,
          conversationId: args.conversationId,
          channelId: appended.channelId,
          sequence: appended.sequence!,
          body: this.revealed(tx.caller, args),
          bodyFormat: args.bodyFormat ?? "text",
          authorType: args.authorType,
          authorId: args.authorId,
          ...(args.quote && { quote: args.quote }),
          attachmentIds: args.attachmentIds ?? [],
          ...(args.holdSeconds && { holdSeconds: args.holdSeconds }),
          recipients: args.recipients == null ? null : (JSON.parse(args.recipients) as Recipients),
        }),
      );
    if (appended.created && args.direction === "inbound")
      await this.events.publish(
        tx,
        new MessageReceived(args.id, args.conversationId, args.participantId != null ? "participant" : args.forPeople),
      );
    if (appended.created && args.mail) await this.nameMail(tx, args, args.mail);
    return appended;
  }

  private async nameMail(
    tx: Tx,
    { id, conversationId }: AppendArgs,
    { messageId, inReplyTo, references = [] }: MailHeaderDto,
  ): Promise<void> {
    const ids = [messageId, inReplyTo, ...references].filter((one) => one !== undefined);
    await this.events.publish(tx, new MailNamed(id, conversationId, ids, messageId ?? null));
  }

  /** @throws NotFoundException unless each of these members can read the conversation */
  private async assertReaders(tx: Tx, conversationId: string, ids: readonly string[]): Promise<void> {
    const [found] = await tx.query(COUNT_READERS, { conversationId, ids });
    if (found?.count !== ids.length) throw notFound("member in mentions");
  }

  /** @throws NotFoundException unless each citation is an entry of the conversation's workspace that was approved */
  private async cite(
    tx: Tx,
    { messageId, workspaceId }: Appended,
    citations: CitationDto[],
    confidence?: number,
  ): Promise<void> {
    const cited = await tx.query(CITE, {
      messageId,
      workspaceId,
      citations: JSON.stringify(citations),
      ids: citations.map(({ kbEntryId }) => kbEntryId),
      confidence,
    });
    if (cited.length !== citations.length) throw notFound("kbEntryId in citations");
  }

  private publishCited(
    tx: Tx,
    conversationId: string,
    { messageId, workspaceId }: Appended,
    citations: CitationDto[],
  ): Promise<void> {
    const ids = citations.map(({ kbEntryId }) => kbEntryId);
    return this.events.publish(tx, new EntriesCited(messageId!, conversationId, workspaceId, ids));
  }

  private allowed(appended: Appended): Appended {
    if (!appended.messageId && appended.erased) throw new ConflictException(ERASED);
    if (!appended.messageId && appended.archived) throw new ConflictException(ARCHIVED);
    if (!appended.messageId && appended.newer !== null)
      throw new ConflictException(
        `The conversation has a newer message (lastSequence ${appended.newer}). Read it before you reply`,
      );
    return appended;
  }

  private async answer(tx: Tx, { messageId, created }: Appended): Promise<Json<MessageDto>> {
    const message = await tx.read(GET_MESSAGE, { id: messageId! });
    return created ? message.created() : message;
  }
}

const authorType = ({ kind }: Caller): MessageEntity["authorType"] =>
  kind === "apiKey" ? "api" : kind === "member" ? "member" : "system";

/** @throws BadRequestException: it has two ids */
function withMailId<Given extends { externalId?: string | null; mail?: MailHeaderDto }>(given: Given): Given {
  const id = given.mail?.messageId;
  if (id === undefined) return given;
  if (given.externalId != null && given.externalId !== id)
    throw new BadRequestException("externalId must be mail.messageId, or left out");
  return { ...given, externalId: id };
}

const asJson = (recipients: Recipients | null): string | null => recipients && JSON.stringify(recipients);

/** @throws BadRequestException: `snoozeUntil` is missing, or too much */
function assertMove(then: Then | undefined, snoozeUntil: string | undefined): void {
  if ((then === "snooze") !== (snoozeUntil !== undefined))
    throw new BadRequestException("Give snoozeUntil with then: snooze, and only then");
}

/**
 * The draft that a message is made from.
 * @throws BadRequestException: an API key has no drafts
 */
function sentDraft(caller: Caller, conversationId: string, updatedAt: string | undefined): SentDraft | undefined {
  if (updatedAt === undefined) return undefined;
  if (caller.kind !== "member") throw new BadRequestException("draftUpdatedAt is for members: API keys have no drafts");
  return { conversationId, memberId: caller.memberId, updatedAt };
}
