// Formats and lints what is staged, and nothing else, for the hook scripts/hooks/pre-commit. Of a file that is staged in part, the rest stays
// as it is. The rules that need types would take many seconds for one file: `npm run check` has them.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ESLint } from "eslint";

const git = (args, input) => execFileSync("git", args, { encoding: "utf8", input, maxBuffer: 1 << 28 });

const staged = git(["diff", "--cached", "--name-only", "-z", "--diff-filter=ACMR"])
  .split("\0")
  .filter((file) => file && fs.lstatSync(file, { throwIfNoEntry: false })?.isFile());

/** What the commit will have. */
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "staged-"));
const inFolder = (file) => path.join(folder, file);
/** @returns whether it is content with the folder */
const run = (command, args, stdout) =>
  spawnSync(path.resolve("node_modules/.bin", command), args, { cwd: folder, stdio: ["ignore", stdout, "inherit"] })
    .status === 0;

function formatAll() {
  const was = staged.map((file) => fs.readFileSync(inFolder(file)));
  const content = run("oxfmt", ["--no-error-on-unmatched-pattern"], "ignore");
  staged.forEach((file, i) => {
    const formatted = fs.readFileSync(inFolder(file));
    if (formatted.equals(was[i])) return;
    const [mode] = git(["ls-files", "--stage", "--", file]).split(" ");
    const blob = git(["hash-object", "-w", "--stdin"], formatted).trim();
    git(["update-index", "--cacheinfo", `${mode},${blob},${file}`]);
    if (fs.readFileSync(file).equals(was[i])) fs.writeFileSync(file, formatted);
    console.log(`formatted ${file}`);
  });
  return content;
}

const oxlint = () => run("oxlint", ["--quiet"], "inherit");

async function eslint() {
  const linter = new ESLint();
  const formatter = await linter.loadFormatter();
  let content = true;
  for (const file of staged) {
    if (await linter.isPathIgnored(file)) continue;
    const results = await linter.lintText(fs.readFileSync(inFolder(file), "utf8"), { filePath: file });
    content &&= results.every(({ errorCount }) => errorCount === 0);
    const complaint = await formatter.format(results);
    if (complaint) console.log(complaint);
  }
  return content;
}

let content = true;
try {
  git(["checkout-index", `--prefix=${folder}/`, "-z", "--stdin"], staged.join("\0"));
  for (const config of [".oxfmtrc.json", ".oxlintrc.json"]) fs.copyFileSync(config, inFolder(config));
  // Each has its say.
  for (const step of [formatAll, oxlint, eslint]) if (!(await step())) content = false;
} finally {
  fs.rmSync(folder, { recursive: true });
}
if (!content) console.log("Nothing was committed. `git commit --no-verify` commits it all the same.");
process.exitCode = content ? 0 : 1;
