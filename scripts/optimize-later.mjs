// Loaded into the tests, and into tools that run for seconds. V8 compiles again, with optimisations, what runs often. Such a
// program ends before most of that pays, so here V8 waits until something has run eight times as often. The V8 of Node 22 counts
// calls, and the one before it what they cost.
import v8 from "node:v8";

const [major] = process.versions.v8.split(".", 1);
v8.setFlagsFromString(Number(major) < 12 ? "--interrupt-budget=500000" : "--invocation-count-for-turbofan=24000");
