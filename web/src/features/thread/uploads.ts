import { useState } from "react";
import { failureOf } from "../../api/failure.js";
import { parley } from "../../api/parley.js";
import { restoreDraft } from "../../drafts/open-draft.js";

/** Files on their way to the server, by name. Those that arrive are in the draft. */
export function useUploads(
  memberId: string,
  conversationId: string,
  onError: (sentence: string) => void,
): { uploads: string[]; attach: (files: Iterable<File>) => Promise<void> } {
  const [uploads, setUploads] = useState<string[]>([]);
  const attach = async (files: Iterable<File>): Promise<void> => {
    for (const file of files) {
      setUploads((names) => [...names, file.name]);
      try {
        const form = new FormData();
        form.set("file", file);
        const { id, fileName } = await parley.attachments.upload(form);
        await restoreDraft(memberId, conversationId, { files: [{ id, name: fileName }] });
      } catch (failure) {
        onError(`${file.name}: ${failureOf(failure).sentence}`);
      } finally {
        setUploads((names) => names.filter((name) => name !== file.name));
      }
    }
  };
  return { uploads, attach };
}
