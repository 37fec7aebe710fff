import { namedEnum } from "../../platform/enums/named-enum.js";

/** What the security log records. */
export const SECURITY_EVENT_TYPES = namedEnum("SecurityEventType", "What happened to an account or a credential.", [
  "signed_in",
  "sign_in_failed",
  "locked",
  "many_failures",
  "new_device",
  "session_ended",
  "refresh_token_reused",
  "reauthenticated",
  "invitation_accepted",
  "email_proven",
  "external_identity_bound",
  "password_changed",
  "password_reset_requested",
  "password_reset",
  "second_factor_added",
  "second_factor_removed",
  "recovery_codes_made",
  "recovery_code_used",
  "member_added",
  "member_changed",
  "member_removed",
  "key_created",
  "key_changed",
  "key_revoked",
  "data_exported",
  "data_erased",
]);
export type SecurityEventType = (typeof SECURITY_EVENT_TYPES)[number];

/** Ids, counts and names of fields: never a name, an email, a password, a code or a token. */
export type SecurityEventDetail = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** These happen all day. They are logged at the level `info`, the others at `warn`. */
export const ROUTINE: ReadonlySet<SecurityEventType> = new Set(["signed_in", "session_ended", "reauthenticated"]);
