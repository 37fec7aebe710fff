import fs from "node:fs";
import type { MigrationInterface, QueryRunner } from "typeorm";

const FOLDER = new URL("./baseline/", import.meta.url);

/** The tables, with their constraints, indexes, grants and row-level security: the files of `baseline/`, in the order of their names. */
export class Baseline1763700000000 implements MigrationInterface {
  name = "Baseline1763700000000";

  async up(runner: QueryRunner): Promise<void> {
    const files = fs.readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));
    for (const name of files.sort()) await runner.query(fs.readFileSync(new URL(name, FOLDER), "utf8"));
    await runner.query("drop procedure isolate(regclass, text)");
  }

  down(): Promise<void> {
    return Promise.reject(new Error("Migrations go forward only: restore a backup instead"));
  }
}
