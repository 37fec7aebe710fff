import { namedEnum } from "../platform/enums/named-enum.js";

/** Weakest first. */
export const ASSURANCE_LEVELS = namedEnum("AssuranceLevel", "How well a contact's identity is proven.", [
  "none",
  "identified",
  "high-assurance",
]);
export type AssuranceLevel = (typeof ASSURANCE_LEVELS)[number];
/** Weakest first. */
export const DEMANDED_LEVELS = namedEnum("RequiredAssuranceLevel", "How well a contact's identity must be proven.", [
  "identified",
  "high-assurance",
]);
export type DemandedLevel = (typeof DEMANDED_LEVELS)[number];
