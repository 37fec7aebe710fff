import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clientOf } from "../../../web/src/api/client.js";
import { changed, type Disk, EMPTY, isSame, hasContent, lacks, savedPart } from "../../../web/src/drafts/drafts.js";
import type { Draft, StoredDraft } from "../../../web/src/drafts/drafts.js";
import { OpenDraft, restoreDraft, type Tab } from "../../../web/src/drafts/open-draft.js";
import { reconcile } from "../../../web/src/drafts/reconcile.js";
import { type Exchange, handOver, saveUnsaved, sync } from "../../../web/src/drafts/sync.js";
import { Network, type Request, TestPage } from "./support.js";

const NOW = Date.parse("2026-05-04T10:00:00.000Z");
const at = (seconds: number): string => new Date(NOW + seconds * 1_000).toISOString();
const draft = (part: Partial<StoredDraft> = {}): StoredDraft => ({ ...EMPTY, ...part });
const served = (updatedAt: string | null, body: string, part: { isNote?: boolean; files?: string[] } = {}) => ({
  conversationId: "c1",
  updatedAt,
  body,
  isNote: part.isNote ?? false,
  attachments: (part.files ?? []).map((id) => ({ id, fileName: `${id}.pdf`, contentType: "application/pdf", size: 1 })),
});
type Served = Parameters<typeof reconcile>[1];
const meet = (mine: StoredDraft, theirs: ReturnType<typeof served>): StoredDraft =>
  reconcile(mine, theirs as unknown as Served);

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

describe("a draft", () => {
  test.each<[Partial<Draft>, string, string]>([
    [{ mode: "reply", reply: "Hello", note: "Beware" }, "reply", "Hello"],
    [{ mode: "note", reply: "Hello", note: "Beware" }, "note", "Beware"],
    [{ mode: "reply", reply: "", note: "Beware" }, "note", "Beware"],
    [{ mode: "note", reply: "Hello", note: "" }, "reply", "Hello"],
    [{ mode: "note", reply: "", note: "" }, "note", ""],
  ])("%j is on the server as the %s %j", (part, mode, text) => {
    expect(savedPart(draft(part))).toEqual({ mode, text, files: [] });
  });

  test.each<[Partial<StoredDraft>, boolean]>([
    [{}, false],
    [{ isUnsaved: true }, false],
    [{ reply: "Hello" }, false],
    [{ reply: "Hello", isUnsaved: true }, true],
    [{ files: [{ id: "f1", name: "a" }], isUnsaved: true }, true],
    // It was emptied here, and the server has what it was.
    [{ version: at(0), isUnsaved: true }, true],
  ])("of %j, the server lacks something: %s", (part, expected) => {
    expect(lacks(draft(part))).toBe(expected);
  });

  test("is unsaved, and as old as now, once its text, its files or what it is change; and not by what changes nothing", () => {
    const before = draft({ reply: "Hello", changedAt: 1 });
    expect(changed(before, { reply: "Hello!" })).toMatchObject({ reply: "Hello!", isUnsaved: true, changedAt: NOW });
    expect(changed(before, { files: [{ id: "f1", name: "a" }] })).toMatchObject({ isUnsaved: true, changedAt: NOW });
    expect(changed(before, { reply: "", note: "Hello", mode: "note" })).toMatchObject({ isUnsaved: true });
    expect(changed(before, { reply: "Hello" })).toMatchObject({ isUnsaved: false, changedAt: 1 });
    // The reply is in front still, because there is no note.
    expect(changed(before, { mode: "note" })).toMatchObject({ mode: "note", isUnsaved: false, changedAt: 1 });
    // An empty draft is neither a reply nor a note.
    expect(isSame(draft({ mode: "note" }), draft({ mode: "reply" }))).toBe(true);
  });

  test.each<[Partial<StoredDraft>, boolean]>([
    [{}, false],
    [{ reply: "Hello" }, true],
    [{ note: "Beware" }, true],
    [{ files: [{ id: "f1", name: "a" }] }, true],
    [{ other: { mode: "reply", text: "Hi" } }, true],
    [{ version: at(0), isUnsaved: true }, true],
    [{ version: at(0) }, false],
  ])("%j is kept on the disk: %s", (part, expected) => {
    expect(hasContent(draft(part))).toBe(expected);
  });
});

describe("a draft here and the server's", () => {
  test("are the same version: nothing changes", () => {
    const mine = draft({ reply: "Hello", version: at(1), isUnsaved: true });
    expect(meet(mine, served(at(1), "Something else"))).toBe(mine);
  });

  test("go on elsewhere: the server's is taken, with its files", () => {
    const mine = draft({ reply: "Hello", note: "Beware", version: at(1) });
    expect(meet(mine, served(at(2), "Hello there", { files: ["f1"] }))).toEqual({
      ...mine,
      reply: "Hello there",
      files: [{ id: "f1", name: "f1.pdf", size: 1, isPicture: false }],
      version: at(2),
    });
  });

  test("it was sent or emptied elsewhere: only what was written here since stays", () => {
    const saved = draft({ reply: "Hello", version: at(1), files: [{ id: "f1", name: "a" }] });
    expect(meet(saved, served(null, ""))).toMatchObject({ reply: "", files: [], version: null });
    const unsaved = { ...saved, reply: "Hello again", isUnsaved: true, changedAt: NOW };
    expect(meet(unsaved, served(null, ""))).toEqual({ ...unsaved, version: null });
  });

  test("a save whose answer was lost is known by its text, and what was typed since is unsaved", () => {
    const mine = draft({ reply: "Hello, and", attempt: "Hello", isUnsaved: true, changedAt: NOW });
    expect(meet(mine, served(at(9), "Hello"))).toEqual({ ...mine, version: at(9), isUnsaved: true });
    const same = draft({ reply: "Hello", attempt: "Hello", isUnsaved: true, changedAt: NOW });
    expect(meet(same, served(at(9), "Hello"))).toMatchObject({ reply: "Hello", version: at(9), isUnsaved: false });
  });

  test("two texts: the newer one is the draft, the older one is kept beside it, and the files of both are", () => {
    const mine = draft({ reply: "Mine", version: at(1), isUnsaved: true, changedAt: NOW + 5_000 });
    const file = { id: "f1", name: "f1.pdf", size: 1, isPicture: false };
    expect(meet(mine, served(at(4), "Theirs", { files: ["f1"] }))).toEqual({
      ...mine,
      files: [file],
      version: at(4),
      other: { mode: "reply", text: "Theirs" },
    });
    expect(meet({ ...mine, files: [file] }, served(at(6), "Theirs", { files: ["f1"] }))).toEqual({
      ...mine,
      reply: "Theirs",
      files: [file],
      version: at(6),
      other: { mode: "reply", text: "Mine" },
    });
  });

  test("two texts: one that the newer one contains is not kept beside it, and a third is added to the second", () => {
    const mine = draft({ reply: "Hello there", isUnsaved: true, changedAt: NOW + 5_000 });
    expect(meet(mine, served(at(4), "Hello")).other).toBeUndefined();
    expect(meet({ ...mine, other: { mode: "reply", text: "First" } }, served(at(4), "Second")).other).toEqual({
      mode: "reply",
      text: "First\n\nSecond",
    });
  });

  test("a reply here and a note there do not meet", () => {
    const mine = draft({ reply: "Mine", isUnsaved: true, changedAt: NOW });
    const both = meet(mine, served(at(1), "Beware", { isNote: true }));
    expect(both).toMatchObject({ mode: "reply", reply: "Mine", note: "Beware", isUnsaved: true, version: at(1) });
    expect(both.other).toBeUndefined();
  });

  test("what was emptied here after the server's text stays empty; a text that is newer, or was never seen, is taken", () => {
    const emptied = draft({ version: at(1), isUnsaved: true, changedAt: NOW + 5_000 });
    expect(meet(emptied, served(at(4), "Old"))).toMatchObject({ reply: "", version: at(4), isUnsaved: true });
    expect(meet(emptied, served(at(6), "New"))).toMatchObject({ reply: "New", isUnsaved: false });
    expect(meet({ ...emptied, version: null }, served(at(4), "Unseen"))).toMatchObject({ reply: "Unseen" });
  });
});

/** The disk of one browser, which its tabs share. */
class BrowserDisk {
  readonly kept = new Map<string, StoredDraft>();
  #heard: { tab: Disk; key: string; hear: (draft: StoredDraft) => void; signal: AbortSignal }[] = [];

  tab(): Disk {
    const keyOf = (memberId: string, id: string): string => `${memberId}:${id}`;
    const disk: Disk = {
      read: async (memberId, id) => ({ ...EMPTY, ...this.kept.get(keyOf(memberId, id)) }),
      write: async (memberId, id, written) => {
        const key = keyOf(memberId, id);
        if (hasContent(written)) this.kept.set(key, written);
        else this.kept.delete(key);
        for (const one of this.#heard)
          if (one.tab !== disk && one.key === key && !one.signal.aborted) one.hear(structuredClone(written));
      },
      remove: async (memberId, id) => void this.kept.delete(keyOf(memberId, id)),
      readAll: async (memberId) =>
        [...this.kept]
          .filter(([key]) => key.startsWith(`${memberId}:`))
          .map(([key, one]) => [key.slice(memberId.length + 1), one]),
      onWritten: (memberId, id, hear, signal) =>
        void this.#heard.push({ tab: disk, key: keyOf(memberId, id), hear, signal }),
    };
    return disk;
  }
}

/** What the server keeps of one member, as its API says it: one draft a conversation, and none that overwrites a version unseen. */
class ServerDrafts {
  readonly drafts = new Map<string, ReturnType<typeof served>>();
  readonly saves: Request[] = [];
  /** Answers instead, once for each. `after`: the server has done it, and only its answer is lost. */
  failures: ("before" | "after" | 403 | 429 | 503)[] = [];
  isReachable = true;

  readonly network = new Network();

  constructor() {
    this.network.answer = (request) => {
      const failure = this.isReachable ? this.failures.shift() : "before";
      if (failure === "before") return "lost";
      if (typeof failure === "number") return [failure, { error: "No." }];
      const id = request.path.split("/")[2]!;
      const now = this.drafts.get(id) ?? served(null, "");
      if (request.method === "GET") return [200, now];
      this.saves.push(request);
      const { body, isNote, attachmentIds, ifUpdatedAt } = request.body as {
        body: string;
        isNote: boolean;
        attachmentIds: string[];
        ifUpdatedAt: string | null;
      };
      if (ifUpdatedAt !== now.updatedAt) return [409, { error: "The draft has changed since." }];
      const isGone = body === "" && attachmentIds.length === 0;
      const next = served(isGone ? null : new Date().toISOString(), body, { isNote, files: attachmentIds });
      this.drafts.set(id, next);
      return failure === "after" ? "lost" : [200, next];
    };
  }
}

describe("a draft on the page", () => {
  let disk: BrowserDisk;
  let server: ServerDrafts;
  let session: AbortController;
  beforeEach(() => {
    disk = new BrowserDisk();
    server = new ServerDrafts();
    session = new AbortController();
  });

  /** Another tab, of this browser or of one that has another disk. */
  function tabOf(browser = disk): Exchange & { page: TestPage; tab: Tab } {
    const page = new TestPage();
    const client = clientOf("live", { baseUrl: "https://parley.test", fetch: server.network.fetch });
    return {
      page,
      tab: { disk: browser.tab(), page, onPage: new Map() },
      server: client.conversations,
      session: () => session.signal,
    };
  }
  async function opened(around: Exchange, id = "c1"): Promise<OpenDraft> {
    const open = new OpenDraft("m1", id, around.tab);
    open.start((one, signal) => sync(one, signal, around));
    await vi.advanceTimersByTimeAsync(0);
    return open;
  }
  const saved = (id = "c1"): string | undefined => server.drafts.get(id)?.body;
  const seconds = (count: number): Promise<unknown> => vi.advanceTimersByTimeAsync(count * 1_000);

  test("is on the disk within a quarter of a second, on the server after a pause, and there after a reload", async () => {
    const open = await opened(tabOf());
    open.change({ reply: "Hello" });
    await vi.advanceTimersByTimeAsync(250);
    expect(disk.kept.get("m1:c1")?.reply).toBe("Hello");
    expect(saved()).toBeUndefined();
    await seconds(0.75);
    expect(saved()).toBe("Hello");
    expect(open.now()).toMatchObject({ isUnsaved: false, version: server.drafts.get("c1")!.updatedAt });

    const reloaded = await opened(tabOf());
    expect(reloaded.now()).toMatchObject({ reply: "Hello", isUnsaved: false });
  });

  test("is on the disk at once when the page goes, and nothing of a closed page gets there", async () => {
    const around = tabOf();
    const open = await opened(around);
    open.change({ reply: "Hello" });
    around.page.happens("pagehide");
    await vi.advanceTimersByTimeAsync(0);
    expect(disk.kept.get("m1:c1")?.reply).toBe("Hello");
    void open.close();
    open.change({ reply: "Too late" });
    await seconds(20);
    expect(disk.kept.get("m1:c1")?.reply).toBe("Hello");
  });

  test("is kept at once when the page goes while the disk still writes", async () => {
    const { tab, page } = tabOf();
    const kept: string[] = [];
    const slow = {
      ...tab.disk,
      write: () => new Promise<void>(() => undefined),
      keep: (_member: string, _conversation: string, { reply }: StoredDraft) => void kept.push(reply),
    };
    const open = new OpenDraft("m1", "c1", { ...tab, disk: slow });
    open.start();
    await open.reading;
    open.change({ reply: "Hello" });
    await vi.advanceTimersByTimeAsync(250);
    expect(open.isWriting).toBe(false);
    page.happens("pagehide");
    expect(kept).toEqual(["Hello"]);
  });

  test("what was typed before the disk was read goes on after what is there", async () => {
    await tabOf().tab.disk.write("m1", "c1", draft({ reply: "Hello", note: "Beware" }));
    const open = new OpenDraft("m1", "c1", tabOf().tab);
    open.start();
    open.change({ reply: "again", files: [{ id: "f1", name: "a" }] });
    expect(open.isRead).toBe(false);
    await open.reading;
    expect(open.now()).toMatchObject({ reply: "Hello\nagain", note: "Beware", files: [{ id: "f1", name: "a" }] });
    expect(disk.kept.get("m1:c1")?.reply).toBe("Hello\nagain");
  });

  test("of somebody who does not pause is saved every five to ten seconds, and not with each letter", async () => {
    const open = await opened(tabOf());
    for (let i = 0; i < 120; i++) {
      open.change({ reply: "x".repeat(i + 1) });
      await seconds(0.5);
    }
    expect(server.saves.length).toBeGreaterThanOrEqual(6);
    expect(server.saves.length).toBeLessThanOrEqual(9);
    await seconds(10);
    expect(saved()).toBe("x".repeat(120));
  });

  test("that is not empty again at once is never on the server", async () => {
    const open = await opened(tabOf());
    open.change({ reply: "Hello" });
    open.change({ reply: "" });
    await seconds(20);
    expect(server.saves).toEqual([]);
    expect(disk.kept.size).toBe(0);
  });

  test("is saved again until the server answers, with longer and longer waits, and at once when the connection is back", async () => {
    const around = tabOf();
    const open = await opened(around);
    server.isReachable = false;
    open.change({ reply: "Hello" });
    await seconds(120);
    expect(open.isReachable).toBe(false);
    expect(open.now()!.isUnsaved).toBe(true);
    // Each is tried three times by the client.
    expect(server.network.of("PUT", "/conversations/c1/draft").length).toBeLessThan(30);
    server.isReachable = true;
    around.page.connect(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(saved()).toBe("Hello");
    expect(open.isReachable).toBe(true);
  });

  test("whose save got no answer is not in conflict with itself", async () => {
    const open = await opened(tabOf());
    // The client sends it three times. The first is done, and the others find another version.
    server.failures = ["after"];
    open.change({ reply: "Hello" });
    await seconds(1);
    open.change({ reply: "Hello there" });
    await seconds(30);
    expect(saved()).toBe("Hello there");
    expect(open.now()).toMatchObject({ reply: "Hello there", isUnsaved: false });
    expect(open.now()!.other).toBeUndefined();
  });

  test("that the server refuses is sent again only when it changes", async () => {
    const open = await opened(tabOf());
    server.failures = [403];
    open.change({ reply: "Hello" });
    await seconds(60);
    expect(server.network.of("PUT", "/conversations/c1/draft")).toHaveLength(1);
    open.change({ reply: "Hello there" });
    await seconds(10);
    expect(saved()).toBe("Hello there");
  });

  test("goes on in another browser, which asks once it is in front again", async () => {
    const open = await opened(tabOf());
    open.change({ reply: "Hello" });
    await seconds(2);
    const elsewhere = tabOf(new BrowserDisk());
    const other = await opened(elsewhere);
    expect(other.now()).toMatchObject({ reply: "Hello", isUnsaved: false });

    open.change({ reply: "Hello there" });
    await seconds(10);
    elsewhere.page.show(true);
    await vi.advanceTimersByTimeAsync(0);
    // It has asked a moment ago.
    expect(other.now()!.reply).toBe("Hello");
    await seconds(30);
    elsewhere.page.show(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(other.now()!.reply).toBe("Hello there");
  });

  test("written in two browsers at the same time: both have the newer text, and the older one beside it", async () => {
    const one = await opened(tabOf());
    const other = await opened(tabOf(new BrowserDisk()));
    one.change({ reply: "From here" });
    await seconds(1.5);
    other.change({ reply: "From there" });
    await seconds(30);
    expect(saved()).toBe("From there");
    expect(other.now()).toMatchObject({ reply: "From there", other: { mode: "reply", text: "From here" } });
  });

  test("of two tabs: what one writes, the other shows; and the one that was left saves what the closed one could not", async () => {
    const first = tabOf();
    const one = await opened(first);
    const other = await opened(tabOf());
    one.change({ reply: "Hello" });
    await vi.advanceTimersByTimeAsync(250);
    expect(other.now()!.reply).toBe("Hello");
    // The first tab is gone before it has saved.
    session.abort();
    session = new AbortController();
    void one.close();
    await seconds(9);
    expect(saved()).toBeUndefined();
    await seconds(2);
    expect(saved()).toBe("Hello");
  });

  test("of two tabs: what one shows continues the version that it has saved, which the other did not know of", async () => {
    const first = tabOf();
    const open = await opened(first);
    open.change({ reply: "Hello" });
    await seconds(2);
    const version = server.drafts.get("c1")!.updatedAt!;
    // The other one has read the server before.
    const other = draft({ reply: "Hello!", version: at(-9), isUnsaved: true, changedAt: Date.now() });
    await tabOf().tab.disk.write("m1", "c1", other);
    expect(open.now()!.reply).toBe("Hello!");
    expect(open.take({ reply: "", files: [] })).toBe(version);
  });

  test("of two tabs: an older one does not replace what is being typed here", async () => {
    const first = tabOf();
    const open = await opened(first);
    open.change({ reply: "Being typed" });
    await tabOf().tab.disk.write("m1", "c1", draft({ reply: "From the other tab", changedAt: NOW + 1 }));
    expect(open.now()!.reply).toBe("Being typed");
    await vi.advanceTimersByTimeAsync(300);
    await tabOf().tab.disk.write("m1", "c1", draft({ reply: "Older", changedAt: NOW - 1 }));
    expect(open.now()!.reply).toBe("Being typed");
  });

  test("that is left is saved at once, and not in the name of whoever signs in next", async () => {
    const open = await opened(tabOf());
    open.change({ reply: "Hello" });
    await vi.advanceTimersByTimeAsync(250);
    void open.close();
    await vi.advanceTimersByTimeAsync(0);
    expect(saved()).toBe("Hello");

    const next = await opened(tabOf(), "c2");
    next.change({ reply: "Mine" });
    await vi.advanceTimersByTimeAsync(250);
    session.abort();
    void next.close();
    await seconds(5);
    expect(saved("c2")).toBeUndefined();
    expect(disk.kept.get("m1:c2")).toMatchObject({ reply: "Mine", isUnsaved: true });
  });

  test("changed in the last moment of a page is saved ten seconds after the next page starts, and once the connection is back", async () => {
    await tabOf().tab.disk.write("m1", "c1", draft({ reply: "Hello", isUnsaved: true, changedAt: NOW }));
    await tabOf().tab.disk.write("m2", "c2", draft({ reply: "Not mine", isUnsaved: true, changedAt: NOW }));
    const around = tabOf();
    const end = new AbortController();
    saveUnsaved("m1", end.signal, around);
    await seconds(9.9);
    expect(saved()).toBeUndefined();
    // Another tab may still save what was changed a moment ago, and what is on the page is saved by that.
    await around.tab.disk.write("m1", "c5", draft({ reply: "Just now", isUnsaved: true, changedAt: Date.now() }));
    await around.tab.disk.write("m1", "c6", draft({ reply: "On the page", isUnsaved: true, changedAt: NOW }));
    const open = new OpenDraft("m1", "c6", around.tab);
    open.start();
    await seconds(0.2);
    expect(saved()).toBe("Hello");
    expect([saved("c5"), saved("c6")]).toEqual([undefined, undefined]);
    expect(disk.kept.get("m1:c1")!.isUnsaved).toBe(false);

    await around.tab.disk.write("m1", "c3", draft({ reply: "Offline", isUnsaved: true, changedAt: NOW }));
    around.page.connect(true);
    await seconds(11);
    expect(saved("c3")).toBe("Offline");
    expect(saved("c2")).toBeUndefined();

    end.abort();
    await around.tab.disk.write("m1", "c4", draft({ reply: "After the end", isUnsaved: true, changedAt: NOW }));
    around.page.connect(true);
    await seconds(30);
    expect(saved("c4")).toBeUndefined();
  });

  test("is given to the server before a sign-out, and then nothing of it is on the disk; what it lacks stays there", async () => {
    const around = tabOf();
    const open = await opened(around);
    open.change({ reply: "Hello" });
    await around.tab.disk.write("m1", "c2", draft({ reply: "Both", note: "of them", isUnsaved: true, changedAt: NOW }));
    await handOver("m1", around);
    expect(saved()).toBe("Hello");
    expect(saved("c2")).toBe("Both");
    // The server has one text of each conversation.
    expect([...disk.kept.keys()]).toEqual(["m1:c2"]);

    // It was left a moment ago, and is being saved: that is waited for, and nothing is saved twice.
    const left = await opened(tabOf(), "c4");
    left.change({ reply: "Left" });
    void left.close();
    await handOver("m1", around);
    expect([...disk.kept.keys()]).toEqual(["m1:c2"]);
    expect(server.saves.filter(({ path }) => path.includes("/c4/"))).toHaveLength(1);

    const offline = tabOf();
    offline.page.isOnline = false;
    await offline.tab.disk.write("m1", "c3", draft({ reply: "Offline", isUnsaved: true, changedAt: NOW }));
    await handOver("m1", offline);
    expect(disk.kept.get("m1:c3")!.reply).toBe("Offline");
  });

  test("is not saved while its reply is on the way, and what the reply has deleted is no version to continue", async () => {
    const open = await opened(tabOf());
    open.change({ reply: "Hello" });
    await seconds(2);
    const version = open.now()!.version;
    expect(open.take({ reply: "", files: [] })).toBe(version);
    open.change({ reply: "Next" });
    await seconds(20);
    expect(server.saves).toHaveLength(1);
    server.drafts.delete("c1");
    open.taken(version!);
    expect(open.now()).toMatchObject({ reply: "Next", version: null });
    await seconds(10);
    expect(saved()).toBe("Next");
  });

  test("of a reply that was refused keeps its version, and its text comes before what was typed meanwhile", async () => {
    const around = tabOf();
    const open = await opened(around);
    open.change({ reply: "Hello" });
    await seconds(2);
    const version = open.take({ reply: "", files: [] });
    open.change({ reply: "Next" });
    open.taken(undefined);
    await restoreDraft("m1", "c1", { mode: "reply", text: "Hello", files: [] }, around.tab);
    expect(open.now()).toMatchObject({ mode: "reply", reply: "Hello\nNext", version });
    expect(disk.kept.get("m1:c1")!.reply).toBe("Hello\nNext");
  });

  test("that is on no page gets back what was taken, on the disk; another member's page does not", async () => {
    const around = tabOf();
    const mine = await opened(around);
    await restoreDraft("m2", "c1", { mode: "note", text: "Beware", files: [{ id: "f1", name: "a" }] }, around.tab);
    expect(mine.now()!.note).toBe("");
    expect(disk.kept.get("m2:c1")).toMatchObject({ mode: "note", note: "Beware", isUnsaved: true });
  });
});
