import type { MemberCaller } from "../../platform/caller/caller.js";
import { beginRequest, requestOf } from "../../platform/caller/request-context.js";

/** The same request on the live side, for what is mailed to a member: on the test side, no mail leaves, and admins can read it. */
export function onLiveSide(caller: MemberCaller): MemberCaller {
  const { operation, sender } = requestOf(caller)!;
  return beginRequest({ ...caller, tenantId: caller.organisationId, environment: "live" }, operation, sender);
}
