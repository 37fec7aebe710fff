import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest files, slowest first. If one of them started last, the other workers would be idle. */
const LONGEST = [
  "test/browser/dashboard/preferences.spec.ts",
  "test/browser/dashboard/live.spec.ts",
  "test/browser/dashboard/workspaces.spec.ts",
  "test/channels/mail.spec.ts",
  "test/browser/dashboard/contacts.spec.ts",
  "test/browser/dashboard/states.spec.ts",
  "test/browser/dashboard/tasks.spec.ts",
  "test/text/ways.spec.ts",
  "test/browser/dashboard/assistant.spec.ts",
  "test/process/command-line.spec.ts",
  "test/browser/dashboard/knowledge.spec.ts",
  "test/browser/dashboard/looks.spec.ts",
  "test/browser/dashboard/settings.spec.ts",
  "test/process/mail-killed.spec.ts",
  "test/browser/dashboard/cases.spec.ts",
  "test/race/feed.spec.ts",
  "test/browser/dashboard/together.spec.ts",
  "test/contract/not-found.spec.ts",
  "test/process/held-replies-killed.spec.ts",
  "test/contract/authorisation.spec.ts",
  "test/webhooks/webhooks.spec.ts",
  "test/browser/dashboard/inbox-tools.spec.ts",
  "test/browser/webchat.spec.ts",
  "test/contract/examples/examples.spec.ts",
  "test/identity/verification-model.spec.ts",
  "test/embedded/embedded.spec.ts",
  "test/security/bad-bodies.spec.ts",
  "test/webhooks/receivers.spec.ts",
  "test/webchat/streams.spec.ts",
  "test/process/learning-killed.spec.ts",
  "test/process/assistant-killed.spec.ts",
  "test/telephony/sms.spec.ts",
  "test/process/uploads.spec.ts",
  "test/process/stop-and-start.spec.ts",
  "test/browser/dashboard/undo.spec.ts",
  "test/browser/widgets.spec.ts",
  "test/process/killed.spec.ts",
  "test/process/external-database.spec.ts",
  "test/attachments/upload.spec.ts",
  "test/race/desk.spec.ts",
  "test/channels/mail-authentication.spec.ts",
  "test/browser/reference.spec.ts",
  "test/process/first-start.spec.ts",
  "test/browser/csat.spec.ts",
  "test/process/outbox-killed.spec.ts",
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
