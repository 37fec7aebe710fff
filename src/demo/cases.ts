import fs from "node:fs/promises";
import type { INestApplicationContext } from "@nestjs/common";
import { CurrentCallers } from "../auth/current-callers.js";
import { MemberEntity } from "../auth/members/member.entity.js";
import type { CaseStatus } from "../conversations/cases/case.entity.js";
import type { CreateCaseTypeDto } from "../conversations/cases/case-types.dto.js";
import { CaseTypesService } from "../conversations/cases/case-types.service.js";
import { CasesService } from "../conversations/cases/cases.service.js";
import { ConversationEntity, type Priority } from "../conversations/conversation.entity.js";
import { system } from "../platform/caller/caller.js";
import { beginRequest } from "../platform/caller/request-context.js";
import { ROOT } from "../platform/config/root.js";
import { Database } from "../platform/database/database.js";

interface Case {
  /** The external id of the conversation that it is about. */
  conversation: string;
  title: string;
  type?: string;
  fields?: Record<string, unknown>;
  status: CaseStatus;
  priority: Priority;
  dueInDays?: number;
}

/**
 * Opens the demo's cases as its owner, because API keys cannot, and gives them their statuses. What an interrupted start has
 * left is completed.
 */
export async function openCases(
  app: INestApplicationContext,
  { tenantId, workspaceId, email }: { tenantId: string; workspaceId: string; email: string },
): Promise<void> {
  const { types, cases } = JSON.parse(await fs.readFile(new URL("demo/cases.json", ROOT), "utf8")) as {
    types: CreateCaseTypeDto[];
    cases: Case[];
  };
  const demo = system("demo", tenantId, "live");
  const { owner, conversations } = await app.get(Database).transaction(demo, async (tx) => ({
    owner: (await tx.findOrThrow(MemberEntity, { email })).id,
    conversations: await tx.find(ConversationEntity, { workspaceId }),
  }));
  const caller = await app.get(CurrentCallers).withScope("cases:read", { kind: "member", id: owner }, demo);
  // The audit log gets the names of the operations.
  const during = (operation: string) => beginRequest({ ...caller }, operation);

  const typesService = app.get(CaseTypesService);
  const known = (await typesService.list(caller)).parse();
  for (const type of types)
    if (!known.some(({ key }) => key === type.key))
      known.push((await typesService.create(during("caseTypes.create"), type)).parse());

  const casesService = app.get(CasesService);
  const { data: opened } = (await casesService.list(caller, { workspaceId })).parse();
  for (const { conversation, title, type, fields, status, priority, dueInDays } of cases) {
    const { id, contactId } = conversations.find(({ externalId }) => externalId === conversation)!;
    const one =
      opened.find((other) => other.title === title) ??
      (
        await casesService.create(during("cases.create"), {
          workspaceId,
          title,
          typeId: known.find(({ key }) => key === type)?.id,
          fields,
          priority,
          contactId,
          conversationIds: [id],
          dueAt: dueInDays === undefined ? null : inDays(dueInDays),
        })
      ).parse();
    // A case that is in progress or resolved has an assignee.
    if (one.status !== status) await casesService.update(during("cases.update"), one.id, { status, assigneeId: owner });
  }
}

/** Five o'clock, some days from now. */
function inDays(days: number): string {
  const time = new Date(Date.now() + days * 86_400_000);
  time.setHours(17, 0, 0, 0);
  return time.toISOString();
}
