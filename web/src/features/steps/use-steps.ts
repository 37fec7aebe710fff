import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { type Conversation, parley } from "../../api/parley.js";
import { openDraft } from "../../drafts/open-draft.js";
import { actionOf } from "../../keyboard/keys.js";
import { isLive } from "../../live/live.js";
import { showConversation } from "../../live/update-query.js";
import { preferencesQuery } from "../../preferences/preferences.js";
import { useMember } from "../../session/session.js";
import { showToast, toast } from "../../ui/toasts.js";
import { BACK_MS, remember } from "./last-step.js";
import { backFrom, type Step } from "./steps.js";

/** What follows a resolution by itself. */
const AFTER = { stay: undefined, next: "next", list: "list" } as const;

/** One notice is enough: that of the last step. */
let closeNotice: (() => void) | undefined;

interface Shown {
  before: Conversation;
  now: Conversation;
}

/** Shows a change before the server answers. */
async function show(client: QueryClient, of: Conversation, changes: Step["change"]): Promise<Shown> {
  const queryKey = ["conversation", of.id];
  await client.cancelQueries({ queryKey });
  const before = client.getQueryData<Conversation>(queryKey) ?? of;
  const now = { ...before, ...changes };
  showConversation(client, before, now);
  // The request for it was cancelled.
  client.setQueryData(queryKey, now);
  return { before, now };
}

/** Shows the conversation as it was, because the server refused the change. */
function unshow(client: QueryClient, id: string, shown: Shown | undefined): void {
  if (shown) showConversation(client, shown.now, shown.before);
  void client.invalidateQueries({ queryKey: ["conversation", id] });
}

/** Otherwise an event brings it. The lists show it already, and polling tells what else happened. */
function readIfNotLive(client: QueryClient, id: string): void {
  if (isLive()) return;
  for (const queryKey of [["conversation", id], ["counts"]]) void client.invalidateQueries({ queryKey });
}

interface Steps {
  act: (step: Step, onSuccess?: () => void) => void;
  /** Does what follows a resolution, as the member chose. */
  goOn: () => void;
  /**
   * Shows what a reply on its way does to the conversation besides.
   * @param isHeld whether the reply can be taken back. That opens the conversation again, so the step needs no way back of its own
   */
  actWith: (reply: Promise<unknown>, step: Step, isHeld: boolean) => Promise<void>;
}

/** How a member's steps are done: each is shown at once, and taken back with a reason if the server refuses. */
export function useSteps(conversation: Conversation): Steps {
  const { t } = useTranslation();
  const client = useQueryClient();
  const me = useMember();
  const { id } = conversation;

  // Another conversation may be open here by the time that the server answers.
  const change = useMutation({
    // One after the other, so that what takes a step back comes after it.
    scope: { id: `steps ${id}` },
    mutationFn: ({ run }: Step & { of: Conversation }) => run(parley.conversations),
    onMutate: ({ of, change: changes }) => show(client, of, changes),
    onError: (error, { of, name }, shown) => {
      unshow(client, of.id, shown);
      toast(t("thread.failed", { action: t(`thread.action.${name}`), reason: failureOf(error).sentence }), {
        failed: true,
      });
    },
    onSuccess: (_, { of }) => readIfNotLive(client, of.id),
  });
  /**
   * Offers the way back at once, so that the key never takes back the step before.
   * @param reply what does the step. The way back waits for it, and there is none if it fails
   * @returns forgets it
   */
  const offerBack = (step: Step, reply: Promise<unknown> = Promise.resolve()): (() => void) => {
    const way = backFrom(step, conversation, me.id);
    if (!way) return () => undefined;
    let close: (() => void) | undefined;
    const memory = remember(me.id, () => {
      close?.();
      const run: Step["run"] = (server) =>
        reply.then(
          () => way.run(server),
          () => undefined,
        );
      change.mutate({ ...way, run, of: { ...conversation, ...step.change } });
    });
    // It leaves the list. Not everybody knows the key, and a phone has none.
    if (step.name === "resolve" || step.name === "snooze") {
      closeNotice?.();
      closeNotice = close = showToast(t(`thread.done.${step.name}`), {
        ms: BACK_MS,
        action: { label: t("thread.undo"), run: memory.back },
      });
    }
    return () => {
      memory.forget();
      close?.();
    };
  };
  const goOn = (): void =>
    void client.ensureQueryData(preferencesQuery()).then(
      // Only while the conversation is open still.
      ({ afterResolve }) => {
        const next = AFTER[afterResolve];
        if (next && location.pathname.includes(id)) actionOf(next)?.();
      },
      () => undefined,
    );
  return {
    goOn,
    act: (step, onSuccess) => {
      const forget = offerBack(step);
      const run: Step["run"] = (server) =>
        step.run(server).catch((error: unknown) => {
          forget();
          throw error;
        });
      change.mutate({ ...step, run, of: conversation }, onSuccess && { onSuccess });
    },
    actWith: async (reply, step, isHeld) => {
      const forget = isHeld ? undefined : offerBack(step, reply);
      const shown = await show(client, conversation, step.change);
      try {
        await reply;
      } catch {
        // Whoever sends it says why.
        forget?.();
        unshow(client, id, shown);
        return;
      }
      readIfNotLive(client, id);
      // It may have waited for the connection for long, and the member writes the next one.
      if (step.name === "resolve" && !openDraft(me.id, id)?.now()?.reply) goOn();
    },
  };
}
