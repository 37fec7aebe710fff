import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { TIMES } from "./times.js";

/** How long a new file may take, until its time is written down. */
const NEW_FILE_SECONDS = 10;
/** Those of test/endurance and test/nightly are not written down, because `npm test` leaves them out. */
const ENDURANCE_SECONDS = 300;

/**
 * One project after the other. In each, the slowest files first: if one of them started last, the other workers would be idle.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = this.ctx.projects.map(({ name }) => name);
    const rank = ({ project }: TestSpecification): number => order.indexOf(project.name);
    const seconds = ({ moduleId }: TestSpecification): number =>
      TIMES.files[path.relative(this.ctx.config.root, moduleId)] ??
      (/\/test\/(endurance|nightly)\//.test(moduleId) ? ENDURANCE_SECONDS : NEW_FILE_SECONDS);
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b) || seconds(b) - seconds(a));
  }
}
