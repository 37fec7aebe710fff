import { Injectable, Logger } from "@nestjs/common";
import { Config } from "../../platform/config/config.js";
import { OutboundClient } from "../../platform/outbound/outbound.client.js";
import { meanCosine, type Meaning, UNRELATED } from "./meaning.js";
import { SENTENCES, SentenceVectors } from "./sentence-vectors.js";

/** After so many failures, one after the other, requests skip the server for a while. One slow answer is no reason. */
const FAILURES = 3;
const LEFT_ALONE_MS = 10_000;
const MAX_DIMENSIONS = 8_192;
/** No model gives unrelated texts more. One that gives all texts nearly the same vector says nothing. */
const MOST_UNRELATED = 0.95;

/**
 * Unit vectors, and the mark of the model that made them. Only vectors with the same mark can be compared. Null for a text that the
 * model has no vector for.
 */
export interface Embedded {
  vectors: (Float32Array | null)[];
  mark: string;
}
/** The meaning of one question. */
export interface Marked extends Meaning {
  mark: string;
}

/**
 * The server that EMBEDDINGS_URL names. It must support `POST {url}/embeddings` as OpenAI defines it. Without the setting, the model
 * of sentences that comes with Parley, in this process.
 */
@Injectable()
export class EmbeddingServer {
  private readonly log = new Logger("embeddings");
  private failures = 0;
  private failedAt = -Infinity;
  /** The model and its dimensions, from the last answer. */
  mark?: string;
  /** The cosine of unrelated texts, and for which model. */
  private measured?: { mark: string; unrelated: number };

  constructor(
    private readonly outbound: OutboundClient,
    private readonly config: Config,
    private readonly sentences: SentenceVectors,
  ) {}

  /** Whether the texts stay here. Then they get vectors only where an assistant is on, so that nobody else pays for the model. */
  get own(): boolean {
    return this.config.EMBEDDINGS_URL === undefined;
  }

  /** @throws Error: the server is slow, down, or its answer does not hold one vector for each text */
  async embed(input: readonly string[], timeoutMs: number): Promise<Embedded> {
    const { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_KEY: key } = this.config;
    if (url === undefined) return { vectors: await this.sentences.embed(input), mark: (this.mark = SENTENCES) };
    const answer = await this.outbound.fetchJson(`${url}/embeddings`, {
      method: "POST",
      timeoutMs,
      body: { model, input, encoding_format: "float" },
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    });
    const vectors = vectorsOf(answer, input.length);
    this.mark = `${model} ${vectors[0]!.length}`;
    return { vectors, mark: this.mark };
  }

  /**
   * Learns which model the server runs, and how it measures.
   * @throws Error
   */
  async measure(timeoutMs: number): Promise<void> {
    const { vectors, mark } = await this.embed(UNRELATED, timeoutMs);
    this.measured = { mark, unrelated: Math.min(meanCosine(vectors as Float32Array[]), MOST_UNRELATED) };
  }

  /** @returns null without a vector in time; search then uses the words alone */
  async ask(question: string, timeoutMs: number): Promise<Marked | null> {
    return (await this.askAll([question], timeoutMs))?.[0] ?? null;
  }

  /** The same for several questions, at most 16. */
  async askAll(questions: readonly string[], timeoutMs: number): Promise<(Marked | null)[] | null> {
    const began = performance.now();
    if (this.failures >= FAILURES && began - this.failedAt < LEFT_ALONE_MS) return null;
    try {
      const known = this.measured !== undefined && this.measured.mark === this.mark;
      const [{ vectors, mark }] = await Promise.all([
        this.embed(questions, timeoutMs),
        known ? undefined : this.measure(timeoutMs),
      ]);
      this.failures = 0;
      // Another model answers since then. The next question measures it.
      if (this.measured?.mark !== mark) return null;
      const { unrelated } = this.measured;
      return vectors.map((vector) => vector && { vector, mark, unrelated });
    } catch (error) {
      // Those that waited at the same time fail together, and count once.
      if (began >= this.failedAt) this.failures++;
      this.failedAt = performance.now();
      const left = this.failures >= FAILURES ? `, which is left alone for ${LEFT_ALONE_MS / 1_000} s` : "";
      this.log.warn(`no vector from the embeddings server${left}: ${(error as Error).message}`);
      return null;
    }
  }
}

/** @throws Error */
function vectorsOf(answer: unknown, count: number): Float32Array[] {
  const data = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(data) || data.length !== count) throw new Error("the answer does not hold a vector for each text");
  const vectors = new Array<Float32Array>(count);
  for (const [position, item] of (data as ({ index?: unknown; embedding?: unknown } | null)[]).entries())
    vectors[Number(item?.index ?? position)] = direction(item?.embedding);
  if (
    vectors.length !== count ||
    vectors.includes(undefined!) ||
    vectors.some((vector) => vector.length !== vectors[0]!.length)
  )
    throw new Error("the answer does not hold a vector for each text");
  return vectors;
}

function direction(embedding: unknown): Float32Array {
  if (
    !Array.isArray(embedding) ||
    embedding.length === 0 ||
    embedding.length > MAX_DIMENSIONS ||
    !embedding.every(Number.isFinite)
  )
    throw new Error("the answer holds something that is no vector");
  const length = Math.hypot(...(embedding as number[]));
  if (!(length > 0 && length < Infinity)) throw new Error("the answer holds a vector without a direction");
  return Float32Array.from(embedding as number[], (value) => value / length);
}

export const bytesOf = (vector: Float32Array): Buffer => {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, i) => bytes.writeFloatLE(value, i * 4));
  return bytes;
};

export function vectorFrom(bytes: Buffer): Float32Array {
  const vector = new Float32Array(bytes.length / 4);
  for (let i = 0; i < vector.length; i++) vector[i] = bytes.readFloatLE(i * 4);
  return vector;
}
