// For TypeORM's command line: `npm run build`, then `DATABASE_URL=postgres://… npx typeorm migration:generate -d dist/ormconfig.js <file>`.
import "reflect-metadata";
import { DataSource } from "typeorm";
import { ownerOptions } from "./src/platform/database/options.js";
import { ENTITIES } from "./src/entities.js";

export default new DataSource(ownerOptions(process.env.DATABASE_URL ?? "", ENTITIES));
