import type { ViewingChanged } from "../../conversations/viewing/viewing-changed.js";

/** What the event `typing` tells a visitor. It does not say who types. */
export interface TypingSign {
  conversationId: string;
  typing: boolean;
  until: string | null;
}
interface Lease {
  until: string;
  /** By the clock of this process, which may differ from the database's. */
  ends: number;
}
const LEASE_MS = 20_000;

/** Which members are typing in the conversations of one workspace. */
export class TypingMembers {
  private readonly conversations = new Map<string, Map<string, Lease>>();

  /** @returns what visitors see from now on; undefined if that is what they see already */
  note({ conversationId, memberId, state, until }: ViewingChanged): TypingSign | undefined {
    const members = this.conversations.get(conversationId) ?? new Map<string, Lease>();
    if (state === "typing" && until !== null) {
      this.conversations.set(conversationId, members.set(memberId, { until, ends: performance.now() + LEASE_MS }));
      return { conversationId, typing: true, until };
    }
    if (!members.delete(memberId)) return undefined;
    this.prune();
    const others = [...members.values()].map((lease) => lease.until).sort();
    return { conversationId, typing: others.length > 0, until: others.at(-1) ?? null };
  }

  /** Forgets whose lease has run out. Visitors know by `until`. */
  prune(): void {
    for (const [conversationId, members] of this.conversations) {
      for (const [memberId, { ends }] of members) if (ends <= performance.now()) members.delete(memberId);
      if (!members.size) this.conversations.delete(conversationId);
    }
  }
}
