import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased } from "../../contacts/contact-events.js";
import { DomainEvents } from "../../platform/events/domain-events.js";

@Injectable()
export class AttentionPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    // The items of their conversations go: the reasons may tell what was asked for.
    this.events.handle(ContactsErased, async (tx, { conversationIds, erased }) => {
      const [gone] = await tx.query<{ items: number }>(
        `with gone as (
          delete from attention_item where tenant_id = :tenant and conversation_id = any(:conversationIds::uuid[]) returning conversation_id
        ), counted as (
          update conversation c set open_attention_count = 0 from gone where c.tenant_id = :tenant and c.id = gone.conversation_id
        ) select count(*)::int as items from gone`,
        { conversationIds },
      );
      erased.attentionItems += gone!.items;
    });
  }
}
