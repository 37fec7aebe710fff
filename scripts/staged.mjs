// Formats and lints what is staged, and nothing else, for the hook scripts/hooks/pre-commit. Of a file that is staged in part, the rest stays
// as it is. The rules that need types would take many seconds for one file: `npm run check` has them.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { ESLint } from "eslint";
import * as prettier from "prettier";
import tseslint from "typescript-eslint";

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

const eslint = new ESLint({
  overrideConfig: [
    tseslint.configs.disableTypeChecked,
    // An import that only a decorated class's types use is needed at run time. With types, ESLint knows this from tsconfig.json.
    { languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } } },
  ],
});
let failed = false;
for (const file of staged) {
  try {
    const text = await format(file);
    if (!LINTED.test(file) || (await eslint.isPathIgnored(file))) continue;
    const results = await eslint.lintText(text, { filePath: file });
    failed ||= results.some(({ errorCount }) => errorCount > 0);
    const complaint = await (await eslint.loadFormatter()).format(results);
    if (complaint) console.log(complaint);
  } catch (error) {
    failed = true;
    console.log(`${file}: ${error.message}`);
  }
}
if (failed) console.log("Nothing was committed. `git commit --no-verify` commits it all the same.");
process.exitCode = failed ? 1 : 0;
