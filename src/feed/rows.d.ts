// Written by `npm run rows`: what PostgreSQL says of this folder's statements.
export {};

declare module "../platform/database/row-types.js" {
  interface Statements {
    "feed.lag": { args: {}; row: { seconds?: number } };
    "feed.sweep": { args: { batch: number | string; keptFor: string }; row: { removed: number } };
  }
}
