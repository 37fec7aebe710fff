import { type DynamicModule, Global, Module } from "@nestjs/common";
import { TypeOrmModule } from "@nestjs/typeorm";
import type { PostgresDataSourceOptions } from "typeorm/driver/postgres/PostgresDataSourceOptions.js";
import { Changes } from "./changes.js";
import { CONNECTIONS, type Connections, FURTHER_CONNECTIONS } from "./connections.js";
import { Database } from "./database.js";
import { Homes } from "./homes.js";
import { Reservations } from "./reservations.js";
import { Sealers } from "./seal.js";
import { Servers } from "./servers.js";

/** The way to the database, for every feature. */
@Global()
@Module({})
export class DatabaseModule {
  /** @param further the connections to the servers of DATABASE_SERVERS */
  static forRoot(
    options: PostgresDataSourceOptions,
    connections: Connections,
    further: readonly Connections[],
  ): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [TypeOrmModule.forRoot({ ...options, retryAttempts: 0 })],
      providers: [
        { provide: CONNECTIONS, useValue: connections },
        { provide: FURTHER_CONNECTIONS, useValue: further },
        Servers,
        Homes,
        Database,
        Reservations,
        Changes,
        Sealers,
      ],
      exports: [Database, Servers, Homes, Reservations, Changes, Sealers],
    };
  }
}
