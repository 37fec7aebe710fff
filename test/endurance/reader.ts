import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";

/** A fenced block of a guide. `heading` is the number of headings before it. */
interface Block {
  language: string;
  code: string;
  heading: number;
}

export const blocksOf = (markdown: string): Block[] => {
  const blocks = [];
  for (const { index, 1: language, 2: code } of markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms))
    blocks.push({ language: language!, code: code!, heading: markdown.slice(0, index).match(/^#+ /gm)!.length });
  return blocks;
};

/** What a guide prints as output: `…` stands for anything. */
const asPrinted = (text: string): RegExp =>
  new RegExp(
    `^${text
      .trim()
      .replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
      .replaceAll("…", "[^]*?")}$`,
  );

/** What happens outside of a guide's blocks, where a reader does something by hand: by a part of the block that comes next. */
export type Meanwhile = Record<string, (reader: Reader) => Promise<unknown>>;

/**
 * Somebody who goes through a guide in an empty folder, from the first block to the last:
 *
 * - A block of `sh` is typed into a terminal, and prints the `text` that follows it, or nothing.
 * - A block of `js` is saved under the name in its first line, or put behind the one before.
 * - A command that runs such a file is typed into another terminal, and takes the place of the one before. A second `text` is what
 *   it says.
 */
export class Reader {
  private readonly terminal: Terminal;
  private other?: Terminal;

  constructor(
    private readonly folder: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {
    expect(fs.readdirSync(folder)).toEqual([]);
    this.terminal = new Terminal(folder, env);
  }

  /** @param meanwhile each of them has to be used */
  async follow(markdown: string, meanwhile: Meanwhile = {}): Promise<void> {
    const left = { ...meanwhile };
    const blocks = blocksOf(markdown);
    let file = "";
    for (const [i, { language, code, heading }] of blocks.entries()) {
      for (const part of Object.keys(left).filter((part) => code.includes(part))) {
        await left[part]!(this);
        delete left[part];
      }
      if (language === "js") {
        const named = /^\/\/ (\S+\.mjs)\n/.exec(code)?.[1];
        if (named) fs.writeFileSync(path.join(this.folder, (file = named)), code);
        else fs.appendFileSync(path.join(this.folder, file), `\n${code}`);
      }
      if (language !== "sh") continue;
      const said: string[] = [];
      for (const next of blocks.slice(i + 1)) {
        if (next.language !== "text" || next.heading !== heading) break;
        said.push(next.code);
      }
      if (/^.*\bnode \S+\.mjs\n$/.test(code)) {
        await this.run(code);
        continue;
      }
      expect(await this.terminal.run(code), code).toMatch(asPrinted(said[0] ?? ""));
      if (said[1]) await expect.poll(() => this.other!.said.trim()).toMatch(asPrinted(said[1]));
    }
    expect(Object.keys(left), "what nobody waited for").toEqual([]);
  }

  /** Types something else into the first terminal. */
  type = (code: string): Promise<string> => this.terminal.run(code);

  /** Runs a program in the other terminal. */
  async run(command: string): Promise<void> {
    await this.stop();
    this.other = new Terminal(this.folder, this.env);
    this.other.type(command);
  }

  /** What the program in the other terminal has said. */
  heard = (): string => this.other!.said;

  /** Stops that program. */
  stop = async (): Promise<void> => {
    await this.other?.end();
  };

  has = (file: string): boolean => fs.existsSync(path.join(this.folder, file));

  read<T = unknown>(file: string): T {
    return JSON.parse(fs.readFileSync(path.join(this.folder, file), "utf8")) as T;
  }

  async end(): Promise<void> {
    await Promise.all([this.terminal.end(), this.stop()]);
  }
}

const DONE = "\u0004done\n";

/** A shell that ends at the first command that fails. */
class Terminal {
  said = "";
  private complaints = "";
  private readonly shell: ChildProcess;
  private readonly exit: Promise<unknown>;

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.shell = spawn("bash", ["-e", "-o", "pipefail"], { cwd: folder, env, detached: true, stdio: "pipe" });
    this.shell.stdout!.setEncoding("utf8").on("data", (text: string) => (this.said += text));
    this.shell.stderr!.setEncoding("utf8").on("data", (text: string) => (this.complaints += text));
    this.shell.stdin!.on("error", () => undefined);
    this.exit = once(this.shell, "exit");
  }

  type(code: string): void {
    this.shell.stdin!.write(code);
  }

  /** @returns what it prints */
  async run(code: string): Promise<string> {
    this.said = "";
    this.type(`${code}\nprintf '${DONE.replace("\n", "\\n")}'\n`);
    while (!this.said.endsWith(DONE)) {
      if (this.shell.exitCode !== null) throw new Error(`It failed:\n${code}\n${this.said}\n${this.complaints}`);
      await sleep(20);
    }
    return this.said.slice(0, -DONE.length).trim();
  }

  /** Ends the shell and what runs in it. */
  async end(): Promise<void> {
    try {
      process.kill(-this.shell.pid!, "SIGKILL");
    } catch {
      // It has ended.
    }
    await this.exit;
  }
}
