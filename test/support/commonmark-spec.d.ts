declare module "commonmark-spec" {
  /** The examples of the specification. */
  export const tests: { markdown: string; html: string }[];
}
