import { expect, test } from "vitest";
import type { KbEntry } from "../../../web/src/features/knowledge/kinds.js";
import { ofPage } from "../../../web/src/features/knowledge/of-page.js";

const entry = (id: string, url: string | null, more: Partial<KbEntry> = {}): KbEntry =>
  ({
    id,
    duplicateOfId: null,
    validUntil: null,
    readFrom: { url, sourceId: "s", readAt: "", section: "" },
    ...more,
  }) as KbEntry;

test("of a page, what stands alone is approved together; edits, ends, duplicates and other pages are not", () => {
  const [a, b, other, file] = [entry("a", "/a"), entry("b", "/a"), entry("other", "/b"), entry("file", null)];
  const edit = entry("edit", "/a", { duplicateOfId: "x", replacesDuplicate: true });
  const end = entry("end", "/a", { validUntil: "2026-01-01T00:00:00.000Z" });
  const written = entry("written", null, { readFrom: null });
  const all = [a, edit, b, end, other, file, written];
  expect(ofPage(a, all, all)).toEqual({ url: "/a", entries: [a, b], next: "edit" });
  expect(ofPage(b, all, [b, other])).toEqual({ url: "/a", entries: [a, b], next: "other" });
  for (const one of [edit, end, other, file, written]) expect(ofPage(one, all, all)).toBeUndefined();
});
