// A Parley of its own with a model's server and a tools' server, all on loopback.
import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import "reflect-metadata";
import { SECRET_KEY } from "../seed.mjs";
import { makeTenant } from "../tenant.mjs";

const here = import.meta.dirname;
const root = path.join(here, "../..");
const SETTLE_SECONDS = 120;
const MAX_ATTEMPTS = 10;

async function listen(handle) {
  const server = http.createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => handle(request, response, JSON.parse(Buffer.concat(chunks).toString())));
  });
  await new Promise((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return { server, host: `127.0.0.1:${server.address().port}` };
}

/**
 * @param model `(request, response)` gives a completion, or undefined if it answers by itself. Without it there is no language model
 * @param tools `({ path, headers, body })` gives `{ status, body }`, or "reset"
 * @param env settings of the server besides
 */
export async function openInstallation({ name, model, key, tools, chatSeconds = 10, env = {} }) {
  execFileSync(process.execPath, ["scripts/build.mjs", "--if-needed"], { cwd: root, stdio: "inherit" });
  const { startEmbeddedPostgres } = await import("../../dist/src/platform/database/embedded/embedded.js");
  const { migrate } = await import("../../dist/src/platform/database/migrations/migrate.js");
  const { ownerOptions } = await import("../../dist/src/platform/database/options.js");
  const { ENTITIES } = await import("../../dist/src/entities.js");
  const { SQL_FILES } = await import("../../dist/src/sql-files.js");

  const send = (response, status, body) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const models = await listen((_, response, request) => {
    const completion = model(request, response);
    if (completion !== undefined) send(response, 200, completion);
  });
  const endpoints = await listen((request, response, body) => {
    const answer = tools({ path: request.url, headers: request.headers, body });
    if (answer === "reset") request.socket.destroy();
    else send(response, answer.status ?? 200, answer.body);
  });

  const postgres = await startEmbeddedPostgres({
    dataDir: process.env.DATA_DIR ?? path.join(here, "../.data"),
    mode: "own",
  });
  const admin = new pg.Client(postgres.url());
  await admin.connect();
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.query(`create database ${name}`);
  const url = postgres.url(name);
  await migrate(url, ownerOptions(url, ENTITIES), SQL_FILES);
  const db = new pg.Client(url);
  await db.connect();

  const attachments = path.join(here, "../.data", `${name}-attachments`);
  const parley = spawn(process.execPath, ["dist/src/main.js"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      DATABASE_URL: url,
      PORT: "0",
      HOST: "127.0.0.1",
      NODE_ENV: "production",
      LOG_LEVEL: "error",
      SECRET_KEY,
      ATTACHMENTS_DIR: attachments,
      RATE_LIMIT_PER_MINUTE: "1000000000",
      ...(model && { ASSISTANT_URL: `http://${models.host}/v1`, ASSISTANT_MODEL: "hostile", ASSISTANT_KEY: key }),
      ASSISTANT_CHAT_SECONDS: String(chatSeconds),
      ASSISTANT_DAY_TOKENS: "1000000000",
      OUTBOUND_ALLOW: `${models.host},${endpoints.host}`,
      ...env,
    },
  });
  const port = await new Promise((resolve, reject) => {
    let log = "";
    parley.stdout.on("data", (chunk) => {
      log = `${log}${chunk}`.slice(-10_000);
      const ready = /ready at http:\/\/127\.0\.0\.1:(\d+)/.exec(log);
      if (ready) resolve(Number(ready[1]));
    });
    parley.once("exit", () => reject(new Error(`the server did not start: ${log}`)));
  });

  const api = async (method, at, token, body) => {
    const headers = {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(token && method === "POST" && { "idempotency-key": randomUUID() }),
    };
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(`http://127.0.0.1:${port}${at}`, {
        method,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await response.text();
      // The server is too busy for the moment, as any client has to expect.
      if (response.status !== 503 || attempt === MAX_ATTEMPTS)
        return { status: response.status, body: text && JSON.parse(text) };
      await sleep(1_000);
    }
  };
  const must = async (...request) => {
    const { status, body } = await api(...request);
    if (status > 299) throw new Error(`${request[0]} ${request[1]} answered ${status} ${JSON.stringify(body)}`);
    return body;
  };
  /** A tenant with `key` and `owner`; the latter ends after some minutes, and `signIn` begins a new one. */
  const tenant = async (title) => {
    const made = makeTenant(url, title);
    const { email, password, tenantId, workspaceId } = made;
    const { brandId } = await must("GET", `/api/workspaces/${workspaceId}`, made.key);
    const one = { key: made.key, tenantId, workspaceId, brandId };
    one.signIn = async () => {
      one.owner = (
        await must("POST", "/api/auth/login", undefined, { email, password, environment: "live" })
      ).accessToken;
    };
    await one.signIn();
    return one;
  };
  /** Until nothing is left to do in the conversations. Messages do not wait for the rest of a burst. */
  const settle = async (conversationIds) => {
    for (const until = Date.now() + SETTLE_SECONDS * 1_000; Date.now() < until; await sleep(100)) {
      await db.query(
        `update assistant_due set due_at = now() where not claimed and due_at > now() and conversation_id = any($1)`,
        [conversationIds],
      );
      const { rows } = await db.query(
        `select (select count(*) from assistant_run r
            where r.conversation_id = any($1) and r.outcome is null and r.waits_for is null)
          + (select count(*) from pending_action a where a.conversation_id = any($1) and a.status = 'approved') as open`,
        [conversationIds],
      );
      if (Number(rows[0].open) === 0) return;
    }
    throw new Error(`not settled after ${SETTLE_SECONDS} s`);
  };
  return {
    api,
    must,
    db,
    tenant,
    settle,
    toolUrl: (at) => `http://${endpoints.host}${at}`,
    close: async () => {
      parley.kill();
      for (const { server } of [models, endpoints]) {
        server.closeAllConnections();
        server.close();
      }
      await db.end();
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
      await postgres.stop();
      fs.rmSync(attachments, { recursive: true, force: true });
    },
  };
}
