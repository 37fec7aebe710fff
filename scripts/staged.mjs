// Formats and lints what is staged, and nothing else, for the hook scripts/hooks/pre-commit. Of a file that is staged in part, the rest stays
// as it is. The rules that need types would take many seconds for one file: `npm run check` has them.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ESLint } from "eslint";
import * as prettier from "prettier";

const git = (args, input) => execFileSync("git", args, { encoding: "utf8", input, maxBuffer: 1 << 28 });
const LINTED = /\.[cm]?[jt]sx?$/;

const staged = git(["diff", "--cached", "--name-only", "-z", "--diff-filter=ACMR"])
  .split("\0")
  .filter((file) => file && fs.lstatSync(file, { throwIfNoEntry: false })?.isFile());

/** @returns what the commit will have of the file */
async function format(file) {
  const text = git(["show", `:${file}`]);
  const { ignored, inferredParser } = await prettier.getFileInfo(file, {
    ignorePath: [".gitignore", ".prettierignore"],
  });
  if (ignored || !inferredParser) return text;
  const formatted = await prettier.format(text, { ...(await prettier.resolveConfig(file)), filepath: file });
  if (formatted === text) return text;
  const [mode] = git(["ls-files", "--stage", "--", file]).split(" ");
  const blob = git(["hash-object", "-w", "--stdin"], formatted).trim();
  git(["update-index", "--cacheinfo", `${mode},${blob},${file}`]);
  if (fs.readFileSync(file, "utf8") === text) fs.writeFileSync(file, formatted);
  console.log(`formatted ${file}`);
  return formatted;
}

/** Oxlint reads files, so it gets what the commit will have in a folder of its own. @returns whether it is content */
function oxlint(texts) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "staged-"));
  try {
    for (const [file, text] of [...texts, [".oxlintrc.json", fs.readFileSync(".oxlintrc.json")]]) {
      fs.mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
      fs.writeFileSync(path.join(folder, file), text);
    }
    const command = path.resolve("node_modules/.bin/oxlint");
    return spawnSync(command, ["--quiet"], { cwd: folder, stdio: "inherit" }).status === 0;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

const eslint = new ESLint();
const linted = new Map();
let failed = false;
for (const file of staged) {
  try {
    const text = await format(file);
    if (!LINTED.test(file)) continue;
    linted.set(file, text);
    if (await eslint.isPathIgnored(file)) continue;
    const results = await eslint.lintText(text, { filePath: file });
    failed ||= results.some(({ errorCount }) => errorCount > 0);
    const complaint = await (await eslint.loadFormatter()).format(results);
    if (complaint) console.log(complaint);
  } catch (error) {
    failed = true;
    console.log(`${file}: ${error.message}`);
  }
}
if (linted.size > 0 && !oxlint(linted)) failed = true;
if (failed) console.log("Nothing was committed. `git commit --no-verify` commits it all the same.");
process.exitCode = failed ? 1 : 0;
