import type { Environment } from "../../platform/caller/caller.js";
import type { Database } from "../../platform/database/database.js";
import { type Candidate, FIND_MEMBERS_BY_EMAIL, MAX_CANDIDATES } from "./sessions.queries.js";

type Found = Candidate & { proven: boolean };

/**
 * The members whom a sign-in with this email could mean: who has proven it comes first, then the oldest.
 * @throws the error of a server that does not answer, if nobody elsewhere has proven the email
 */
export async function findMembers(db: Database, email: string, environment: Environment): Promise<Found[]> {
  const found = await db.lookUp(
    FIND_MEMBERS_BY_EMAIL,
    { email, environment },
    ({ tenantId }) => tenantId,
    (rows) => rows.some(({ proven }) => proven),
  );
  // Each server gives its own in this order. Ids of members begin with the time.
  return found.length <= 1 || !db.isSpread ? found : found.sort(inOrder).slice(0, MAX_CANDIDATES);
}

const inOrder = (a: Found, b: Found): number =>
  Number(b.proven) - Number(a.proven) || (a.memberId < b.memberId ? -1 : 1);
