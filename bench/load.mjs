// A load of HTTP requests over keep-alive connections, in a process of its own: raw sockets, because a full client would
// take the server's share of the processor. Run by `httpLoad`; reads its plan from the parent.
import { fork } from "node:child_process";
import net from "node:net";

const LONGEST_HEAD = 8 * 1024;

/**
 * @param plan {port, connections, seconds, requests: string[], statuses?: number[], awake?: boolean, once?: boolean, pause?: ms}; each
 *   request is its whole text; `once`: one for each connection; `pause`: between an answer and the connection's next
 *   request, half more or less; `awake` keeps the load's own core busy, so that waking it is not charged to a server that waits for nothing
 * @returns {Promise<{rate: number, count: number, p50: number, p99: number, other: number, unexpected?: string}>} milliseconds; `other`: answers with another status, of which `unexpected` is the first
 */
export function httpLoad(plan) {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, { stdio: "inherit" });
    child.once("message", (result) => {
      resolve(result);
      child.disconnect();
    });
    child.once("error", reject);
    child.send(plan);
  });
}

function run({ port, connections, seconds, requests, statuses = [200], awake = false, once = false, pause = 0 }) {
  const latencies = [];
  // All connections read into the same memory. Otherwise Node would allocate 64 kB for each read.
  const buffer = Buffer.alloc(64 * 1024);
  let next = 0;
  let other = 0;
  let unexpected;
  const started = performance.now();
  const until = started + seconds * 1_000;
  const spin = () => {
    if (performance.now() < until) setImmediate(spin);
  };
  if (awake) spin();
  const connection = () =>
    new Promise((resolve) => {
      let head = "";
      let received = 0;
      let expected = Infinity;
      let sent = 0;
      const send = () => {
        if ((sent = performance.now()) >= until || (once && next >= connections)) return void socket.end();
        head = "";
        received = 0;
        expected = Infinity;
        socket.write(requests[next++ % requests.length]);
      };
      // Only the head is looked at; of the body the bytes are counted.
      const callback = (length) => {
        received += length;
        if (expected === Infinity) {
          head += buffer.latin1Slice(0, Math.min(length, LONGEST_HEAD));
          const end = head.indexOf("\r\n\r\n");
          if (end < 0) return true;
          if (!statuses.includes(Number(head.slice(9, 12)))) {
            other++;
            unexpected ??= head.slice(9, head.indexOf("\r\n"));
          }
          expected = end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head.slice(0, end))?.[1] ?? 0);
        }
        if (received < expected) return true;
        latencies.push(performance.now() - sent);
        if (pause) setTimeout(send, pause * (0.5 + Math.random()));
        else send();
        return true;
      };
      const socket = net.connect({ port, host: "127.0.0.1", noDelay: true, onread: { buffer, callback } });
      socket.on("connect", send);
      socket.on("close", resolve);
      socket.on("error", ({ message }) => {
        other++;
        unexpected ??= message;
      });
    });
  return Promise.all(Array.from({ length: connections }, connection)).then(() => {
    latencies.sort((a, b) => a - b);
    const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
    return {
      rate: latencies.length / ((performance.now() - started) / 1_000),
      count: latencies.length,
      p50: at(0.5),
      p99: at(0.99),
      other,
      unexpected,
    };
  });
}

if (process.send)
  process.once("message", async (plan) => {
    process.send(await run(plan));
  });

export const get = (path, key, headers = {}) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;

export function post(path, key, body, headers = {}) {
  const text = JSON.stringify(body);
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n${Object.entries(
    headers,
  )
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n${text}`;
}
