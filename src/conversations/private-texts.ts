import { Injectable } from "@nestjs/common";

type Reveal = (tenantId: string, messageId: string) => string;

/**
 * Text in a message of the system's own that only the contact may read, for example a personal link. The stored body, and
 * so everything that operators see, has a placeholder in its place. The feature that writes such messages registers the
 * placeholder and makes the text from the message's id, so it is stored nowhere.
 */
@Injectable()
export class PrivateTexts {
  private readonly placeholders = new Map<string, Reveal>();

  register(placeholder: string, reveal: Reveal): void {
    this.placeholders.set(placeholder, reveal);
  }

  occurIn(text: string): boolean {
    return [...this.placeholders.keys()].some((placeholder) => text.includes(placeholder));
  }

  /**
   * The body as the contact reads it.
   * @param announced whether it is a message of the system's own: in any other, a placeholder is what its author wrote
   */
  reveal(tenantId: string, { id, body, announced }: { id: string; body: string; announced: boolean }): string {
    if (!announced) return body;
    let revealed = body;
    for (const [placeholder, reveal] of this.placeholders)
      revealed = revealed.replaceAll(placeholder, () => reveal(tenantId, id));
    return revealed;
  }
}
