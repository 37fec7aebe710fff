import { expect, test } from "vitest";
import { withPictures } from "../../../web/src/features/thread/pictures.js";

test("a pasted picture stands on a line of its own where the caret was, and its name cannot end it", () => {
  const picture = { id: "01890000-0000-7000-8000-000000000000", name: "a]b.png" };
  const mark = `![a\\]b.png](cid:${picture.id})`;
  expect(withPictures("", 0, [picture])).toBe(mark);
  expect(withPictures("Look here: and there", 10, [picture])).toBe(`Look here:\n\n${mark}\n\n and there`);
  expect(withPictures("Look\n", 5, [picture, picture])).toBe(`Look\n${mark}\n${mark}`);
});
