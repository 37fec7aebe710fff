import { Injectable } from "@nestjs/common";
import type { MemberCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { Json } from "../../platform/http/json.js";
import { NotificationPreferencesDto, PreferencesDto } from "./preferences.dto.js";
import { GET_PREFERENCES, GET_SIGNATURE, PUT_PREFERENCES, PUT_SIGNATURE } from "./preferences.queries.js";

/** How a member wants the dashboard. */
@Injectable()
export class PreferencesService {
  constructor(private readonly db: Database) {}

  async get(caller: MemberCaller): Promise<Json<PreferencesDto>> {
    const { value } = (await this.db.read(caller, GET_PREFERENCES, { memberId: caller.memberId })).parse();
    const notifications = { ...new NotificationPreferencesDto(), ...value.notifications };
    return Json.of<PreferencesDto>({ ...new PreferencesDto(), ...value, notifications });
  }

  /** How the member's mails end. */
  signature(caller: MemberCaller): Promise<Json<{ body: string | null }>> {
    return this.db.read(caller, GET_SIGNATURE, { memberId: caller.memberId });
  }

  putSignature(caller: MemberCaller, body: string | null): Promise<Json<{ body: string | null }>> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      await tx.query(PUT_SIGNATURE, { memberId: caller.memberId, body });
      return Json.of({ body });
    });
  }

  put(caller: MemberCaller, preferences: PreferencesDto): Promise<Json<PreferencesDto>> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      const answer = Json.of<PreferencesDto>(preferences);
      await tx.query(PUT_PREFERENCES, { memberId: caller.memberId, value: answer.text });
      return answer;
    });
  }
}
