// The server keeps quiet by the same rule.
export { isQuiet } from "../../../src/notices/quiet-hours.js";
