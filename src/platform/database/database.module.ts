import { type DynamicModule, Global, Module } from "@nestjs/common";
import { TypeOrmModule } from "@nestjs/typeorm";
import type { PostgresDataSourceOptions } from "typeorm/driver/postgres/PostgresDataSourceOptions.js";
import { Changes } from "./changes.js";
import { CONNECTIONS, type Connections } from "./connections.js";
import { Database } from "./database.js";
import { Sealers } from "./seal.js";

/** The way to the database, for every feature. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(options: PostgresDataSourceOptions, connections: Connections): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [TypeOrmModule.forRoot({ ...options, retryAttempts: 0 })],
      providers: [{ provide: CONNECTIONS, useValue: connections }, Database, Changes, Sealers],
      exports: [Database, Changes, Sealers],
    };
  }
}
