import type { Member } from "../../session/session.js";

/** An `@` at the beginning of a word, and what follows it before the caret. */
const BEGUN = /(?:^|[\s(])@([^\s@]*(?: [^\s@]+)?)$/u;
/** The name that is being typed before the caret. */
export const begunName = (before: string): string | undefined => BEGUN.exec(before)?.[1];

/** Whether a member can read the conversations of a workspace. Only they can be named in its notes. */
export const reads = ({ status, role, workspaceIds }: Member, workspaceId: string): boolean =>
  status === "active" &&
  (role === "owner" || role === "admin" || (role !== "billing" && workspaceIds.includes(workspaceId)));

/** Where each `@` and a name is in a text, longest names first: "@Ann Lee" is not "@Ann". */
export function named(text: string, members: readonly Member[]): { from: number; to: number; member: Member }[] {
  const found: { from: number; to: number; member: Member }[] = [];
  for (const member of [...members].sort((one, other) => other.name.length - one.name.length)) {
    const written = `@${member.name}`;
    for (let from = text.indexOf(written); from >= 0; from = text.indexOf(written, from + 1)) {
      const to = from + written.length;
      const isWord = !/[\p{L}\p{N}]/u.test(text[to] ?? "") && !/[\p{L}\p{N}]/u.test(text[from - 1] ?? "");
      if (isWord && !found.some((one) => from < one.to && one.from < to)) found.push({ from, to, member });
    }
  }
  return found.sort((one, other) => one.from - other.from);
}

/** The ids of the members whom a note names. Of several with one name it is the one who was chosen from the list, or all. */
export function mentionsIn(
  text: string,
  members: readonly Member[],
  workspaceId: string,
  chosen: ReadonlyMap<string, string>,
): string[] {
  const readers = members.filter((member) => reads(member, workspaceId));
  const ids = named(text, readers).flatMap(({ member: { name } }) => {
    const one = chosen.get(name);
    return one === undefined ? readers.filter((reader) => reader.name === name).map(({ id }) => id) : [one];
  });
  return [...new Set(ids)];
}

/** Whether the name, or one of its parts, begins with what was typed. */
export const isMeant = (name: string, wanted: string): boolean => {
  const lower = name.toLocaleLowerCase();
  return lower.startsWith(wanted) || lower.split(/\s+/).some((part) => part.startsWith(wanted));
};
