import fs from "node:fs";
import { Injectable } from "@nestjs/common";
import { ROOT } from "../../platform/config/root.js";
import { notFound } from "../../platform/http/errors.js";
import { StaticFile } from "../../platform/http/static-file.js";

const FOLDER = new URL("dist/widgets/", ROOT);

/** The bundled scripts of the widgets: read and compressed once, when they are first asked for. */
@Injectable()
export class WidgetScriptsService {
  private readonly files = new Map<string, StaticFile>();

  /** @throws NotFoundException */
  get(file: string): StaticFile {
    let script = this.files.get(file);
    if (!script) {
      // Only what is there: a name is not taken for a path.
      if (!fs.existsSync(FOLDER) || !fs.readdirSync(FOLDER).includes(file)) throw notFound();
      this.files.set(file, (script = new StaticFile(fs.readFileSync(new URL(file, FOLDER)))));
    }
    return script;
  }
}
