import { spawnSync } from "node:child_process";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** An ordinary user, who owns nothing. */
export const nobody = { uid: 65_534, gid: 65_534 };

/**
 * Root can become another user, but that user may not be allowed to read a checkout in root's home. By its whole path: a process that
 * root has put into a folder reads what is in it, whatever is closed above.
 */
export const canBeNobody =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ["-e", "fs.readFileSync(process.argv[1])", path.join(ROOT, "package.json")], {
    ...nobody,
    cwd: "/",
    stdio: "ignore",
  }).status === 0;
