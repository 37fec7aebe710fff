import { NotificationPreferencesDto, type PreferencesDto } from "../auth/preferences/preferences.dto.js";
import type { QuietHours } from "./quiet-hours.js";

/** What a member has set that concerns notices. What they have not set has its default. */
export interface Wants {
  notifications: NotificationPreferencesDto;
  quietHours: QuietHours | null;
  language: string | null;
}

export const wantsOf = (preferences: Partial<PreferencesDto> | null): Wants => ({
  notifications: { ...new NotificationPreferencesDto(), ...preferences?.notifications },
  quietHours: preferences?.quietHours ?? null,
  language: preferences?.language ?? null,
});
