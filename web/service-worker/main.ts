// Shows the notices that the server pushes, also while no page is open. It keeps nothing and answers no request: pages and answers
// of the API always come from the server.

declare const self: ServiceWorkerGlobalScope;

/** As `PushedNotice` of the server. */
interface Notice {
  title: string;
  body?: string;
  tag: string;
  path: string;
}

const windows = (): Promise<readonly WindowClient[]> =>
  self.clients.matchAll({ type: "window", includeUncontrolled: true });

/**
 * Whether the member looks at what the notice is about: a page that shows it holds this lock while it is visible. The address of a page
 * would not say so. A service worker is told the one that the page was loaded at.
 */
async function isShown({ tag }: Notice): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name, mode }) => mode === "shared" && name === `parley-shown-${tag}`);
}

async function show(notice: Notice): Promise<void> {
  if (await isShown(notice)) return;
  const { title, body, tag, path } = notice;
  await self.registration.showNotification(title, { body, tag, data: path });
}

async function open(path: string): Promise<void> {
  const [page] = [...(await windows())].sort((one, other) => Number(other.focused) - Number(one.focused));
  if (!page) return void (await self.clients.openWindow(path));
  // A browser may keep the page where it is. It shows the conversation all the same.
  await page.focus().catch(() => undefined);
  // The page goes there by itself, so that nothing that is being written is lost.
  page.postMessage({ type: "open", path });
}

self.addEventListener("install", () => void self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("push", (event) => {
  if (event.data) event.waitUntil(show(event.data.json() as Notice));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data as string));
});

export {};
