import { commandLine } from "./command-line.js";

process.exit((await commandLine(process.argv.slice(2))) ? 0 : 1);
