// A mail server in a process of its own, that fails at random and can be killed at any moment. What it has accepted stands in its
// log before it says so. A mailbox that gets a Message-ID again drops the repeat: so does it, and notes that.
//   node mail-receiver.mjs <port> <log file> <share of failures>
import fs from "node:fs";
import { SMTPServer } from "smtp-server";

const [port, file, failures] = [Number(process.argv[2]), process.argv[3], Number(process.argv[4])];
const log = fs.openSync(file, "a+");
const known = new Set(
  fs
    .readFileSync(file, "utf8")
    .split("\n")
    .map((line) => line.split(" ")[1]),
);
const fails = () => Math.random() < failures / 3;
const later = (code) => Object.assign(new Error("Try again later"), { responseCode: code });

const server = new SMTPServer({
  authOptional: true,
  allowInsecureAuth: true,
  disabledCommands: ["STARTTLS"],
  disableReverseLookup: true,
  onAuth: ({ username }, _, done) => done(null, { user: username }),
  onRcptTo: (_, __, done) => done(fails() ? later(450) : null),
  onData: (stream, session, done) => {
    let text = "";
    stream
      .on("data", (chunk) => {
        text += chunk.toString();
      })
      .on("end", () => {
        if (fails()) return done(later(451));
        const id = /^Message-ID: <([\da-f-]+)@parley[.>]/im.exec(text)[1];
        const what = /\r\n\r\n(\S+ \d+)/.exec(text)[1];
        fs.writeSync(log, `${known.has(id) ? "repeat" : "delivered"} ${id} ${what}\n`);
        known.add(id);
        // Taken, but the sender does not learn it.
        if (fails())
          return (
            session.connection?.destroy?.() ??
            [...server.connections].find((one) => one.session.id === session.id)?._socket.destroy()
          );
        done();
      });
  },
});
server.on("error", () => undefined);
server.listen(port, "127.0.0.1", () => process.stdout.write("ready\n"));
