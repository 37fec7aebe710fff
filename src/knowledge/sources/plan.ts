import { createHash } from "node:crypto";
import type { Section } from "./reading/sections.js";

/** A section as it was found. */
export interface FoundSection extends Section {
  key: string;
  url: string;
  digest: string;
  language: string | undefined;
}

/** A section that is known from an earlier reading. */
export interface KnownSection {
  key: string;
  url: string;
  digest: string | null;
  entryId: string | null;
  entryDigest: string | null;
  proposalId: string | null;
}

export type Proposed =
  | { kind: "new"; section: FoundSection }
  | { kind: "edit"; section: FoundSection; entryId: string; entryDigest: string | null }
  | { kind: "end"; known: KnownSection; entryId: string; entryDigest: string | null };

export interface Plan {
  /** Proposals that wait and say what the source no longer says. */
  withdrawn: string[];
  /** What is proposed, and becomes known with its proposal. */
  proposed: Proposed[];
  /** Sections to keep as they are here. */
  kept: KnownSection[];
  /** Keys of sections to forget. */
  forgotten: string[];
}

const hash = (...texts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(texts)).digest("base64url").slice(0, 32);

/** Names the sections of a document. A question that stands in it twice is two sections. */
export function named(url: string, sections: readonly Section[], language: string | undefined): FoundSection[] {
  const times = new Map<string, number>();
  return sections.map((section) => {
    const n = (times.get(section.question) ?? 0) + 1;
    times.set(section.question, n);
    const key = hash(url, section.question, String(n));
    return { ...section, key, url, digest: hash(section.question, section.answer), language };
  });
}

interface Reading {
  known: readonly KnownSection[];
  found: readonly FoundSection[];
  /** Whether the sections of this address were looked at, so that one that was not found is gone. */
  isCovered: (url: string) => boolean;
  /** The status of each entry that still exists. */
  statusOf: (entryId: string) => string | undefined;
}

/**
 * What follows from a reading. What a source says again proposes nothing; what changed is an edit of the entry that comes from it; what is gone
 * is an end. What was refused, or removed from use, is proposed again only with another text.
 */
export function planOf({ known, found, isCovered, statusOf }: Reading): Plan {
  const plan: Plan = { withdrawn: [], proposed: [], kept: [], forgotten: [] };
  const sections = new Map(found.map((section) => [section.key, section]));
  const rows = new Map(known.map((row) => [row.key, row]));
  const gone = known.filter(({ key, url, digest }) => !sections.has(key) && digest !== null && isCovered(url));
  // A section that says the same at another place has moved.
  const moved = new Map(gone.map((row) => [row.digest!, row]));
  // What many pages say is proposed once.
  const left = new Set(gone);
  const said = new Set(known.flatMap((row) => (left.has(row) ? [] : (row.digest ?? []))));
  for (const section of sections.values()) {
    const row = rows.get(section.key);
    if (row) {
      settle(plan, row, section, statusOf);
      said.add(section.digest);
      continue;
    }
    const from = moved.get(section.digest);
    if (from) {
      moved.delete(section.digest);
      left.delete(from);
      plan.forgotten.push(from.key);
      plan.kept.push({ ...from, key: section.key, url: section.url });
    } else if (!said.has(section.digest)) plan.proposed.push({ kind: "new", section });
    said.add(section.digest);
  }
  for (const row of left) end(plan, row, statusOf);
  return plan;
}

/** What a known section is based on now, and which proposal of it waits. */
function stateOf(
  { digest, entryId, entryDigest, proposalId }: KnownSection,
  statusOf: Reading["statusOf"],
): { base?: { entryId: string; entryDigest: string | null }; waiting?: string } {
  const proposal = proposalId === null ? undefined : statusOf(proposalId);
  // The end of a section that is gone was approved.
  if (proposal === "approved") return digest === null ? {} : { base: { entryId: proposalId!, entryDigest: digest } };
  return {
    ...(entryId !== null && statusOf(entryId) === "approved" && { base: { entryId, entryDigest } }),
    ...(proposal === "pending" && { waiting: proposalId! }),
  };
}

function settle(plan: Plan, row: KnownSection, section: FoundSection, statusOf: Reading["statusOf"]): void {
  if (row.digest === section.digest) return;
  const { base, waiting } = stateOf(row, statusOf);
  if (waiting !== undefined) plan.withdrawn.push(waiting);
  if (base?.entryDigest === section.digest)
    plan.kept.push({ ...row, ...base, digest: section.digest, proposalId: null });
  else plan.proposed.push(base ? { kind: "edit", section, ...base } : { kind: "new", section });
}

function end(plan: Plan, row: KnownSection, statusOf: Reading["statusOf"]): void {
  const { base, waiting } = stateOf(row, statusOf);
  if (waiting !== undefined) plan.withdrawn.push(waiting);
  if (base) plan.proposed.push({ kind: "end", known: row, ...base });
  else plan.forgotten.push(row.key);
}
