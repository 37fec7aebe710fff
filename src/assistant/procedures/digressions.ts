import type { Caller } from "../../platform/caller/caller.js";
import type { Digression } from "./engine.js";

/** Answers what a contact asks while a procedure waits for something else. */
export abstract class Digressions {
  /** @returns the approved entry that answers it for sure, if one does */
  abstract answer(caller: Caller, about: Asked): Promise<Digression | undefined>;
}

export interface Asked {
  workspaceId: string;
  text: string;
  /** What the contact and the workspace speak. */
  languages: readonly [string, string];
}
