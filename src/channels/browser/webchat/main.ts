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

const embedded = embedding();
if (embedded && !window.Parley) {
  const { key, origin } = embedded;
  const base = `${origin}/api/public/webchat/${encodeURIComponent(key)}`;
  const store = `parley:${key}`;
  let opened = false;
  let chat = new Chat(base, store);
  const replace = (identity?: string): void => {
    opened = chat.isOpen;
    chat.remove();
    chat = new Chat(base, store, identity);
    void chat.start(opened);
  };
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
      replace();
    },
  };
  const begin = (): void => {
    void chat.start(false);
    window.dispatchEvent(new Event("parley:ready"));
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
}
