import fs from "node:fs";
import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Seconds of each test file, from the run in which they were last written down (`npm test -- --write-times`). */
export const TIMES = JSON.parse(fs.readFileSync(new URL("../times.json", import.meta.url), "utf8")) as Record<
  string,
  number
>;

/** How long a new file may take, until its time is written down. */
const NEW_FILE_SECONDS = 10;

/**
 * One project after the other, because a worker that changes its project imports the application again. In each, the slowest
 * files first: if one of them started last, the other workers would be idle.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = this.ctx.projects.map(({ name }) => name);
    const rank = ({ project }: TestSpecification): number => order.indexOf(project.name);
    const seconds = ({ moduleId }: TestSpecification): number =>
      TIMES[path.relative(this.ctx.config.root, moduleId)] ?? NEW_FILE_SECONDS;
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b) || seconds(b) - seconds(a));
  }
}
