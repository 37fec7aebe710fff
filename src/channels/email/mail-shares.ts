import { FairShare } from "../../platform/jobs/fair-share.js";

/** Bytes of mails that this process has fetched or is fetching, over all mailboxes. */
export const memory = new FairShare(256 * 1_048_576);
/** Bytes of mails that come by webhook. Another share: whoever calls us must not keep mailboxes from being read. */
export const arriving = new FairShare(128 * 1_048_576);
/** The same, while nothing proves yet that a provider sends them. Whoever calls has a part of it, not the tenant: strangers would use up the tenant's. */
export const unproven = new FairShare(96 * 1_048_576);
/** Mails that this process parses or stores at once. A mail is fetched before, and name servers are asked in between: what is slow takes up none of these. */
export const storing = new FairShare(4);
