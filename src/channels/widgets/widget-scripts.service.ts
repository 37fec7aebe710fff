import fs from "node:fs";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { Injectable } from "@nestjs/common";
import { ROOT } from "../../platform/config/root.js";
import { notFound } from "../../platform/http/errors.js";
import { etagOf } from "../../platform/http/etag.js";

export interface Script {
  etag: string;
  plain: Buffer;
  br: Buffer;
  gzip: Buffer;
}

const FOLDER = new URL("dist/widgets/", ROOT);

/** The bundled scripts of the widgets: read and compressed once, when they are first asked for. */
@Injectable()
export class WidgetScripts {
  private readonly files = new Map<string, Promise<Script>>();

  /** @throws NotFoundException */
  async get(file: string): Promise<Script> {
    let script = this.files.get(file);
    if (!script) {
      // Only what is there: a name is not taken for a path.
      if (!fs.existsSync(FOLDER) || !fs.readdirSync(FOLDER).includes(file)) throw notFound();
      this.files.set(file, (script = read(new URL(file, FOLDER))));
    }
    return script;
  }
}

async function read(file: URL): Promise<Script> {
  const plain = fs.readFileSync(file);
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(plain), promisify(gzip)(plain, { level: 9 })]);
  return { etag: etagOf(plain.toString()), plain, br, gzip: zipped };
}
