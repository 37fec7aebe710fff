import { Injectable, type OnModuleInit } from "@nestjs/common";
import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { TenantProvisioned } from "../../workspaces/workspace-events.js";

const ADD_PLATFORM_AGENTS = query()(
  "agents.add-platform",
  { unrestricted: "a new tenant is made by the system" },
  () => sql`select add_platform_agents(${TENANT}::uuid)`,
);

/** Gives every new tenant the agents of the platform; platform-agents.sql defines them. */
@Injectable()
export class PlatformAgents implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.handle(TenantProvisioned, async (tx) => void (await tx.query(ADD_PLATFORM_AGENTS, {})));
  }
}
