/** Whom something came from. */
export interface Source {
  contactId: string;
  /** Of a visitor who did not prove who they are: a hash of where they wrote from. */
  origin: string | null;
}

/** How many people these are at least: contacts are one if they wrote from one place without proving who they are. */
export function peopleIn(sources: readonly Source[]): number {
  let people: Set<string>[] = [];
  for (const { contactId, origin } of sources) {
    const marks = origin === null ? [contactId] : [contactId, origin];
    const same = people.filter((person) => marks.some((mark) => person.has(mark)));
    people = [
      ...people.filter((person) => !same.includes(person)),
      new Set([...marks, ...same.flatMap((one) => [...one])]),
    ];
  }
  return people.length;
}
