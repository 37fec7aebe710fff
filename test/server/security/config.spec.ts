import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { transformFile } from "@swc/core";
import { afterAll, describe, expect, test } from "vitest";
import { type Config, ConfigError } from "../../../src/platform/config/config.js";
import { describeConfig, loadConfig } from "../../../src/platform/config/load-config.js";
import { ROOT } from "../../../src/platform/config/root.js";

const folders: string[] = [];
const folder = (): string => {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), "parley-config-"));
  folders.push(made);
  return path.join(made, "data");
};
afterAll(() => {
  for (const made of folders) fs.rmSync(made, { recursive: true, force: true });
});

const SECRETS = { SECRET_KEY: "x".repeat(32), AUTH_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString("base64")}` };
const load = (env: NodeJS.ProcessEnv): Config => loadConfig({ ...SECRETS, ...env });
const plain = (config: Config): Record<string, unknown> => ({ ...config });

/** What an operator sees: the one line of a ConfigError. */
function refusal(env: NodeJS.ProcessEnv): string {
  try {
    loadConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message;
  }
  return "";
}

describe(".env.example", () => {
  const lines = fs.readFileSync(new URL(".env.example", ROOT), "utf8").split("\n");
  const settings = lines.flatMap((line) => {
    const [, off, name, value] = /^(# ?)?([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, value: value!, on: off === undefined }];
  });

  test("lists every setting exactly once, and no others", () => {
    expect(settings.map(({ name }) => name).sort()).toEqual(Object.keys(describeConfig()).sort());
  });

  test("enables a setting exactly if it has a default, and shows that default", () => {
    const defaults = describeConfig();
    expect(
      settings
        .filter(({ on }) => on)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(
      Object.keys(defaults)
        .filter((name) => defaults[name] !== undefined)
        .sort(),
    );
    const asShown = load(Object.fromEntries(settings.filter(({ on }) => on).map(({ name, value }) => [name, value])));
    expect(plain(asShown)).toEqual({ ...defaults, ...SECRETS });
  });

  test("shows only valid values for disabled settings", () => {
    const examples = settings.filter(({ on, value }) => !on && value);
    expect(examples.length).toBeGreaterThan(3);
    const config = plain(load(Object.fromEntries(examples.map(({ name, value }) => [name, value]))));
    for (const { name, value } of examples) expect([name, String(config[name])]).toEqual([name, value]);
  });

  test("describes each setting", () => {
    for (const { name } of settings) {
      const at = lines.findIndex((line) => new RegExp(`^(# ?)?${name}=`).test(line));
      const above = lines
        .slice(0, at)
        .reverse()
        .find((line) => !/^(# ?)?[A-Z][A-Z0-9_]*=/.test(line));
      expect([name, above]).toEqual([name, expect.stringMatching(/^# \S+ .{10,}/)]);
    }
  });
});

describe("S3", () => {
  const KEY = { S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "secret" };

  test("is off by default", () => {
    expect(load({})).toMatchObject({ ATTACHMENT_STORE: "disk", S3_PATH_STYLE: false, S3_PRESIGNED_DOWNLOADS: false });
  });

  test("needs a bucket, and nothing else where the platform gives the identity", () => {
    expect(load({ S3_BUCKET: "files", S3_PATH_STYLE: "true" })).toMatchObject({ S3_PATH_STYLE: true });
    expect(load({ S3_BUCKET: "files", ATTACHMENT_STORE: "s3", ...KEY }).ATTACHMENT_STORE).toBe("s3");
  });

  test.each([
    [{ ATTACHMENT_STORE: "s3" }, "S3_BUCKET is needed beside ATTACHMENT_STORE=s3"],
    [{ S3_ENDPOINT: "https://s3.example.com" }, "S3_BUCKET is needed beside S3_ENDPOINT"],
    [KEY, "S3_BUCKET is needed beside S3_ACCESS_KEY_ID"],
    [{ S3_PRESIGNED_DOWNLOADS: "true" }, "S3_BUCKET is needed beside S3_PRESIGNED_DOWNLOADS"],
    [{ S3_BUCKET: "files", S3_ACCESS_KEY_ID: "key" }, "S3_SECRET_ACCESS_KEY is needed beside S3_ACCESS_KEY_ID"],
    [{ S3_BUCKET: "files", S3_SECRET_ACCESS_KEY: "s" }, "S3_ACCESS_KEY_ID is needed beside S3_SECRET_ACCESS_KEY"],
    [{ S3_BUCKET: "files", S3_SESSION_TOKEN: "t" }, "S3_ACCESS_KEY_ID is needed beside S3_SESSION_TOKEN"],
    [{ S3_BUCKET: "files", S3_SSE_KMS_KEY_ID: "k" }, "S3_SSE=aws:kms is needed beside S3_SSE_KMS_KEY_ID"],
    [{ S3_BUCKET: "Not a bucket" }, "S3_BUCKET must be the name of a bucket"],
    [{ S3_BUCKET: "files", S3_PATH_STYLE: "yes" }, "S3_PATH_STYLE must be true or false"],
    [
      { S3_BUCKET: "files", AWS_ROLE_ARN: "arn:aws:iam::1:role/a" },
      "AWS_WEB_IDENTITY_TOKEN_FILE is needed beside AWS_ROLE_ARN",
    ],
  ])("%j is refused: %s", (env, message) => {
    expect(refusal({ ...SECRETS, ...env })).toBe(`Invalid setting: ${message}`);
  });
});

describe("a setting", () => {
  test("that is missing or empty has its default", () => {
    const empty = Object.fromEntries(Object.keys(describeConfig()).map((name) => [name, ""]));
    for (const env of [{}, empty])
      expect(plain(loadConfig({ ...env, ...SECRETS }))).toEqual({ ...describeConfig(), ...SECRETS });
  });

  const GIVEN = {
    NODE_ENV: "test",
    PORT: "0",
    PUBLIC_URL: "https://parley.example.com/",
    DATABASE_POOL_SIZE: "20",
    RATE_LIMIT_PER_MINUTE: "0",
    TRUSTED_PROXIES: "10.0.0.0/8, 127.0.0.1,::1",
    CORS_ORIGINS: "https://a.example, http://localhost:5173,",
    OUTBOUND_ALLOW: "CRM.internal:8080, [::1]:9000",
    OIDC_ISSUER: "http://localhost:9000",
    OIDC_AUDIENCE: "parley",
    SMTP_URL: "smtps://user:p%40ss@mail.example.com:465",
    EMBEDDINGS_URL: "https://embeddings.example.com/v1/",
    EMBEDDINGS_MODEL: "small",
    LOG_LEVEL: "debug",
    IRRELEVANT: "x",
  };
  const READ = {
    NODE_ENV: "test",
    PORT: 0,
    PUBLIC_URL: "https://parley.example.com",
    DATABASE_POOL_SIZE: 20,
    RATE_LIMIT_PER_MINUTE: 0,
    TRUSTED_PROXIES: ["10.0.0.0/8", "127.0.0.1", "::1"],
    CORS_ORIGINS: ["https://a.example", "http://localhost:5173"],
    OUTBOUND_ALLOW: ["crm.internal:8080", "[::1]:9000"],
    OIDC_ISSUER: "http://localhost:9000",
    OIDC_AUDIENCE: "parley",
    SMTP_URL: "smtps://user:p%40ss@mail.example.com:465",
    EMBEDDINGS_URL: "https://embeddings.example.com/v1",
    EMBEDDINGS_MODEL: "small",
    LOG_LEVEL: "debug",
  };
  test("is parsed by its type: a number, a list, an address without its trailing slash", () => {
    const config = plain(load(GIVEN));
    expect(config).toMatchObject(READ);
    expect(config).not.toHaveProperty("IRRELEVANT");
  });

  test("is parsed in the same way when secrets are generated", () => {
    expect(plain(loadConfig({ ...GIVEN, DATA_DIR: folder() }))).toMatchObject(READ);
    expect(plain(loadConfig({ ...GIVEN, DATA_DIR: folder(), SECRET_KEY: SECRETS.SECRET_KEY }))).toMatchObject({
      ...READ,
      SECRET_KEY: SECRETS.SECRET_KEY,
    });
  });

  const INVALID: [keyof Config, string[]][] = [
    ["NODE_ENV", ["prod", "Production"]],
    ["PORT", ["x", "-1", "65536", "80.5", "1e3", "0x50", "80 ", "NaN"]],
    ["PUBLIC_URL", ["parley.example.com", "ftp://parley.example.com", "javascript:alert(1)"]],
    ["DATABASE_URL", ["mysql://localhost/parley", "localhost:5432"]],
    ["DATABASE_POOL_SIZE", ["0", "1", "101", "many"]],
    ["DATABASE_WAIT_SECONDS", ["0", "301", "2.5", "long"]],
    ["SESSION_MAX_HOURS", ["0", "8761", "1.5", "long"]],
    ["SESSION_MAX_HOURS_ADMINS", ["0", "8761", "1.5", "long"]],
    ["SECRET_KEY", ["too short", "x".repeat(31)]],
    ["AUTH_WEBHOOK_SECRET", ["secret", "whsec_", "whsec_!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!", "x".repeat(64)]],
    ["RATE_LIMIT_PER_MINUTE", ["-1", "none", "1.5"]],
    ["TRUSTED_PROXIES", ["nonsense", "10", "010.0.0.1", "10.0.0.0/99", "::1/129", "127.0.0.1,nonsense"]],
    ["CORS_ORIGINS", ["*", "example.com", "https://a.example,nonsense"]],
    [
      "OUTBOUND_ALLOW",
      [
        "crm.internal",
        "crm.internal:0",
        "crm.internal:65536",
        "crm.internal:080",
        "*.internal:80",
        "http://crm.internal:80",
        "user@crm.internal:80",
        "127.1:80",
        "0x7f.1:80",
        "::1:80",
        "[::ffff:127.0.0.1]:80",
        "crm.internal:80/x",
        "a.internal:80,nonsense",
      ],
    ],
    ["OIDC_ISSUER", ["login.example.com", "ldap://login.example.com"]],
    ["EMBEDDINGS_URL", ["embeddings.example.com", "ftp://embeddings.example.com"]],
    ["ASSISTANT_URL", ["models.example.com", "ftp://models.example.com"]],
    ["ASSISTANT_RUN_TOKENS", ["0", "many"]],
    ["ASSISTANT_DAY_TOKENS", ["0", "1.5"]],
    ["SMTP_URL", ["mail.example.com", "http://mail.example.com"]],
    ["LOG_LEVEL", ["verbose", "INFO"]],
  ];
  test.each(INVALID.flatMap(([name, values]) => values.map((value) => [name, value])))(
    "%s=%s is refused in one line that names the setting",
    (name, value) => {
      const line = refusal({ ...SECRETS, OIDC_AUDIENCE: "parley", [name]: value });
      expect(line).toMatch(new RegExp(`^[^\\n]*\\b${name}\\b[^\\n]*$`));
      expect(line.length).toBeGreaterThan(name.length + 15);
    },
  );

  test("that is invalid and secret is not repeated in the error", () => {
    const secrets = {
      SECRET_KEY: "hunter2",
      AUTH_WEBHOOK_SECRET: "hunter3",
      DATABASE_URL: "mysql://user:hunter4@localhost",
      DATABASE_APP_URL: "mysql://user:hunter5@localhost",
      SMTP_URL: "http://user:hunter6@localhost",
    };
    for (const [name, value] of Object.entries(secrets))
      expect([name, refusal({ ...SECRETS, [name]: value })]).toEqual([name, expect.not.stringContaining("hunter")]);
    const line = refusal(secrets);
    expect(line).not.toContain("hunter");
    for (const name of Object.keys(secrets)) expect(line).toContain(name);
  });

  test("that needs another one is refused without it, and the error names the missing one", () => {
    expect(refusal({ ...SECRETS, OIDC_ISSUER: "https://login.example.com" })).toMatch(/^.*OIDC_AUDIENCE.*$/);
    expect(refusal({ ...SECRETS, EMBEDDINGS_URL: "https://embeddings.example.com/v1" })).toMatch(
      /^.*EMBEDDINGS_MODEL.*$/,
    );
    expect(refusal({ ...SECRETS, ASSISTANT_URL: "https://models.example.com/v1" })).toMatch(/^.*ASSISTANT_MODEL.*$/);
    expect(refusal({ ...SECRETS, DATABASE_APP_URL: "postgres://localhost/parley" })).toMatch(/^.*DATABASE_URL.*$/);
  });
});

describe("in production", () => {
  const production = { NODE_ENV: "production", DATABASE_URL: "postgres://localhost/parley" };

  test("an external database without SECRET_KEY stops the start with an error that names it, and generates no secret", () => {
    const DATA_DIR = folder();
    for (const env of [{}, { AUTH_WEBHOOK_SECRET: SECRETS.AUTH_WEBHOOK_SECRET }, { SECRET_KEY: "" }])
      expect(refusal({ ...production, DATA_DIR, ...env })).toMatch(/^.*SECRET_KEY.*$/);
    expect(fs.existsSync(DATA_DIR)).toBe(false);
    const config = loadConfig({ ...production, DATA_DIR, SECRET_KEY: SECRETS.SECRET_KEY });
    expect([config.AUTH_WEBHOOK_SECRET, fs.existsSync(DATA_DIR)]).toEqual([undefined, false]);
  });

  test("the rate limit is on by default; elsewhere it is off by default", () => {
    const limit = (env: NodeJS.ProcessEnv): number => load(env).rateLimitPerMinute;
    expect([
      limit(production),
      limit({ ...production, RATE_LIMIT_PER_MINUTE: "0" }),
      limit({ ...production, RATE_LIMIT_PER_MINUTE: "50" }),
      limit({}),
      limit({ RATE_LIMIT_PER_MINUTE: "50" }),
    ]).toEqual([600, 0, 50, 0, 50]);
  });

  test.each([
    ["0.0.0.0", true],
    ["::", true],
    ["192.168.1.7", true],
    ["2001:db8::1", true],
    ["parley.example.com", true],
    ["localhost", false],
    ["127.0.0.1", false],
    ["127.8.9.1", false],
    ["::1", false],
    ["::ffff:127.0.0.1", false],
  ])("a HOST that other machines reach turns the rate limit on outside production, too: %s", (HOST, exposed) => {
    const { rateLimitPerMinute, isExposed } = load({ HOST });
    expect([rateLimitPerMinute, isExposed]).toEqual([exposed ? 600 : 0, exposed]);
    expect(load({ HOST, RATE_LIMIT_PER_MINUTE: "0" })).toMatchObject({ rateLimitPerMinute: 0, isExposed: exposed });
    expect(load({ ...production, HOST })).toMatchObject({ rateLimitPerMinute: 600, isExposed: false });
  });
});

describe("secrets that are not set", () => {
  const read = (dataDir: string) =>
    JSON.parse(fs.readFileSync(path.join(dataDir, "secrets.json"), "utf8")) as Record<string, string>;

  test("are generated once and kept in the data folder, readable only by its owner; they are strong, and differ between folders", () => {
    const [one, other] = [folder(), folder()];
    const first = loadConfig({ DATA_DIR: one });
    expect(fs.statSync(path.join(one, "secrets.json")).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(one)).toEqual(["secrets.json"]);
    expect(read(one)).toEqual({ SECRET_KEY: first.SECRET_KEY, AUTH_WEBHOOK_SECRET: first.AUTH_WEBHOOK_SECRET });
    expect(Buffer.from(first.SECRET_KEY!, "base64url")).toHaveLength(32);
    expect(Buffer.from(first.AUTH_WEBHOOK_SECRET!.replace("whsec_", ""), "base64")).toHaveLength(32);
    expect(plain(loadConfig({ DATA_DIR: one }))).toEqual(plain(first));
    expect(plain(loadConfig({ DATA_DIR: one, NODE_ENV: "production" }))).toMatchObject(read(one));
    const second = loadConfig({ DATA_DIR: other });
    expect([second.SECRET_KEY === first.SECRET_KEY, second.AUTH_WEBHOOK_SECRET === first.AUTH_WEBHOOK_SECRET]).toEqual([
      false,
      false,
    ]);
  });

  test("do not replace those that are set", () => {
    const DATA_DIR = folder();
    const kept = loadConfig({ DATA_DIR });
    expect(loadConfig({ DATA_DIR, SECRET_KEY: SECRETS.SECRET_KEY })).toMatchObject({
      SECRET_KEY: SECRETS.SECRET_KEY,
      AUTH_WEBHOOK_SECRET: kept.AUTH_WEBHOOK_SECRET,
    });
    expect(read(DATA_DIR).SECRET_KEY).toBe(kept.SECRET_KEY);
  });

  test("that cannot be read or written give a one-line error with the file's name, and are not replaced", () => {
    const broken = folder();
    fs.mkdirSync(broken, { recursive: true });
    fs.writeFileSync(path.join(broken, "secrets.json"), '{"SECRET_KEY":"hunter2');
    expect(refusal({ DATA_DIR: broken })).toMatch(/^[^\n]*secrets\.json[^\n]*$/);
    expect(refusal({ DATA_DIR: broken })).not.toContain("hunter2");
    const taken = folder();
    fs.writeFileSync(taken, "a file");
    expect(refusal({ DATA_DIR: taken })).toMatch(/^[^\n]*secrets\.json[^\n]*$/);
    for (const content of ["{}", "null", "[]", '{"SECRET_KEY":"short","AUTH_WEBHOOK_SECRET":"x"}']) {
      fs.writeFileSync(path.join(broken, "secrets.json"), content);
      expect([content, refusal({ DATA_DIR: broken })]).toEqual([
        content,
        expect.stringMatching(/^[^\n]*(secrets\.json|SECRET_KEY)[^\n]*$/),
      ]);
    }
  });

  test("are the same for processes that start concurrently in one folder", async () => {
    const DATA_DIR = folder();
    const place = path.dirname(DATA_DIR);
    // The only files that the processes need, so no build is required.
    for (const name of ["load-config", "config", "values"]) {
      const { code } = await transformFile(fileURLToPath(new URL(`src/platform/config/${name}.ts`, ROOT)), {
        swcrc: false,
        module: { type: "es6" },
        jsc: {
          target: "es2023",
          parser: { syntax: "typescript", decorators: true },
          transform: { legacyDecorator: true, useDefineForClassFields: false },
        },
      });
      fs.writeFileSync(path.join(place, `${name}.js`), code);
    }
    fs.writeFileSync(path.join(place, "package.json"), '{"type":"module"}');
    const module = path.join(place, "main.js");
    fs.writeFileSync(
      module,
      `import { loadConfig } from "./load-config.js";
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.max(0, Number(process.argv[2]) - Date.now()));
      console.log(JSON.stringify(loadConfig({ DATA_DIR: process.argv[3] })));`,
    );
    fs.symlinkSync(fileURLToPath(new URL("node_modules", ROOT)), path.join(place, "node_modules"));
    // The processes wait for each other, so all of them find the folder empty.
    const at = String(Date.now() + 2_000);
    const outputs = await Promise.all(
      Array.from({ length: 4 }, () =>
        promisify(execFile)(process.execPath, ["--import", "reflect-metadata", module, at, DATA_DIR], {
          cwd: path.dirname(DATA_DIR),
        }),
      ),
    );
    const seen = new Set(
      outputs.map(({ stdout }) => {
        const { SECRET_KEY, AUTH_WEBHOOK_SECRET } = JSON.parse(stdout) as Config;
        return `${SECRET_KEY} ${AUTH_WEBHOOK_SECRET}`;
      }),
    );
    expect([...seen]).toEqual([`${read(DATA_DIR).SECRET_KEY} ${read(DATA_DIR).AUTH_WEBHOOK_SECRET}`]);
    expect(fs.readdirSync(DATA_DIR)).toEqual(["secrets.json"]);
  });
});
