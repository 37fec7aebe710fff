import type { Member } from "../../session/session.js";

/** Whether a conversation can be assigned to them. */
export const canAnswer = ({ status, role }: Pick<Member, "status" | "role">): boolean =>
  status === "active" && role !== "observer" && role !== "billing";
