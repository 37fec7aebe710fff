import fs from "node:fs";
import { parseEnv } from "node:util";
import type { Config } from "../../platform/config/config.js";
import { describeConfig } from "../../platform/config/load-config.js";
import { isLoopback } from "../../platform/config/values.js";
import { error, fine, type Finding, warning } from "./finding.js";

/** Beyond, two names have nothing to do with each other. */
const FAR = 2;

/** @param env the environment beside the file `.env`, which is read from `file` */
export function examineConfiguration(config: Config, env: NodeJS.ProcessEnv, file = ".env"): Finding[] {
  return [
    fine(`Node.js ${process.versions.node}, and all settings can be used`),
    ...misspelt(env, fs.existsSync(file) ? Object.keys(parseEnv(fs.readFileSync(file, "utf8"))) : []),
    ...forOthers(config),
    ...forMail(config),
  ];
}

/** Parley leaves out what it does not know. Other programs share the environment, but not the file. */
function misspelt(env: NodeJS.ProcessEnv, inFile: readonly string[]): Finding[] {
  const known = Object.keys(describeConfig());
  const nearest = (name: string): string | undefined =>
    known
      .map((one) => ({ one, distance: distanceOf(name, one) }))
      .sort((a, b) => a.distance - b.distance)
      .find(({ distance }) => distance <= FAR)?.one;
  const unknown = [...new Set([...inFile, ...Object.keys(env)])].filter((name) => !known.includes(name));
  return unknown.flatMap((name) => {
    const meant = name.length > 2 * FAR ? nearest(name) : undefined;
    if (meant !== undefined) return error(`${name} is no setting: do you mean ${meant}?`);
    return inFile.includes(name) ? warning(`${name} in .env is no setting of Parley`) : [];
  });
}

/** How many letters have to be added, left out or changed. */
function distanceOf(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const now = [i];
    for (let j = 1; j <= b.length; j++)
      now.push(Math.min(before[j]! + 1, now[j - 1]! + 1, before[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    before = now;
  }
  return before[b.length]!;
}

function forOthers(config: Config): Finding[] {
  const { HOST, NODE_ENV, PUBLIC_URL, TRUSTED_PROXIES, DATABASE_URL } = config;
  const isProduction = NODE_ENV === "production";
  const findings: Finding[] = [];
  if (config.isExposed)
    findings.push(error(`HOST=${HOST} lets other machines in, but NODE_ENV is ${NODE_ENV}: set NODE_ENV=production`));
  if (isProduction && PUBLIC_URL === undefined)
    findings.push(error(`PUBLIC_URL is not set: links in mails lead to ${config.publicUrl}`));
  if (isProduction && PUBLIC_URL?.startsWith("http:"))
    findings.push(
      error(`PUBLIC_URL is not https, so browsers keep no session in production: put TLS in front of Parley`),
    );
  if (PUBLIC_URL?.startsWith("https:") && TRUSTED_PROXIES.length === 0)
    findings.push(warning("TRUSTED_PROXIES is empty: behind a proxy, all clients share one rate limit"));
  if (isProduction && !DATABASE_URL)
    findings.push(warning("DATABASE_URL is not set: the embedded database is for one machine, without a standby"));
  return findings;
}

function forMail({ SMTP_URL, MAIL_FROM, PUBLIC_URL }: Config): Finding[] {
  if (SMTP_URL === undefined)
    return [warning("SMTP_URL is not set: invitations and links to choose a password wait; `parley mail` shows them")];
  return MAIL_FROM.includes("@localhost") && PUBLIC_URL !== undefined && !isLoopback(new URL(PUBLIC_URL).hostname)
    ? [error(`MAIL_FROM is ${MAIL_FROM}, which mail servers refuse: set it to an address of your domain`)]
    : [];
}
