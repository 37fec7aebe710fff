import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { etagOf } from "./etag.js";

type Encoding = "br" | "gzip";

/** A file that is sent as it is, or compressed once in each encoding that somebody asks for. */
export class StaticFile {
  readonly etag: string;
  private readonly encoded = new Map<Encoding, Promise<Buffer>>();

  /** @param quality of Brotli, 0 to 11. The highest takes seconds for a megabyte. */
  constructor(
    private readonly plain: Buffer,
    private readonly quality = constants.BROTLI_MAX_QUALITY,
  ) {
    this.etag = etagOf(plain);
  }

  /** The file for a request with this `Accept-Encoding`. */
  async for(accepted: string | string[] | undefined): Promise<{ encoding?: Encoding; bytes: Buffer }> {
    const encodings = String(accepted ?? "");
    const encoding = /\bbr\b/.test(encodings) ? "br" : /\bgzip\b/.test(encodings) ? "gzip" : undefined;
    if (!encoding) return { bytes: this.plain };
    let bytes = this.encoded.get(encoding);
    if (!bytes) this.encoded.set(encoding, (bytes = this.encode(encoding)));
    return { encoding, bytes: await bytes };
  }

  private encode(encoding: Encoding): Promise<Buffer> {
    if (encoding === "gzip") return promisify(gzip)(this.plain);
    return promisify(brotliCompress)(this.plain, { params: { [constants.BROTLI_PARAM_QUALITY]: this.quality } });
  }
}
