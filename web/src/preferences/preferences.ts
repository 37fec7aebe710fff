import { type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { failureOf } from "../api/failure.js";
import { parley, type Schemas } from "../api/parley.js";
import { toast } from "../ui/toasts.js";

export type Preferences = Schemas["Preferences"];

/** Another device may have changed them since. */
const OLD_MS = 5 * 60_000;
/** Tells other tabs of the browser that they have changed. */
export const preferencesChannel = new BroadcastChannel("parley-preferences");

export const preferencesQuery = () =>
  queryOptions({
    queryKey: ["preferences"],
    queryFn: ({ signal }): Promise<Preferences> => parley.me.getPreferences({ signal }),
    staleTime: OLD_MS,
    refetchOnWindowFocus: true,
  });

let last: Promise<unknown> = Promise.resolve();
let changes = 0;

/**
 * Changes some preferences of the member: at once on this page, and then on the server. The server replaces all of them, so
 * changes wait for one another.
 * @throws ParleyError; then they are as before
 */
function changePreferences(client: QueryClient, part: Partial<Preferences>): Promise<void> {
  const show = (preferences: Preferences | undefined): void =>
    void client.setQueryData<Preferences>(["preferences"], preferences);
  const shown = client.getQueryData<Preferences>(["preferences"]);
  if (shown) show({ ...shown, ...part });
  const nth = ++changes;
  const save = async (): Promise<void> => {
    try {
      const before = await parley.me.getPreferences();
      const saved = await parley.me.setPreferences({ ...before, ...part });
      // Another change is on the page already.
      if (nth === changes) show(saved);
      preferencesChannel.postMessage(null);
    } catch (error) {
      show(shown);
      throw error;
    }
  };
  const done = last.then(save);
  last = done.catch(() => undefined);
  return done;
}

/** Changes preferences from where they are shown, and says if that failed. */
export function usePrefer(): (part: Partial<Preferences>) => void {
  const { t } = useTranslation();
  const client = useQueryClient();
  return (part) =>
    void changePreferences(client, part).catch((error: unknown) =>
      toast(t("failure.notSaved", { reason: failureOf(error).sentence }), { failed: true }),
    );
}
