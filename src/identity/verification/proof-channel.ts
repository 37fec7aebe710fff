import { namedEnum } from "../../platform/enums/named-enum.js";

export const PROOF_CHANNELS = namedEnum("ProofChannel", "How a link or code is sent.", ["email", "sms"]);
export type ProofChannel = (typeof PROOF_CHANNELS)[number];
