import { randomUUID, timingSafeEqual } from "node:crypto";
import { BadRequestException, Injectable, type OnModuleDestroy } from "@nestjs/common";
import { IncomingMessagesService } from "../incoming-messages.service.js";
import { VisitorWrote } from "../visitor-wrote.js";
import { applyChange, conversationChange } from "../../conversations/conversation-change.js";
import { become } from "../../conversations/lifecycle/lifecycle.queries.js";
import { literal, sql } from "../../platform/database/sql.js";
import { Database } from "../../platform/database/database.js";
import { rateLease } from "../../platform/database/rate-lease.js";
import { type Sealer, Sealers } from "../../platform/database/seal.js";
import type { Tx } from "../../platform/database/transaction.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { RetryLater } from "../../platform/http/errors.js";
import { Json, type Ok, ok } from "../../platform/http/json.js";
import { clientOf, RateLimiter } from "../../platform/http/rate-limit.js";
import type { PublicContactFormDto, SubmitContactFormDto } from "./public-widgets.dto.js";
import { type ContactForm, PublicWidgetsService, visitorOf } from "./public-widgets.service.js";
import { textFingerprint, type SpamSign, detectSpam } from "./spam-detection.js";

/** How many messages one address may send through a form in this window, over all processes. */
const WINDOW_SECONDS = 600;
const MAX_PER_ADDRESS = 10;
/** Above this, messages of all addresses together are labelled. They are not refused: strangers could silence a form. */
const MAX_UNLABELLED = 200;
/** A text that comes more often in a day counts as repeated. */
const TEXT_SECONDS = 86_400;
const MAX_PER_TEXT = 3;

const SUSPECTED = "suspected-spam";
const MARK_SUSPECTED = conversationChange()("forms.markSuspected", () => ({
  set: sql`labels = array[${literal(SUSPECTED)}]`,
  changes: sql`true`,
}));
const CLOSE_AS_SPAM = conversationChange()("forms.closeAsSpam", () => ({
  set: sql`labels = array[${literal(SUSPECTED)}], ${become("spam", sql`t.at`, {})}`,
  changes: sql`true`,
}));

/** Turns messages sent with contact forms into conversations. */
@Injectable()
export class FormSubmissionsService implements OnModuleDestroy {
  private readonly sealer: Sealer;
  private readonly ofAddress: RateLimiter;
  private readonly ofForm: RateLimiter;
  private readonly ofText: RateLimiter;

  constructor(
    private readonly db: Database,
    private readonly widgets: PublicWidgetsService,
    private readonly incoming: IncomingMessagesService,
    private readonly events: DomainEvents,
    sealers: Sealers,
  ) {
    this.sealer = sealers.for("contact form");
    const lease = rateLease(db, WINDOW_SECONDS);
    this.ofAddress = new RateLimiter(MAX_PER_ADDRESS, lease, WINDOW_SECONDS);
    this.ofForm = new RateLimiter(MAX_UNLABELLED, lease, WINDOW_SECONDS);
    this.ofText = new RateLimiter(MAX_PER_TEXT, rateLease(db, TEXT_SECONDS), TEXT_SECONDS);
  }

  onModuleDestroy(): void {
    for (const limiter of [this.ofAddress, this.ofForm, this.ofText]) limiter.stop();
  }

  async look(key: string): Promise<Json<PublicContactFormDto>> {
    const {
      id,
      language,
      settings: { title, colour, placeholder, fields, thankYou, consent },
    } = await this.widgets.form(key);
    return Json.of({
      title,
      colour,
      language,
      placeholder,
      fields,
      thankYou,
      consent,
      start: this.startOf(id, Date.now().toString(36)),
    });
  }

  /**
   * Always starts a new conversation: an address in a form is not proven to be the sender's.
   * @throws NotFoundException, BadRequestException (a required field is missing), RetryLater
   */
  async submit(key: string, ip: string, body: SubmitContactFormDto): Promise<Json<Ok>> {
    const form = await this.widgets.form(key);
    assertComplete(form, body);
    await this.assertNotTooMany(form, ip);
    const { allowed: usual } = await this.ofForm.take(`form ${form.id}`);
    const suspicions = detectSpam({
      ...body,
      age: this.ageOf(form.id, body.start),
      repeated: await this.isRepeated(form, body.message),
      flood: !usual,
    });
    await this.db.transaction(visitorOf(form, "publicWidgets.submitContactForm"), (tx) =>
      this.store(tx, form, ip, body, suspicions),
    );
    return new Json(ok().text, 201);
  }

  private async store(
    tx: Tx,
    form: ContactForm,
    ip: string,
    { name, email, phone, subject, message, submissionId = randomUUID() }: SubmitContactFormDto,
    suspicions: SpamSign[],
  ): Promise<void> {
    const {
      id: widgetId,
      settings: { consent },
    } = form;
    const agreed = consent === null ? {} : { consent, consentedAt: new Date().toISOString() };
    const received = await this.incoming.receive(
      tx,
      { id: form.channelId, workspaceId: form.workspaceId },
      {
        from: { kind: "email", value: email, name },
        senderProof: "none",
        externalId: `${widgetId} ${submissionId}`,
        conversationId: null,
        subject,
        body: message,
        metadata: {
          contactForm: {
            widgetId,
            widget: form.name,
            name,
            email,
            phone,
            ...agreed,
            ...(suspicions.length && { suspicions }),
          },
        },
      },
    );
    if (received?.created) await this.events.publish(tx, new VisitorWrote(received.conversationId, clientOf(ip)));
    if (received?.created && suspicions.length)
      await applyChange(tx, suspicions.includes("honeypot") ? CLOSE_AS_SPAM : MARK_SUSPECTED, {
        id: received.conversationId,
      });
  }

  private async assertNotTooMany({ id }: ContactForm, ip: string): Promise<void> {
    const { allowed, resetSeconds } = await this.ofAddress.take(`form ${id} ${clientOf(ip)}`);
    if (!allowed)
      throw new RetryLater(`Too many messages: try again in ${Math.ceil(resetSeconds / 60)} minutes`, resetSeconds);
  }

  /** Texts are counted by a keyed hash, which does not reveal them. */
  private async isRepeated({ id }: ContactForm, message: string): Promise<boolean> {
    const text = textFingerprint(message);
    return (
      text !== null && !(await this.ofText.take(`text ${id} ${this.sealer.hash(text).toString("base64url")}`)).allowed
    );
  }

  /** When the form was opened, in base 36 and signed. Nothing is stored for forms that are never sent. */
  private startOf(widgetId: string, at: string): string {
    return `${at}.${this.sealer.hash(`${widgetId} ${at}`).toString("base64url")}`;
  }

  private ageOf(widgetId: string, start = ""): number | null {
    const [at, seal] = start.split(".") as [string, string | undefined];
    const given = Buffer.from(seal ?? "", "base64url");
    const ours = this.sealer
      .hashes(`${widgetId} ${at}`)
      .some((hash) => hash.length === given.length && timingSafeEqual(hash, given));
    return ours ? Date.now() - parseInt(at, 36) : null;
  }
}

/** @throws BadRequestException: names what is missing */
function assertComplete({ settings: { fields, consent } }: ContactForm, body: SubmitContactFormDto): void {
  const missing = (["name", "phone", "subject"] as const).filter(
    (field) => fields[field] === "required" && body[field] === undefined,
  );
  if (missing.length) throw new BadRequestException(missing.map((field) => `${field} must be given`).join("; "));
  if (consent !== null && body.consent !== true) throw new BadRequestException("consent must be given");
}
