import { Injectable, type OnModuleInit } from "@nestjs/common";
import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { PrimaryLanguageChanged } from "../../workspaces/workspace-events.js";

const REINDEX = query<{ workspaceId: string; language: string }>()(
  "policies.reindex",
  { unrestricted: "the event comes from an update of the workspace, which is within the caller's reach" },
  ({ workspaceId, language }) => sql`select policy_reindex(${TENANT}::uuid, ${workspaceId}::uuid, ${language}::text)`,
);

/** The search index of policies follows the workspace's language, which decides how words are inflected. Triggers keep it otherwise. */
@Injectable()
export class PolicyIndexService implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.handle(PrimaryLanguageChanged, async (tx, changed) => {
      await tx.query(REINDEX, { workspaceId: changed.workspaceId, language: changed.language });
    });
  }
}
