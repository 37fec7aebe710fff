import { Injectable, Logger } from "@nestjs/common";
import { Config } from "../../platform/config/config.js";
import { OutboundClient } from "../../platform/outbound/outbound.client.js";
import { meanCosine, type Meaning, UNRELATED } from "./meaning.js";

/** After a failure, requests skip the server for this long. */
const LEFT_ALONE_MS = 10_000;
const MAX_DIMENSIONS = 8_192;
/** No model gives unrelated texts more. One that gives all texts nearly the same vector says nothing. */
const MOST_UNRELATED = 0.95;

/** Unit vectors, and the mark of the model that made them. Only vectors with the same mark can be compared. */
export interface Embedded {
  vectors: Float32Array[];
  mark: string;
}
/** The meaning of one question. */
export interface Marked extends Meaning {
  mark: string;
}

/** The server that EMBEDDINGS_URL names, if any. It must support `POST {url}/embeddings` as OpenAI defines it. */
@Injectable()
export class EmbeddingServer {
  private readonly log = new Logger("embeddings");
  private failedAt = -Infinity;
  /** The model and its dimensions, from the last answer. */
  mark?: string;
  /** The cosine of unrelated texts, and for which model. */
  private measured?: { mark: string; unrelated: number };

  constructor(
    private readonly outbound: OutboundClient,
    private readonly config: Config,
  ) {}

  get configured(): boolean {
    return this.config.EMBEDDINGS_URL !== undefined;
  }

  /** @throws Error: the server is slow, down, or its answer does not hold one vector for each text */
  async embed(input: readonly string[], timeoutMs: number): Promise<Embedded> {
    const { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_KEY: key } = this.config;
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
    this.measured = { mark, unrelated: Math.min(meanCosine(vectors), MOST_UNRELATED) };
  }

  /** @returns null if there is no server, or none that answers in time; search then uses the words alone */
  async ask(question: string, timeoutMs: number): Promise<Marked | null> {
    return (await this.askAll([question], timeoutMs))?.[0] ?? null;
  }

  /** The same for several questions, at most 16. */
  async askAll(questions: readonly string[], timeoutMs: number): Promise<Marked[] | null> {
    if (!this.configured || performance.now() - this.failedAt < LEFT_ALONE_MS) return null;
    try {
      const known = this.measured !== undefined && this.measured.mark === this.mark;
      const [{ vectors, mark }] = await Promise.all([
        this.embed(questions, timeoutMs),
        known ? undefined : this.measure(timeoutMs),
      ]);
      // Another model answers since then. The next question measures it.
      if (this.measured?.mark !== mark) return null;
      const { unrelated } = this.measured;
      return vectors.map((vector) => ({ vector, mark, unrelated }));
    } catch (error) {
      this.failedAt = performance.now();
      this.log.warn(`the embeddings server is left alone for ${LEFT_ALONE_MS / 1_000} s: ${(error as Error).message}`);
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
