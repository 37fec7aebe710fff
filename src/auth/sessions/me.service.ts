import { Injectable } from "@nestjs/common";
import type { Caller, MemberCaller } from "../../platform/caller/caller.js";
import { Changes } from "../../platform/database/changes.js";
import { Database } from "../../platform/database/database.js";
import { Json } from "../../platform/http/json.js";
import type { MemberDto } from "../members/members.dto.js";
import { MemberEntity, type Presence } from "../members/member.entity.js";
import { announcePresence } from "../members/presence-changed.js";
import { GET_MEMBER } from "../members/members.queries.js";
import type { MeDto } from "./sessions.dto.js";

@Injectable()
export class MeService {
  constructor(
    private readonly db: Database,
    private readonly changes: Changes,
  ) {}

  async describe(caller: Caller): Promise<Json<MeDto>> {
    if (caller.kind !== "apiKey" && caller.kind !== "member")
      throw new Error("only API keys and members can ask who they are");
    const { tenantId, environment, reach } = caller;
    const common = {
      tenantId,
      environment,
      reach: {
        level: reach.level,
        brandId: reach.level === "brand" ? reach.brandId : null,
        workspaceIds: reach.level === "workspaces" ? [...reach.workspaceIds] : null,
      },
    };
    if (caller.kind === "apiKey")
      return Json.of<MeDto>({
        kind: "apiKey",
        id: caller.keyId,
        name: caller.keyName,
        ...common,
        scopes: [...caller.scopes],
        role: null,
      });
    const member = (await this.db.read(caller, GET_MEMBER, { id: caller.memberId })).parse();
    return Json.of<MeDto>({
      kind: "member",
      id: member.id,
      name: member.name,
      ...common,
      scopes: null,
      role: caller.role,
    });
  }

  setPresence(caller: MemberCaller, presence: Presence): Promise<Json<MemberDto>> {
    const { memberId } = caller;
    return this.db.transaction(caller, async (tx) => {
      // No polled list shows it: the members are read from the database each time. Streams are told.
      tx.changesNothingVisible();
      const shown = (await tx.read(GET_MEMBER, { id: memberId })).parse().presence;
      await tx.update(MemberEntity, { id: memberId }, { presence, lastSeenAt: () => "now()" });
      if (presence !== shown) await announcePresence(tx, this.changes, { memberId, presence });
      return tx.read(GET_MEMBER, { id: memberId });
    });
  }
}
