import createClient from "openapi-fetch";
import { run } from "./calls";
import type { paths } from "./dist/openapi-typescript";

run(async ({ baseUrl, key, workspaceId, contactId, absentId }) => {
  const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

  const first = await api.GET("/api/conversations", { params: { query: { limit: 2, status: ["open"] } } });
  if (!first.data) throw new Error(first.error.error);
  const cursor = first.data.nextCursor;
  const second = await api.GET("/api/conversations", { params: { query: { limit: 2, status: ["open"], cursor } } });
  if (!second.data) throw new Error(second.error.error);

  const started = await api.POST("/api/conversations", {
    body: { workspaceId, contactId, subject: "openapi-typescript", message: { body: "Where is my order?" } },
  });
  if (!started.data) throw new Error(started.error.error);
  const reply = await api.POST("/api/conversations/{id}/reply", {
    params: { path: { id: started.data.id } },
    body: { body: "It left our warehouse this morning." },
  });
  if (!reply.data) throw new Error(reply.error.error);

  const absent = await api.GET("/api/conversations/{id}", { params: { path: { id: absentId } } });
  if (!absent.error || absent.response.status !== 404) throw new Error("the absent conversation was found");
  return {
    firstPage: first.data.data.map(({ id }) => id),
    secondPage: second.data.data.map(({ id }) => id),
    started: started.data.id,
    subject: started.data.subject,
    reply: reply.data.messageId,
    notFound: absent.error.error,
  };
});
