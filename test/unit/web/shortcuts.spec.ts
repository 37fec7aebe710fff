import { expect, test } from "vitest";
import guide from "../../../docs/guides/a-day-at-the-desk.md?raw";
import { inboxTools } from "../../../web/src/i18n/en/inbox-tools.js";
import { isChord, SHORTCUTS } from "../../../web/src/keyboard/shortcuts.js";

/** As the guide writes it: keys at the same time with a plus, one after the other without. */
const written = (keys: readonly string[]): string =>
  keys.map((key) => `\`${key === "Mod" ? "Ctrl" : key}\``).join(isChord(keys) ? "+" : " ");

test("the guide for members lists the shortcuts that there are, with the words of the dashboard's own list", () => {
  const rows = guide
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const listed = rows.map(([, keys, words]) => ({ keys, words }));
  expect(listed).toEqual(
    SHORTCUTS.map(({ name, keys }) => ({ keys: written(keys), words: inboxTools.shortcuts[name] })),
  );
});
