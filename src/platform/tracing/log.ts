import { ConsoleLogger, type LogLevel } from "@nestjs/common";
import type { Config } from "../config/config.js";
import type { Tracing } from "./tracing.js";

const LEVELS: Record<Config["LOG_LEVEL"], LogLevel[]> = {
  error: ["fatal", "error"],
  warn: ["fatal", "error", "warn"],
  info: ["fatal", "error", "warn", "log"],
  debug: ["fatal", "error", "warn", "log", "debug"],
};

/** One line of JSON each. Where traces are on, a line names the trace in which it was written. */
export class Log extends ConsoleLogger {
  private tracing: Tracing | undefined;

  constructor({ LOG_LEVEL }: Pick<Config, "LOG_LEVEL">) {
    super({ json: true, logLevels: LEVELS[LOG_LEVEL] });
  }

  /** From now on. The log is there before the application is. */
  show(tracing: Tracing): void {
    this.tracing = tracing;
  }

  protected override getJsonLogObject(
    ...line: Parameters<ConsoleLogger["getJsonLogObject"]>
  ): ReturnType<ConsoleLogger["getJsonLogObject"]> {
    return { ...super.getJsonLogObject(...line), ...this.tracing?.current() };
  }
}
