import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, WITHOUT_BROWSER } from "../support/browser.js";
import { allowTimeForProcesses } from "../server/process/support.js";
import { type Process, startProcess } from "../races/processes.js";
import { withoutAssistant } from "../support/app.js";
import { type Desk, openDesk, PATIENT, signIn } from "../browser/dashboard/support.js";

allowTimeForProcesses();

describe.skipIf(!CHROMIUM)(`the server is killed while a member works, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let server: Process;
  beforeAll(async () => {
    desk = await openDesk();
    // A process runs its jobs, and the assistant would answer.
    await withoutAssistant(desk.tenant);
    server = await startProcess(desk.app.db);
  });
  afterAll(async () => {
    await server.stop();
    await desk.close();
  });

  test("a draft and a reply on its way survive; nothing is lost and nothing doubled, also over a reload", async () => {
    const { id } = await desk.conversation("Ada", "Hello?");
    const { page, context } = await signIn(
      { ...desk, app: { ...desk.app, baseUrl: server.baseUrl } },
      {
        at: `/inbox/all/${id}`,
      },
    );
    await page.getByRole("log").getByText("Hello?").waitFor();
    const reply = page.getByRole("textbox", { name: "Reply" });
    await reply.fill("Good morning, Ada");
    const { port } = new URL(server.baseUrl);
    await server.kill();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Waits for the connection").waitFor();
    await reply.fill("And one more thing");
    await page.getByText("Live updates are interrupted").waitFor();
    server = await startProcess(desk.app.db, { PORT: port });
    await expect
      .poll(async () => (await desk.tenant.live.get(`/api/conversations/${id}`, 200)).body.messageCount, PATIENT)
      .toBe(2);
    expect(await reply.inputValue()).toBe("And one more thing");

    await page.getByText("Waits for the connection").waitFor({ state: "detached" });
    // Refused connections are offline, too: what is sent then is on the disk before it is shown, and a reload sends it.
    await server.kill();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Waits for the connection").waitFor();
    server = await startProcess(desk.app.db, { PORT: port });
    await page.reload();
    await page.getByRole("log").getByText("And one more thing").waitFor();
    const texts = async (): Promise<string[]> =>
      (await desk.tenant.live.get(`/api/conversations/${id}/messages`, 200)).body.data.map(({ body }) => body);
    await expect.poll(texts, PATIENT).toEqual(["Hello?", "Good morning, Ada", "And one more thing"]);
    await context.close();
  });
});
