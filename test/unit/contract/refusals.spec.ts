import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../../src/platform/config/root.js";

const read = (at: string): string => fs.readFileSync(new URL(at, ROOT), "utf8");

test.each(["de", "es", "fr", "it", "pt"])(
  "the dashboard translates only sentences that the server says, into %s",
  (language) => {
    const catalogue = read(`web/src/i18n/${language}/refusals.ts`);
    const sentences = [...catalogue.slice(catalogue.indexOf("sentences:")).matchAll(/^ {4}"([^"]+)":/gm)].map(
      ([, sentence]) => sentence!,
    );
    expect(sentences.length).toBeGreaterThan(30);
    const sources = fs
      .readdirSync(new URL("src/", ROOT), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(?:ts|sql)$/.test(file))
      .map((file) => read(path.posix.join("src", file.replaceAll(path.sep, "/"))))
      .join("\n");
    expect(sentences.filter((sentence) => !sources.includes(sentence))).toEqual([]);
  },
);
