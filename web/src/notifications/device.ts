import { parley } from "../api/parley.js";
import { beforeSignOut, signedInAs } from "../session/session.js";

const WORKER = "/service-worker.js";
/** What this browser remembers: who wants notices in it, the id of its subscription, and when the server last heard of it. */
const KEY = "parley.device";
/** The session in which it was made may have ended since. */
const OLD_MS = 24 * 60 * 60_000;

/**
 * Whether this device shows notices. `on`: also while the dashboard is closed. `tab`: while it is open in a tab, because the browser
 * has no push service. `off`: the member has not asked for them here.
 */
export type DeviceState = "unsupported" | "insecure" | "denied" | "off" | "tab" | "on";

interface Known {
  memberId: string;
  /** Missing if the browser has no push service. */
  id?: string;
  at: number;
}
const known = (): Known | null => JSON.parse(localStorage.getItem(KEY) ?? "null") as Known | null;
const remember = (one: Omit<Known, "at">): void =>
  localStorage.setItem(KEY, JSON.stringify({ ...one, at: Date.now() }));
/** Whether the member wants notices in this browser, which allows them. */
export const isWanted = (): boolean =>
  "Notification" in window && Notification.permission === "granted" && known()?.memberId === signedInAs();
const isCapable = (): boolean => "serviceWorker" in navigator && "PushManager" in window;

/** The subscription of this browser, whoever made it. */
async function subscription(): Promise<PushSubscription | undefined> {
  if (!isCapable() || Notification.permission !== "granted") return undefined;
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager.getSubscription()) ?? undefined;
}

/** Whether notices are pushed to this browser, so that no page has to show them. */
export const isPushed = async (): Promise<boolean> =>
  isWanted() && known()?.id !== undefined && (await subscription().catch(() => undefined)) !== undefined;

export async function deviceState(): Promise<DeviceState> {
  if (!("Notification" in window)) return "unsupported";
  if (!isSecureContext) return "insecure";
  if (Notification.permission === "denied") return "denied";
  if (!isWanted()) return "off";
  return (await isPushed()) ? "on" : "tab";
}

const sameKey = (one: ArrayBuffer | null, other: Uint8Array): boolean =>
  one !== null && new Uint8Array(one).toString() === other.toString();

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** Subscribes with the server's key, and tells the server. */
async function subscribe(memberId: string, language: string): Promise<void> {
  const { publicKey } = await parley.me.listPushSubscriptions();
  const key = bytesOf(publicKey);
  await navigator.serviceWorker.register(WORKER, { scope: "/" });
  const { pushManager } = await navigator.serviceWorker.ready;
  let made = await pushManager.getSubscription();
  if (made && !sameKey(made.options.applicationServerKey, key)) {
    await made.unsubscribe();
    made = null;
  }
  made ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  const { id } = await parley.me.createPushSubscription({
    endpoint: endpoint!,
    p256dh: keys!.p256dh!,
    auth: keys!.auth!,
    language,
  });
  remember({ memberId, id });
}

/**
 * Has this device show notices. Call it in a click: the browser asks for the permission.
 * @throws ParleyError: the server refuses it
 */
export async function turnOn(language: string): Promise<DeviceState> {
  if ((await Notification.requestPermission()) !== "granted") return deviceState();
  const memberId = signedInAs();
  if (memberId === undefined) return "off";
  try {
    if (isCapable()) await subscribe(memberId, language);
    else remember({ memberId });
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    // The browser has no push service, or cannot reach it.
    remember({ memberId });
  }
  return deviceState();
}

/** Has this device show no more notices, open or closed. What the server has goes with the session, if it cannot be reached now. */
export async function turnOff(): Promise<DeviceState> {
  const id = known()?.id;
  const made = await subscription().catch(() => undefined);
  localStorage.removeItem(KEY);
  await made?.unsubscribe().catch(() => undefined);
  if (id !== undefined) await parley.me.deletePushSubscription(id).catch(() => undefined);
  return deviceState();
}

/** @returns why the push service did not take it; undefined if it did */
export async function sendTest(): Promise<string | undefined> {
  const { error } = await parley.me.testPushSubscription(known()!.id!);
  return error ?? undefined;
}

/** Keeps what the browser has and what the server knows the same. Once for each page that is loaded. */
export async function keepSubscribed(memberId: string, language: string): Promise<void> {
  const made = await subscription();
  if (!made) return;
  const remembered = known();
  if (remembered?.memberId !== memberId) {
    // Another member wanted them here, and has not signed out.
    localStorage.removeItem(KEY);
    await made.unsubscribe();
    return;
  }
  const isKnown = (await parley.me.listPushSubscriptions()).subscriptions.some(({ id }) => id === remembered.id);
  if (!isKnown || Date.now() - remembered.at > OLD_MS) await subscribe(memberId, language);
}

beforeSignOut(async () => {
  const made = await subscription();
  localStorage.removeItem(KEY);
  // The server forgets it with the session.
  await made?.unsubscribe();
});
