// Loaded into the tests, and into tools that run for seconds. V8 compiles again, with optimisations, what runs often. Such a
// program ends before most of that pays, so here V8 waits until something has run eight times as often.
import v8 from "node:v8";

v8.setFlagsFromString("--interrupt-budget=500000");
