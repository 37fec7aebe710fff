import { Injectable } from "@nestjs/common";
import type { MemberCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { Json } from "../../platform/http/json.js";
import { NotificationPreferencesDto, PreferencesDto } from "./preferences.dto.js";
import { GET_PREFERENCES, PUT_PREFERENCES } from "./preferences.queries.js";

/** How a member wants the dashboard. */
@Injectable()
export class PreferencesService {
  constructor(private readonly db: Database) {}

  async get(caller: MemberCaller): Promise<Json<PreferencesDto>> {
    const { value } = (await this.db.read(caller, GET_PREFERENCES, { memberId: caller.memberId })).parse();
    const notifications = { ...new NotificationPreferencesDto(), ...value.notifications };
    return Json.of<PreferencesDto>({ ...new PreferencesDto(), ...value, notifications });
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
