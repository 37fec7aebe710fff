import { useRef, useState } from "react";
import { failureOf } from "../../api/failure.js";
import { parley } from "../../api/parley.js";
import type { DraftFile } from "../../drafts/drafts.js";
import { draftFile } from "../../drafts/files.js";

/**
 * Files on their way to the server, by name. Several may have the same: browsers call every screenshot `image.png`.
 * @param onArrived puts one that has arrived into the draft
 * @param onError gets a sentence about one that has not
 * @returns `forget` is for a draft that is thrown away: what is still on its way is for nobody
 */
export function useUploads(
  onArrived: (file: DraftFile) => void | Promise<void>,
  onError: (sentence: string) => void,
): { uploads: string[]; attach: (files: Iterable<File>) => Promise<DraftFile[]>; forget: () => void } {
  const [uploads, setUploads] = useState<string[]>([]);
  const drafts = useRef(0);
  const attach = async (files: Iterable<File>): Promise<DraftFile[]> => {
    const draft = drafts.current;
    const arrived: DraftFile[] = [];
    for (const file of files) {
      setUploads((names) => [...names, file.name]);
      try {
        const form = new FormData();
        form.set("file", file);
        const uploaded = draftFile(await parley.attachments.upload(form));
        if (draft !== drafts.current) break;
        await onArrived(uploaded);
        arrived.push(uploaded);
      } catch (failure) {
        onError(`${file.name}: ${failureOf(failure).sentence}`);
      } finally {
        if (draft === drafts.current) setUploads((names) => names.toSpliced(names.indexOf(file.name), 1));
      }
    }
    return arrived;
  };
  const forget = (): void => {
    drafts.current++;
    setUploads([]);
  };
  return { uploads, attach, forget };
}
