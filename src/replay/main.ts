/** `npm run replay`: reads the arguments and two environment variables, shows the progress and sets the exit code. */
import { parseArgs } from "node:util";
import { ApiClient, RequestError } from "./client.js";
import { readLines } from "./lines.js";
import { firstActiveWorkspace, replay, ReplayError, type ReplaySummary } from "./replay.js";

const HELP = `Plays recorded dialogues into Parley through its public API. Safe to repeat, to stop and to resume.

  npm run replay -- <file> [options]

  <file>              dialogues as NDJSON, for example demo/star-excerpt.ndjson
  --limit N           play only the first N dialogues
  --base-url URL      the server; default $PARLEY_BASE_URL, else http://localhost:3000
  --key KEY           an API key; default $PARLEY_API_KEY (better: arguments are visible to other users).
                      Scopes: conversations:read, conversations:write, and workspaces:read without --workspace
  --workspace ID      where to play; default the first active workspace
  --concurrency N     conversations side by side; default 8
  --help              this text
`;

/** Arguments that cannot be used. The message is one line. */
class UsageError extends Error {}

function readArguments() {
  const options = {
    limit: { type: "string" },
    "base-url": { type: "string" },
    key: { type: "string" },
    workspace: { type: "string" },
    concurrency: { type: "string" },
    help: { type: "boolean", short: "h" },
  } as const;
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message.replaceAll("\n", " "), { cause: error });
  }
}

function positiveInteger(value: string | undefined, name: string): number | undefined {
  if (value !== undefined && !/^[1-9]\d{0,8}$/.test(value))
    throw new UsageError(`${name} must be a number from 1, not '${value}'`);
  return value === undefined ? undefined : Number(value);
}

/** On Ctrl-C and SIGTERM, ends the replay after the running requests. */
function stopOnSignals(): { signal: AbortSignal; exitCode: () => number } {
  const stop = new AbortController();
  let code = 0;
  let since = 0;
  const on = (signalCode: number) => () => {
    if (code === 0) {
      code = signalCode;
      since = performance.now();
      stop.abort();
    } else if (performance.now() - since > 1000) {
      // An earlier signal is the same Ctrl-C again: npm forwards the signal that the terminal sent to both.
      process.exit(code);
    }
  };
  process.on("SIGINT", on(130)).on("SIGTERM", on(143));
  return { signal: stop.signal, exitCode: () => code };
}

/**
 * Writes the progress to stderr: one line that updates itself on a terminal, otherwise a line every 100 dialogues.
 */
function progressWriter() {
  const terminal = process.stderr.isTTY;
  let latest: Readonly<ReplaySummary> | undefined;
  let lastWrite = -Infinity;
  let nextLine = 100;
  const write = (text: string) =>
    process.stderr.write(terminal ? `\r${text.slice(0, (process.stderr.columns || 80) - 1)}\x1b[K` : `${text}\n`);
  return {
    progress(this: void, summary: Readonly<ReplaySummary>) {
      latest = summary;
      const now = performance.now();
      if (terminal ? now - lastWrite < 100 : summary.dialogues < nextLine) return;
      lastWrite = now;
      nextLine = summary.dialogues + 100;
      const { sent, skipped } = totals(summary);
      write(`${summary.dialogues} dialogues, ${sent} messages sent, ${skipped} skipped, ${perSecond(summary)}/s`);
    },
    waiting(this: void, ms: number, reason: string) {
      const now = performance.now();
      if (now - lastWrite < (terminal ? 100 : 5000)) return;
      lastWrite = now;
      write(`waiting ${(ms / 1000).toFixed(1)} s after ${reason}`);
    },
    /** What has been done, or undefined if nothing was started. */
    finish(): Readonly<ReplaySummary> | undefined {
      if (terminal) process.stderr.write("\r\x1b[K");
      return latest;
    },
  };
}

function totals({ messages: { customer, operator, system } }: Readonly<ReplaySummary>) {
  return {
    sent: customer.sent + operator.sent + system.sent,
    skipped: customer.skipped + operator.skipped + system.skipped,
  };
}

function perSecond(summary: Readonly<ReplaySummary>): string {
  return (totals(summary).sent / Math.max(summary.seconds, 0.001)).toFixed(1);
}

function summaryLine(summary: Readonly<ReplaySummary>): string {
  const { dialogues, conversations, messages, seconds } = summary;
  const kinds = Object.entries(messages).map(([kind, { sent, skipped }]) => `${kind} ${sent}/${skipped}`);
  return (
    `${dialogues} dialogues; conversations ${conversations.created} created, ${conversations.existing} existing; ` +
    `messages sent/skipped: ${kinds.join(", ")}; ${seconds.toFixed(1)} s, ${perSecond(summary)} messages/s`
  );
}

async function main(): Promise<number> {
  const { values, positionals } = readArguments();
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new UsageError("give one file of dialogues (--help tells more)");
  const key = (values.key ?? process.env.PARLEY_API_KEY ?? "").trim();
  if (key === "") throw new UsageError("no API key: set PARLEY_API_KEY or give --key");
  const limit = positiveInteger(values.limit, "--limit");
  const concurrency = positiveInteger(values.concurrency, "--concurrency");
  const baseUrl = values["base-url"] ?? (process.env.PARLEY_BASE_URL || "http://localhost:3000");

  const writer = progressWriter();
  const client = new ApiClient({ baseUrl, key, onWait: writer.waiting });
  const lines = await readLines(file);
  const { signal, exitCode } = stopOnSignals();
  try {
    const workspaceId = values.workspace ?? (await firstActiveWorkspace(client, signal));
    await replay({ lines, client, workspaceId, concurrency, limit, signal, onProgress: writer.progress });
  } catch (error) {
    if (!signal.aborted || (error as Error).name !== "AbortError") throw error;
  } finally {
    const summary = writer.finish();
    if (summary) console.log(summaryLine(summary));
  }
  return exitCode();
}

try {
  process.exitCode = await main();
} catch (error) {
  // File system errors have a `syscall`. Any other error is a bug, so show where it happened.
  const { message, stack, syscall } = error as NodeJS.ErrnoException;
  const expected =
    [UsageError, RequestError, ReplayError].some((kind) => error instanceof kind) || syscall !== undefined;
  console.error(`replay: ${expected ? message : stack}`);
  process.exitCode = 1;
}
