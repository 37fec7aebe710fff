import { embedding } from "../common.js";
import { Chat } from "./chat.js";

/** The functions that the page can call. */
interface Api {
  open(): void;
  close(): void;
  /** Shows the thread of the visitor that the page's own server has signed, and of no other visitor. */
  identify(jwt: string): void;
  /** Removes all traces of the current visitor. */
  logout(): void;
}
declare global {
  interface Window {
    Parley?: Api;
  }
}

/** The other tabs with this chat. A browser that stores nothing for us may have no way to them. */
function channelTo(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name);
  } catch {
    return undefined;
  }
}

const embedded = embedding();
if (embedded && !window.Parley) {
  const { key, origin } = embedded;
  const base = `${origin}/api/public/webchat/${encodeURIComponent(key)}`;
  const store = `parley:${key}`;
  let hasBegun = false;
  let chat = new Chat(base, store);
  const replace = (identity?: string): void => {
    const { isWanted } = chat;
    chat.remove();
    chat = new Chat(base, store, identity);
    chat.isWanted = isWanted;
    if (hasBegun) void chat.start();
  };
  const tabs = channelTo(store);
  // Who signs out in one tab has left them all.
  tabs?.addEventListener("message", () => {
    chat.forgetHere();
    replace();
  });
  window.Parley = {
    open: () => {
      chat.open();
    },
    close: () => {
      chat.close();
    },
    identify: (jwt) => {
      replace(jwt);
    },
    logout: () => {
      chat.forget();
      tabs?.postMessage("logout");
      replace();
    },
  };
  const begin = (): void => {
    hasBegun = true;
    void chat.start();
    window.dispatchEvent(new Event("parley:ready"));
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
}
