import fs from "node:fs/promises";
import type { INestApplicationContext } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { MemberEntity } from "../auth/members/member.entity.js";
import { CannedReplyEntity } from "../conversations/canned-replies/canned-reply.entity.js";
import { system } from "../platform/caller/caller.js";
import { ROOT } from "../platform/config/root.js";
import { Database } from "../platform/database/database.js";

/** What the demo's owner replies with again and again, for all workspaces. What an interrupted start has left is completed. */
export async function addCannedReplies(
  app: INestApplicationContext,
  { tenantId, email }: { tenantId: string; email: string },
): Promise<void> {
  const replies = JSON.parse(await fs.readFile(new URL("demo/canned-replies.json", ROOT), "utf8")) as Pick<
    CannedReplyEntity,
    "shortcut" | "title" | "body"
  >[];
  await app.get(Database).transaction(system("demo", tenantId, "live"), async (tx) => {
    const { id: createdBy } = await tx.findOrThrow(MemberEntity, { email });
    for (const reply of replies)
      await tx.insertOrIgnore(CannedReplyEntity, {
        ...reply,
        id: uuid(),
        workspaceId: null,
        language: "en",
        createdBy,
      });
  });
}
