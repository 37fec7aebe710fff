import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest files, slowest first. If one of them started last, the other workers would be idle. */
const LONGEST = [
  "test/identity/verification-model.spec.ts",
  "test/contract/not-found.spec.ts",
  "test/process/outbox-killed.spec.ts",
  "test/process/mail-killed.spec.ts",
  "test/process/stop-and-start.spec.ts",
  "test/process/command-line.spec.ts",
  "test/security/bad-bodies.spec.ts",
  "test/e2e/conversation-list.spec.ts",
  "test/maintenance/retention.spec.ts",
  "test/channels/mail.spec.ts",
  "test/e2e/contact-import.spec.ts",
  "test/contract/lists.spec.ts",
  "test/maintenance/paging.spec.ts",
  "test/browser/widgets.spec.ts",
  "test/embedded/embedded.spec.ts",
  "test/csat/statistics.spec.ts",
  "test/process/first-start.spec.ts",
];

/** Starts the slow files first, then the large ones. The order is the same on every machine. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = LONGEST.indexOf(path.relative(this.ctx.config.root, moduleId));
      return index < 0 ? LONGEST.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
