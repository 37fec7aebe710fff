import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../support/ports.js";
import { OF_LOCALHOST } from "../security/certificate.js";

/** The path of Debian's `dovecot-imapd` on this machine; undefined if it is not installed. */
export const DOVECOT = ["/usr/sbin/dovecot", "/usr/local/sbin/dovecot"].find(
  (file) => fs.existsSync(file) && fs.existsSync("/usr/lib/dovecot/imap"),
);

/** Is added to the names of tests that are skipped without Dovecot. */
export const WITHOUT_DOVECOT = DOVECOT ? "" : " (left out: no Dovecot was found; install dovecot-imapd)";

export const PASSWORD = "needle-hunter2-hunter2";
/** The mailboxes, by the names of their users, unless a test has its own. */
const BOXES = ["support", "sales", "help"];

export interface Dovecot {
  /** With TLS, this port requires STARTTLS before a login. */
  readonly port: number;
  /** The port with implicit TLS; 0 without TLS. */
  readonly tlsPort: number;
  /** Puts a mail into a user's inbox atomically, as a mail server does. @param at when the server says that it arrived; by default now */
  deliver(mail: string | Buffer, user?: string, at?: Date): void;
  /** The number of mails in an inbox, and how many of them are marked as read. */
  inbox(user?: string): { mails: number; seen: number };
  /** Removes all mails of an inbox. */
  empty(user?: string): void;
  /** Gives the inbox a new UIDVALIDITY, as after a restored backup. */
  renumber(user?: string): void;
  /** Changes the password. */
  password(password: string): Promise<void>;
  start(): Promise<void>;
  /** Kills all of its processes with kill -9. */
  kill(): Promise<void>;
  /** Cuts its connections only. */
  killConnections(): void;
  close(): Promise<void>;
}

let lastName = 0;

/**
 * A real Dovecot in its own folder, on its own port. Under root it serves mail as the user nobody, because it refuses
 * to serve root's mail.
 */
export async function startDovecot({
  idle = true,
  tls = false,
  address = "127.0.0.1",
  introspectionUrl,
  boxes = BOXES,
}: {
  idle?: boolean;
  tls?: boolean;
  address?: string;
  /** Where it asks what a token opens. With it, mailboxes are opened by XOAUTH2 too, and have addresses. */
  introspectionUrl?: string;
  boxes?: readonly string[];
} = {}): Promise<Dovecot> {
  const root = process.getuid!() === 0;
  const [uid, gid] = root ? [65_534, 65_534] : [process.getuid!(), process.getgid!()];
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-dovecot-"));
  const own = (file: string): void => {
    if (root) fs.chownSync(file, uid, gid);
  };
  const port = await freePort(address);
  const tlsPort = tls ? await freePort(address) : 0;
  const user = root ? "nobody" : os.userInfo().username;
  const group = spawnSync("id", ["-gn", user], { encoding: "utf8" }).stdout.trim();
  const passwords = path.join(folder, "passwords");
  const writePasswords = (password: string): void =>
    fs.writeFileSync(passwords, boxes.map((name) => `${name}:{PLAIN}${password}::::::\n`).join(""), {
      mode: 0o644,
    });
  writePasswords(PASSWORD);
  for (const [name, text] of Object.entries(OF_LOCALHOST))
    fs.writeFileSync(path.join(folder, `${name}.pem`), text, { mode: 0o644 });
  if (introspectionUrl !== undefined)
    fs.writeFileSync(
      path.join(folder, "oauth2.conf"),
      [
        "introspection_mode = post",
        `introspection_url = ${introspectionUrl}`,
        "username_attribute = username",
        "username_format = %n",
        "active_attribute = active",
        "active_value = true",
        "",
      ].join("\n"),
      { mode: 0o644 },
    );
  fs.writeFileSync(
    path.join(folder, "dovecot.conf"),
    `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = ${address}
${tls ? `ssl = required\nssl_cert = <${folder}/cert.pem\nssl_key = <${folder}/key.pem` : "ssl = no\ndisable_plaintext_auth = no"}
default_internal_user = ${user}
default_internal_group = ${group}
default_login_user = ${user}
first_valid_uid = 1
mail_location = maildir:${folder}/mail/%u
maildir_stat_dirs = yes
mailbox_idle_check_interval = 1s
auth_failure_delay = 0
mail_max_userip_connections = 100
${idle ? "" : "imap_capability = IMAP4rev1 LITERAL+"}
${
  introspectionUrl === undefined
    ? ""
    : `auth_mechanisms = plain login xoauth2
auth_username_format = %n
passdb {
  driver = oauth2
  mechanisms = xoauth2
  args = ${folder}/oauth2.conf
}`
}
passdb {
  driver = passwd-file
  args = ${passwords}
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${folder}/mail/%u
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${tlsPort}
    ssl = ${tls ? "yes" : "no"}
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`,
  );
  own(folder);
  for (const name of [
    "run",
    "state",
    "mail",
    ...boxes.flatMap((box) => ["", "/tmp", "/new", "/cur"].map((part) => `mail/${box}${part}`)),
  ]) {
    fs.mkdirSync(path.join(folder, name), { recursive: true });
    own(path.join(folder, name));
  }
  let child: ChildProcess | undefined;
  const processes = (): number[] => {
    const { stdout } = spawnSync("ps", ["-axww", "-o", "pid=,ppid="], { encoding: "utf8" });
    const parents = stdout
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
    const mine = new Set([child!.pid!]);
    for (let before = 0; before < mine.size;) {
      before = mine.size;
      for (const [pid, parent] of parents) if (mine.has(parent)) mine.add(pid);
    }
    return [...mine];
  };
  const strike = (pids: number[]): void => {
    for (const pid of pids)
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        /* It has ended already. */
      }
  };
  const place = (name: string, part: string): string => path.join(folder, "mail", name, part);
  const server: Dovecot = {
    port,
    tlsPort,
    deliver: (mail, name = "support", at) => {
      // Dovecot numbers mails by this time, so they keep their order: each has a later one than the one before.
      lastName = Math.max(Date.now() * 1_000, lastName + 1);
      const file = `${lastName}.${process.pid}.test`;
      fs.writeFileSync(path.join(place(name, "tmp"), file), mail, { mode: 0o644 });
      own(path.join(place(name, "tmp"), file));
      if (at) fs.utimesSync(path.join(place(name, "tmp"), file), at, at);
      fs.renameSync(path.join(place(name, "tmp"), file), path.join(place(name, "new"), file));
    },
    inbox: (name = "support") => {
      const files = [...fs.readdirSync(place(name, "new")), ...fs.readdirSync(place(name, "cur"))];
      return { mails: files.length, seen: files.filter((file) => /:2,.*S/.test(file)).length };
    },
    empty: (name = "support") => {
      for (const part of ["new", "cur"])
        for (const file of fs.readdirSync(place(name, part))) fs.rmSync(path.join(place(name, part), file));
    },
    renumber: (name = "support") => {
      for (const file of fs.readdirSync(place(name, ".")))
        if (file.startsWith("dovecot")) fs.rmSync(path.join(place(name, "."), file), { recursive: true });
    },
    password: (password) => {
      writePasswords(password);
      return sleep(1_100);
    },
    start: async () => {
      fs.rmSync(path.join(folder, "run"), { recursive: true, force: true });
      fs.mkdirSync(path.join(folder, "run"));
      own(path.join(folder, "run"));
      const made = spawn(DOVECOT!, ["-F", "-c", path.join(folder, "dovecot.conf")], {
        stdio: ["ignore", "ignore", "pipe"],
        cwd: folder,
        ...(root && { uid, gid }),
      });
      child = made;
      let said = "";
      made.stderr.on("data", (text) => {
        said += String(text);
      });
      for (const deadline = Date.now() + 100_000; !(await answers(address, port)); await sleep(50)) {
        if (made.exitCode !== null || Date.now() > deadline)
          throw new Error(
            `Dovecot did not start: ${said}${fs.existsSync(path.join(folder, "log")) ? fs.readFileSync(path.join(folder, "log"), "utf8") : ""}`,
          );
      }
    },
    kill: async () => {
      const ended = new Promise<void>((resolve) => {
        if (child!.exitCode !== null || child!.signalCode !== null) resolve();
        else child!.once("exit", () => resolve());
      });
      strike(processes());
      await ended;
    },
    killConnections: () => {
      const { stdout } = spawnSync("ps", ["-axww", "-o", "pid=,comm="], { encoding: "utf8" });
      const imap = new Set(
        stdout
          .split("\n")
          .filter((line) => /\simap$/.test(line.trim()))
          .map((line) => Number.parseInt(line, 10)),
      );
      strike(processes().filter((pid) => imap.has(pid)));
    },
    close: async () => {
      await server.kill();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

const answers = (address: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, address);
    socket
      .once("data", () => {
        socket.destroy();
        resolve(true);
      })
      .once("error", () => resolve(false))
      .once("end", () => {
        socket.destroy();
        resolve(false);
      });
  });
