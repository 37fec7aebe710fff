import { post } from "../../session/session.js";

// What a mail leads to. The token in its link is the credential.

export const requestPasswordReset = (email: string): Promise<unknown> => post("password-reset", { email });
export const setPassword = (resetToken: string, password: string): Promise<unknown> =>
  post("password", { token: resetToken, password });
export const proveEmail = (proofToken: string): Promise<unknown> => post("email-proof", { token: proofToken });
