import v8 from "node:v8";

/**
 * How much the heap may grow, as a percentage of the live data, before a garbage collection. By default V8 uses the
 * machine's memory as the measure. A server that mostly waits for its database would then hold much more memory than
 * it needs.
 */
const HEAP_GROWING_PERCENT = 20;

v8.setFlagsFromString(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`);
// V8 would put objects among the old ones as soon as they are made, if many of their kind lived long while the process
// started. Such an object keeps every answer that it points to until the next major garbage collection.
v8.setFlagsFromString("--no-allocation-site-pretenuring");
// Of what requests leave behind, hardly anything lives on. One thread frees it in a millisecond. Several wait for each other for
// longer than that if PostgreSQL has the other cores.
v8.setFlagsFromString("--no-parallel-scavenge");

// Imported after the flags are set. If they were set once the heap had grown, V8 stopped collecting old objects in one start
// of four, and the process needed 300 MB instead of 215.
await import("./server.js");
