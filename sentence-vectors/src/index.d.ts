/** What makes the vectors. Those of another model cannot be compared with them. */
export const MODEL: string;
export const DIMENSIONS: number;
/** What follows in a longer text is left out. */
export const MAX_PIECES: number;
/**
 * Reads both models, which takes some 250 ms and 115 MB.
 * @param options `mapped: false` leaves out the map and the English part, which the map's own script needs
 * @returns a function that turns a text into a vector of length 1, or null for a text without words that the model knows
 */
export function load(options?: { mapped?: boolean }): Promise<(text: string) => Float32Array | null>;
