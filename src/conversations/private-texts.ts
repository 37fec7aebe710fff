import { Injectable } from "@nestjs/common";

type Reveal = (tenantId: string, messageId: string) => string;

/**
 * Text in a system message that only the contact may read, for example a personal link. The stored body, and
 * everything that operators see, has a placeholder instead. The feature that writes such messages registers the
 * placeholder and computes the text from the message's id. The text is not stored.
 */
@Injectable()
export class PrivateTexts {
  private readonly placeholders = new Map<string, Reveal>();

  register(placeholder: string, reveal: Reveal): void {
    this.placeholders.set(placeholder, reveal);
  }

  occurIn(json: Buffer): boolean {
    return [...this.placeholders.keys()].some((placeholder) => json.includes(placeholder));
  }

  /**
   * The body as the contact reads it.
   * @param announced whether it is a system message; in other messages, a placeholder is ordinary text
   */
  reveal(tenantId: string, { id, body, announced }: { id: string; body: string; announced: boolean }): string {
    if (!announced) return body;
    let revealed = body;
    for (const [placeholder, reveal] of this.placeholders)
      revealed = revealed.replaceAll(placeholder, () => reveal(tenantId, id));
    return revealed;
  }
}
