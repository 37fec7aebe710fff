import fs from "node:fs";

export const TIMES_FILE = new URL("../times.json", import.meta.url);

/** How long the whole suite and each of its files took, in seconds, when `TIMES=write npm test` last wrote it down. */
export const TIMES = JSON.parse(fs.readFileSync(TIMES_FILE, "utf8")) as {
  cores: number;
  total: number;
  files: Record<string, number>;
};
