// The client without the verification of webhooks, which needs a library. For web pages.
export { type Change, type FollowOptions } from "./changes.js";
export { Parley, type RequestInput } from "./client.js";
export {
  ConflictError,
  ConnectionError,
  CursorExpiredError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  ParleyError,
  RateLimitedError,
  TimeoutError,
  UnauthenticatedError,
} from "./errors.js";
export { type ParleyEvent, type StreamOptions } from "./events.js";
export type * from "./generated/enums.js";
export type * from "./generated/resources.js";
export type * from "./generated/schema.js";
export { List } from "./list.js";
export type { Answer, Body, Item, OperationId, ParleyOptions, Path, Query, RequestOptions, Result } from "./types.js";
