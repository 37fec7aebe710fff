import type { INestApplicationContext } from "@nestjs/common";
import { In, Not } from "typeorm";
import { ChannelTestsService } from "../../channels/channel-tests.service.js";
import { ChannelsService } from "../../channels/channels.service.js";
import { system } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { Metrics } from "../../platform/metrics/metrics.js";
import { OutboxService } from "../../platform/outbox/outbox.service.js";
import { ChannelEntity } from "../../workspaces/channel.entity.js";
import { LIST_LIVE_TENANTS } from "../../workspaces/tenants/tenants.queries.js";
import { error, fine, type Finding, warning } from "./finding.js";

const LATE_SECONDS = 300;
const DAY_SECONDS = 86_400;
/** A run may take some hours. */
const DAILY_SECONDS = 30 * 3_600;
/** How many channels are tested, and how many at once. Each may take ten seconds. */
const MOST_CHANNELS = 100;
const AT_ONCE = 5;

/** Whether the work in the background is done, by the figures of `/metrics`. */
export async function examineWork(app: INestApplicationContext): Promise<Finding[]> {
  const metrics = app.get(Metrics);
  const late = (samples: { labels: Record<string, string>; value: number }[], label: string): string[] =>
    samples
      .filter(({ value }) => value > LATE_SECONDS)
      .map(({ labels, value }) => `${labels[label]} (${lengthOf(value)})`);
  const waiting = await metrics.read("parley_outbox_oldest_age_seconds");
  const { availableKinds } = app.get(OutboxService);
  const canLeave = ({ labels }: { labels: Record<string, string> }): boolean => availableKinds.includes(labels.kind!);
  const mails = late(waiting.filter(canLeave), "kind");
  // Only Parley's own mail has kinds that cannot be sent.
  const withoutServer = late(
    waiting.filter((one) => !canLeave(one)),
    "kind",
  );
  const queues = late(await metrics.read("parley_queue_lag_seconds"), "queue");
  const [unattended] = await metrics.read("parley_mailboxes_unattended");
  const findings = [
    ...(mails.length ? [error(`Messages wait in the outbox: ${mails.join(", ")}. A channel below may say why`)] : []),
    ...(withoutServer.length
      ? [
          warning(
            `Parley's own messages wait until SMTP_URL is set: ${withoutServer.join(", ")}. \`parley mail\` shows them`,
          ),
        ]
      : []),
    ...(queues.length ? [error(`No process takes what is due: ${queues.join(", ")}. Does one run jobs?`)] : []),
    ...(unattended?.value ? [error(`No process reads ${unattended.value} mailboxes. Does one run?`)] : []),
    ...(await dailyRun(metrics)),
  ];
  return findings.length ? findings : [fine("Nothing waits for longer than it should")];
}

async function dailyRun(metrics: Metrics): Promise<Finding[]> {
  const [last] = await metrics.read("parley_daily_run_last_success_timestamp_seconds");
  const since = last && Date.now() / 1_000 - last.value;
  if (since === undefined) return [warning("The daily run, which deletes what is over its time, has not run yet")];
  return since > DAILY_SECONDS
    ? [
        error(
          `The daily run, which deletes what is over its time, last ended ${lengthOf(since)} ago. See the log of "daily"`,
        ),
      ]
    : [];
}

const lengthOf = (seconds: number): string =>
  seconds > 2 * DAY_SECONDS ? `${Math.round(seconds / DAY_SECONDS)} days` : `${Math.round(seconds / 60)} minutes`;

/** A channel to test, with what is known of it. */
interface Tried extends Pick<ChannelEntity, "id" | "status" | "lastError"> {
  tenantId: string;
  tenant: string;
}

/** Tests the channels of the live sides that somebody turned on. The tests have no effect on the other ends. */
export async function examineChannels(app: INestApplicationContext): Promise<Finding[]> {
  const db = app.get(Database);
  const found: Tried[] = [];
  for (const tenant of await db.sweep(LIST_LIVE_TENANTS)) {
    const channels = await db.transaction(system("doctor", tenant.id, "live"), (tx) => {
      tx.changesNothingVisible();
      return tx.find(ChannelEntity, { type: In(["email", "sms", "voice"]), status: Not("disabled") });
    });
    found.push(
      ...channels.map(({ id, status, lastError }) => ({
        tenantId: tenant.id,
        tenant: tenant.name,
        id,
        status,
        lastError,
      })),
    );
  }
  // Those that are known not to work are never among the ones that are left out.
  found.sort((a, b) => Number(b.status === "error") - Number(a.status === "error"));
  const findings: Finding[] = [];
  const next = found.slice(0, MOST_CHANNELS);
  const test = async (): Promise<void> => {
    for (let one = next.shift(); one; one = next.shift()) findings.push(await ofChannel(app, one));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, test));
  if (found.length > MOST_CHANNELS)
    findings.push(warning(`${found.length - MOST_CHANNELS} more channels were not tested`));
  return findings;
}

async function ofChannel(
  app: INestApplicationContext,
  { tenantId, tenant, id, status, lastError }: Tried,
): Promise<Finding> {
  const { channel, kind } = await app.get(Database).transaction(system("doctor", tenantId, "live"), (tx) => {
    tx.changesNothingVisible();
    return app.get(ChannelsService).open(tx, id);
  });
  const { ok, message, mailDomain } = await app.get(ChannelTestsService).run(kind, channel);
  const about = `${tenant}, ${channel.name}${channel.address === null ? "" : ` (${channel.address})`}`;
  const inError = `${about} is in error, and neither sends nor receives`;
  if (!ok)
    return error(
      status === "error"
        ? `${inError}: ${message}. Mend that, then press Test under Settings > Channels`
        : `${about}: ${message}`,
    );
  if (status === "error")
    return error(`${inError}: ${lastError}. It can be reached now: press Test under Settings > Channels`);
  const missing =
    mailDomain && [mailDomain.spf, mailDomain.dkim, mailDomain.dmarc].filter(({ result }) => result === "fail");
  return missing?.length
    ? warning(`${about}: receivers may refuse its mails. ${missing.map((check) => check.message).join(". ")}`)
    : fine(`${about}: ${message}${mailDomain?.spf.result === "unknown" ? `. SPF: ${mailDomain.spf.message}` : ""}`);
}
