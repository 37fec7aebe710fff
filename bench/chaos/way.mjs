import { once } from "node:events";
import net from "node:net";

/** The way to a server, which can be blocked as networks and servers fail. */
export class Way {
  #open = new Set();
  #fault;

  /** @param to the port that it leads to */
  static async to(to) {
    const way = new Way();
    way.target = to;
    await way.#listen(0);
    return way;
  }
  async #listen(port) {
    this.server = net.createServer({ pauseOnConnect: true }, (near) => this.#connect(near)).listen(port, "127.0.0.1");
    await once(this.server, "listening");
    this.port = this.server.address().port;
  }
  #connect(near) {
    near.on("error", () => undefined);
    this.#open.add(near);
    near.on("close", () => this.#open.delete(near));
    if (this.#fault === "silence") return;
    if (this.#fault === "reset") {
      near.resetAndDestroy();
      return;
    }
    if (this.#fault?.says !== undefined) {
      // A server that waits for a question gets one before it answers.
      if (this.#fault.first) near.end(this.#fault.says);
      else near.once("data", () => near.end(this.#fault?.says ?? "")).resume();
      return;
    }
    const far = net.connect(this.target, "127.0.0.1");
    near.far = far;
    far.on("error", () => near.destroy()).on("close", () => near.destroy());
    near.on("close", () => far.destroy());
    near.pipe(far).pipe(near);
  }
  /** @param fault refused, silence, reset, or `{ says, first }`: an answer, with or without a question */
  async block(fault) {
    this.#fault = fault;
    for (const near of this.#open)
      if (fault === "silence") {
        near.unpipe();
        near.far?.unpipe();
        near.pause();
      } else if (fault === "reset") near.resetAndDestroy();
      else near.destroy();
    if (fault === "refused") {
      this.server.close();
      await once(this.server, "close");
    }
  }
  async open() {
    const was = this.#fault;
    this.#fault = undefined;
    for (const near of this.#open) if (was === "silence") near.destroy();
    if (was === "refused") await this.#listen(this.port);
  }
  close() {
    this.server.close();
    for (const near of this.#open) near.destroy();
  }
}
