// The mail server between Parley and its customers, in a process of its own: it fails and delays at random, forgets to say that it
// has taken a mail, and can be killed at any moment. What it has taken stands in its log before it says so, a line of JSON each.
//   node post-office.mjs <port> <log file> <share of failures>
import fs from "node:fs";
import { simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";

const [port, file, failures] = [Number(process.argv[2]), process.argv[3], Number(process.argv[4])];
const LONGEST_MS = 2_000;
const log = fs.openSync(file, "a");
const happens = () => Math.random() < failures / 4;
const later = (code) => Object.assign(new Error("Try again later"), { responseCode: code });

const server = new SMTPServer({
  authOptional: true,
  allowInsecureAuth: true,
  disabledCommands: ["STARTTLS"],
  disableReverseLookup: true,
  onAuth: ({ username }, _, done) => done(null, { user: username }),
  onRcptTo: (_, __, done) => done(happens() ? later(450) : null),
  onData: async (stream, session, done) => {
    const { messageId, from, replyTo, to, subject, text } = await simpleParser(stream, { skipHtmlToText: true });
    if (happens()) await new Promise((resolve) => setTimeout(resolve, Math.random() * LONGEST_MS));
    if (happens()) return done(later(451));
    const [answerTo, customer] = [replyTo ?? from, to].map(({ value }) => value[0].address);
    fs.writeSync(log, `${JSON.stringify({ messageId, answerTo, customer, subject, text })}\n`);
    // Taken, but the sender does not learn it.
    if (happens()) return [...server.connections].find((one) => one.session.id === session.id)?._socket.destroy();
    done();
  },
});
server.on("error", () => undefined);
server.listen(port, "127.0.0.1", () => process.stdout.write("ready\n"));
