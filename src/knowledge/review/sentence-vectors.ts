import { Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { DIMENSIONS, MODEL } from "@parley/sentence-vectors";
import { WorkerPool } from "../../platform/workers/worker-pool.js";
import { workerScript } from "../../platform/workers/worker-script.js";
import type { SentenceJobs } from "./sentences.thread.js";

/** The mark of the vectors. */
export const SENTENCES = `${MODEL} ${DIMENSIONS}`;
/** Texts of one job. A question waits for one job of others at most, so this is some 20 ms. */
const AT_ONCE = 2;

/** The model of sentences that comes with Parley, in a thread of its own. It is read when the first text needs a vector. */
@Injectable()
export class SentenceVectors implements OnApplicationShutdown {
  private readonly pool = new WorkerPool<SentenceJobs>(workerScript("sentences"), {
    size: 1,
    deadlineMs: 10_000,
    maxHeapMb: 128,
  });

  onApplicationShutdown(): Promise<void> {
    return this.pool.stop();
  }

  /** A single text, which is what somebody searches, and many texts, which are what entries ask, take turns. */
  async embed(texts: readonly string[]): Promise<(Float32Array | null)[]> {
    const vectors: (Float32Array | null)[] = [];
    for (let from = 0; from < texts.length; from += AT_ONCE)
      vectors.push(
        ...(await this.pool.run(
          texts.length === 1 ? "question" : "entries",
          "embed",
          texts.slice(from, from + AT_ONCE),
        )),
      );
    return vectors;
  }
}
