/** A reason not to start, in one line. */
export class StartupError extends Error {}
