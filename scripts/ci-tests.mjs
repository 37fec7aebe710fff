// Every test, for CI. If few tests failed, their files are run once more, alone, and the output names each test that passed
// only then. The last line counts.
import { startVitest } from "vitest/node";

const TIMEOUT = /Timeout \d+ms exceeded|timed out|did not succeed in time/;
/** Losing a race once, or letting one attack through, is a fault, so these files get no second run. */
const NEVER_BY_CHANCE = ["test/races/", "test/server/security/", "test/unit/fuzz/"];
/** What fast-check says. A second run would try other values. */
const COUNTEREXAMPLE = /Property failed/;
/** If more tests fail, for another reason than a slow page, it is not chance. */
const MAX_BY_CHANCE = 5;

async function run(files = []) {
  const vitest = await startVitest("test", files, { run: true, configLoader: "runner" });
  return { modules: vitest.state.getTestModules(), crashes: vitest.state.getUnhandledErrors().length };
}

const testsOf = (module, state) => [...module.children.allTests(state)];

/** What failed outside a test: importing the file, or a hook of a suite. */
const errorsAround = (module) => [
  ...module.errors(),
  ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
];

const ranOutOfTime = (test) =>
  test.result().errors.every(({ message, cause }) => TIMEOUT.test(`${message} ${cause?.message ?? ""}`));

const isSlowPage = (module) =>
  module.relativeModuleId.startsWith("test/browser/") && testsOf(module, "failed").every(ranOutOfTime);

const first = await run();
const failing = first.modules.filter(
  (module) => errorsAround(module).length === 0 && testsOf(module, "failed").length > 0,
);
const others = failing.filter((module) => !isSlowPage(module)).flatMap((module) => testsOf(module, "failed"));
const foundSomething = (test) => test.result().errors.some(({ message }) => COUNTEREXAMPLE.test(message));
const mayBeChance = (module) =>
  others.length <= MAX_BY_CHANCE &&
  !NEVER_BY_CHANCE.some((folder) => module.relativeModuleId.startsWith(folder)) &&
  !testsOf(module, "failed").some(foundSomething);
const isToBeRepeated = (module) => isSlowPage(module) || mayBeChance(module);

const repeated = [];
for (const { moduleId } of failing.filter(isToBeRepeated)) repeated.push(await run([moduleId]));

const recovered = [];
const results = first.modules.map((module) => {
  const again = repeated.flatMap(({ modules }) => modules).find(({ moduleId }) => moduleId === module.moduleId);
  if (!again) return module;
  const passed = new Set(testsOf(again, "passed").map(({ fullName }) => fullName));
  for (const { fullName } of testsOf(module, "failed"))
    if (passed.has(fullName)) recovered.push(`${module.relativeModuleId} > ${fullName}`);
  return again;
});
for (const test of recovered) console.log(`failed at first, passed when run again: ${test}`);
if (recovered.length > 0) console.log(`${recovered.length} passed only when run again`);

const count = (state) => results.flatMap((module) => testsOf(module, state)).length;
// A file that does not load, and an error outside every test, are failures too.
const broken = results.filter((module) => !module.ok() && testsOf(module, "failed").length === 0).length;
const crashes = [first, ...repeated].reduce((sum, run) => sum + run.crashes, 0);
const failed = count("failed") + broken + crashes;
const skipped = count("skipped");
console.log(`${count("passed")} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`);
process.exit(failed === 0 && results.length > 0 ? 0 : 1);
