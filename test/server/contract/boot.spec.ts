import { Controller, Get, Module, Post, type Type } from "@nestjs/common";
import { APP_FILTER, APP_GUARD, DiscoveryModule, NestFactory } from "@nestjs/core";
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AppModule } from "../../../src/app.module.js";
import { Public } from "../../../src/auth/access/access.js";
import { AccessGuard } from "../../../src/auth/access/access.guard.js";
import { KnownPolls } from "../../../src/auth/access/known-polls.js";
import { BearerStrategy } from "../../../src/auth/access/bearer.strategy.js";
import { RouteAccess } from "../../../src/auth/access/route-access.js";
import { Config } from "../../../src/platform/config/config.js";
import { ErrorFilter } from "../../../src/platform/http/errors.js";
import { SECRET_KEY } from "../../support/app.js";
import { freshDatabase, type TestDatabase } from "../../support/database.js";

@Controller("careless")
class CarelessController {
  @Get("declared") @Public("for the test") declared(): object {
    return { ok: true };
  }
  @Get("open/:id") open(): object {
    return { secret: true };
  }
  @Post("also") also(): object {
    return { secret: true };
  }
}
@Controller("inheriting")
class InheritingController extends CarelessController {}
@Controller("careful")
class CarefulController {
  @Get() @Public("for the test") get(): object {
    return { ok: true };
  }
}

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const make = (module: Type, imports: object[] = []): Promise<NestFastifyApplication> =>
  NestFactory.create<NestFastifyApplication>({ module, imports: imports as never[] }, new FastifyAdapter(), {
    logger: false,
    abortOnError: false,
  });

async function startError(app: NestFastifyApplication): Promise<string> {
  try {
    await app.listen(0, "127.0.0.1");
    return "it started";
  } catch (error) {
    return (error as Error).message;
  } finally {
    await app.close();
  }
}

test("the application refuses to start, and names the method and path, if a route does not declare its access", async () => {
  @Module({ imports: [DiscoveryModule], controllers: [CarelessController], providers: [RouteAccess] })
  class Careless {}
  expect(await startError(await make(Careless))).toBe(
    "Routes without an access declaration: GET /careless/open/:id, POST /careless/also",
  );
});

test("an inherited route must declare its access too", async () => {
  @Module({ imports: [DiscoveryModule], controllers: [InheritingController], providers: [RouteAccess] })
  class Inheriting {}
  expect(await startError(await make(Inheriting))).toContain("GET /inheriting/open/:id");
});

test("a controller whose routes all declare their access starts", async () => {
  @Module({ imports: [DiscoveryModule], controllers: [CarefulController], providers: [RouteAccess] })
  class Careful {}
  expect(await startError(await make(Careful))).toBe("it started");
});

test("the whole application refuses to start with one undeclared route", async () => {
  @Module({ controllers: [CarelessController] })
  class Careless {}
  const config = Object.assign(new Config(), { NODE_ENV: "test", SECRET_KEY, DATABASE_URL: db.url });
  expect(await startError(await make(Careless, [AppModule.forRoot(config, db.url, false)]))).toBe(
    "Routes without an access declaration: GET /careless/open/:id, POST /careless/also",
  );
});

test("the guard itself refuses an undeclared handler for every caller", async () => {
  @Module({
    controllers: [CarelessController],
    providers: [
      { provide: BearerStrategy, useValue: {} },
      { provide: KnownPolls, useValue: {} },
      { provide: APP_GUARD, useClass: AccessGuard },
      { provide: APP_FILTER, useClass: ErrorFilter },
    ],
  })
  class Guarded {}
  const app = await make(Guarded);
  await app.listen(0, "127.0.0.1");
  try {
    const url = `${await app.getUrl()}/careless`;
    for (const headers of [{} as Record<string, string>, { authorization: "Bearer anything" }]) {
      const answer = await fetch(`${url}/open/1`, { headers });
      expect([answer.status, await answer.text()]).toEqual([403, '{"error":"Forbidden"}']);
    }
    expect((await fetch(`${url}/declared`)).status).toBe(200);
  } finally {
    await app.close();
  }
});
