/** Whom something came from. */
export interface Source {
  contactId: string;
  /** Of somebody who did not prove who they are: a hash of where they wrote from, or `unproven`. */
  origin: string | null;
}

/** How many people these are at least: contacts are one if they wrote from one origin without proving who they are. */
export function peopleIn(sources: readonly Source[]): number {
  /** Contacts and origins that belong together lead to the same one, which leads to itself. */
  const leadsTo = new Map<string, string>();
  const leaderOf = (one: string): string => {
    for (let next = leadsTo.get(one)!; next !== one; next = leadsTo.get(one)!) {
      // The next look takes half the steps.
      leadsTo.set(one, leadsTo.get(next)!);
      one = next;
    }
    return one;
  };
  let people = 0;
  for (const { contactId, origin } of sources) {
    if (!leadsTo.has(contactId)) {
      leadsTo.set(contactId, contactId);
      people++;
    }
    if (origin === null) continue;
    const person = leaderOf(contactId);
    if (!leadsTo.has(origin)) leadsTo.set(origin, person);
    const other = leaderOf(origin);
    if (other === person) continue;
    leadsTo.set(other, person);
    people--;
  }
  return people;
}
