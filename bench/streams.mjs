import http from "node:http";

/** In milliseconds, to a tenth. */
export function percentiles(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share) => Number(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1));
  return { p50: at(0.5), p99: at(0.99) };
}

/** An open stream, and when it has an event of a conversation. */
export function listen(port, token) {
  return new Promise((resolve, reject) => {
    const request = http.get(
      { port, host: "127.0.0.1", path: "/api/events", headers: { authorization: `Bearer ${token}` }, agent: false },
      (response) => {
        if (response.statusCode !== 200) return reject(new Error(`a stream answered ${response.statusCode}`));
        const waiting = new Map();
        response.setEncoding("latin1").on("data", (text) => {
          if (text.includes("event: ready"))
            resolve({
              next: (conversation) => new Promise((heard) => waiting.set(conversation, heard)),
              close: () => request.destroy(),
            });
          for (const [conversation, heard] of waiting)
            if (text.includes("message.created") && text.includes(conversation)) {
              waiting.delete(conversation);
              heard(performance.now());
            }
        });
      },
    );
    request.on("error", reject);
  });
}
