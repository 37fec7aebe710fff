import type { components } from "@parley/sdk/core";
import { useSyncExternalStore } from "react";

type Schemas = components["schemas"];
export type Member = Schemas["Member"];
export type Environment = Schemas["Environment"];
type Opened = Schemas["Session"];
type SecondFactor = Schemas["PendingSecondFactor"];

/** Who is signed in. `resuming` lasts until the server has answered to the refresh cookie; `isWaiting`: it does not answer. */
export type SessionState =
  | { status: "resuming"; isWaiting?: boolean }
  /** `reason`: why a session that was open has ended. */
  | { status: "signed-out"; reason?: "expired" }
  | { status: "signed-in"; member: Member; environment: Environment };

const ENVIRONMENT_KEY = "parley.environment";
/** Remembers that this browser has signed in on this side, so that nobody else's first page begins with a refused request. */
const knownKey = (): string => `parley.known.${environment()}`;
const MIN_WAIT_MS = 500;
const MAX_WAIT_MS = 8_000;
/** All that needs a token waits for a refresh: one without an answer is given up after this time. */
const PATIENCE_MS = 20_000;
/** A token that expires sooner is not used any more. */
const MARGIN_MS = 20_000;

let state: SessionState = { status: "resuming" };
let token: { value: string; expiresAt: number } | undefined;
let refreshing: Promise<string> | undefined;
const listeners = new Set<() => void>();

let ended = new AbortController();
/** Aborts when the session ends: what was begun in one member's name is not continued in another's. */
export const sessionSignal = (): AbortSignal => ended.signal;

function set(next: SessionState): void {
  state = next;
  if (next.status === "signed-out") {
    ended.abort(new SignInError(401, ""));
    ended = new AbortController();
  }
  for (const listener of listeners) listener();
}

/** The side of this tab, live or test. Other tabs may show the other one. */
export const environment = (): Environment => (sessionStorage.getItem(ENVIRONMENT_KEY) === "test" ? "test" : "live");

/** Shows the other side, from its beginning: nothing of one side may stay on the screen of the other. */
export function switchEnvironment(to: Environment, path = "/inbox"): void {
  sessionStorage.setItem(ENVIRONMENT_KEY, to);
  location.assign(path);
}

export const useSession = (): SessionState =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );

/** Who is signed in now; undefined if nobody is. */
export const signedInAs = (): string | undefined => (state.status === "signed-in" ? state.member.id : undefined);

/** The member who is signed in. Only for what is shown to members. */
export function useMember(): Member {
  const session = useSession();
  if (session.status !== "signed-in") throw new Error("Nobody is signed in");
  return session.member;
}

/** A failure of a request without a session. `status` is 0 if the server was not reached. */
export class SignInError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

/** Whether the server has refused it. If not, the same attempt can succeed later. */
export const isRefused = (error: unknown): boolean =>
  error instanceof SignInError && error.status >= 400 && error.status < 500 && error.status !== 429;

const lost = (): never => {
  throw new SignInError(0, "");
};

/** Sends what needs no access token: the credential is in the body, or in the cookie. */
export async function post<T>(path: string, body: object = {}): Promise<T> {
  const response = await fetch(`/api/auth/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Environment": environment() },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(lost);
  // An answer that breaks off is none.
  const answer = (await response.json().catch(response.ok ? lost : () => ({}))) as T & { error?: string };
  if (response.ok) return answer;
  const wait = Number(response.headers.get("Retry-After"));
  throw new SignInError(response.status, answer.error ?? "", wait || undefined);
}

function opened({ accessToken, expiresIn, member }: Opened): string {
  // Somebody else has signed in, in another tab. What this page shows is not theirs.
  if (member.id !== (signedInAs() ?? member.id)) throw new SignInError(401, "");
  localStorage.setItem(knownKey(), "1");
  token = { value: accessToken, expiresAt: Date.now() + expiresIn * 1_000 };
  set({ status: "signed-in", member, environment: environment() });
  return accessToken;
}

/** @returns the second factor that is needed, or nothing once the session is open */
export async function signIn(email: string, password: string): Promise<SecondFactor | undefined> {
  const answer = await post<Opened | { secondFactor: SecondFactor }>("login", {
    email,
    password,
    environment: environment(),
  });
  if ("secondFactor" in answer) return answer.secondFactor;
  opened(answer);
  return undefined;
}

const RETURN_KEY = "parley.return";

/** What the external provider is called. Null if there is none, or if it is not known. */
export async function externalProvider(): Promise<string | null> {
  const response = await fetch("/api/auth/external").catch(() => undefined);
  if (!response?.ok) return null;
  return ((await response.json()) as Schemas["ExternalSignIn"]).name;
}

/**
 * Leaves for the external provider, which sends the browser back to `/sign-in`: with the cookie of a session, or with a reason.
 * @param again whether it has to ask, even if it remembers the member
 */
export function goToProvider(again = false): void {
  localStorage.setItem(knownKey(), "1");
  // After a refusal, the page is /sign-in. What counts is where the member was before.
  if (location.pathname !== "/sign-in") sessionStorage.setItem(RETURN_KEY, location.pathname + location.search);
  location.assign(`/api/auth/external/start?environment=${environment()}&again=${again}`);
}

/** Where the member was before, once. Undefined if it is not known. */
export function takeReturnPath(): string | undefined {
  const path = sessionStorage.getItem(RETURN_KEY);
  sessionStorage.removeItem(RETURN_KEY);
  return path ?? undefined;
}

export async function completeSignIn(proof: Schemas["CompleteSignIn"]): Promise<void> {
  opened(await post<Opened>("second-factor", proof));
}

/** Opens the session that the cookie stands for, for example after a reload. */
export async function resume(): Promise<void> {
  if (localStorage.getItem(knownKey()) === null) {
    set({ status: "signed-out" });
    return;
  }
  for (let wait = MIN_WAIT_MS; state.status === "resuming"; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
    try {
      await refresh();
    } catch (error) {
      if (isRefused(error)) set({ status: "signed-out" });
      else {
        // The server cannot be reached, or restarts. The session is still there.
        set({ status: "resuming", isWaiting: true });
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }
}

/** A new access token. Requests that need one at the same time share it. */
const refresh = (): Promise<string> =>
  (refreshing ??= post<Opened>("refresh", { environment: environment() })
    .then(opened)
    .finally(() => {
      refreshing = undefined;
    }));

/** For the client: the access token, or a new one if this one was refused or expires soon. */
export async function accessToken(refused?: string): Promise<string> {
  if (token && token.value !== refused && token.expiresAt > Date.now() + MARGIN_MS) return token.value;
  // After a sign-out without a connection, the cookie may still be there.
  if (state.status === "signed-out") throw new SignInError(401, "");
  try {
    return await refresh();
  } catch (error) {
    if (isRefused(error)) {
      token = undefined;
      if (state.status === "signed-in") set({ status: "signed-out", reason: "expired" });
    }
    throw error;
  }
}

const leaving: ((memberId: string) => Promise<void>)[] = [];
/** Runs this before a sign-out, while the member can still save something. */
export const beforeSignOut = (run: (memberId: string) => Promise<void>): void => void leaving.push(run);

/** Ends the session on the server, and here in any case. */
export async function signOut(): Promise<void> {
  const memberId = signedInAs();
  if (memberId !== undefined) await Promise.allSettled(leaving.map((leave) => leave(memberId)));
  try {
    await fetch("/api/auth/logout", {
      method: "POST",
      headers: { Authorization: `Bearer ${await accessToken()}`, "X-Environment": environment() },
    });
  } finally {
    token = undefined;
    localStorage.removeItem(knownKey());
    set({ status: "signed-out" });
  }
}
