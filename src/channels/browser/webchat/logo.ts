import { h } from "../common.js";

/** So many pixels tell how light a picture is. */
const SIDE = 32;
/** A picture with fewer clear pixels has a ground of its own. */
const CLEAR = 0.1;
const LIGHT = 0.7;

/** Whether a picture without a ground of its own is so light that it cannot be seen on white. */
function needsDark(picture: HTMLImageElement): boolean {
  const pen = h("canvas", { width: SIDE, height: SIDE }).getContext("2d");
  if (!pen) return false;
  pen.drawImage(picture, 0, 0, SIDE, SIDE);
  const { data } = pen.getImageData(0, 0, SIDE, SIDE);
  let [shown, light] = [0, 0];
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3]! / 255;
    shown += alpha;
    light += (alpha * (0.2126 * data[at]! + 0.7152 * data[at + 1]! + 0.0722 * data[at + 2]!)) / 255;
  }
  return shown > 0 && shown < (1 - CLEAR) * SIDE * SIDE && light > LIGHT * shown;
}

/** The logo on a ground on which it can be seen, whatever colour the header has. */
export function logoElement(src: string): HTMLElement {
  // Only such a picture may be read.
  const picture = h("img", { crossorigin: "anonymous", src, alt: "" });
  const element = h("span", { class: "logo" }, picture);
  // What a proxy or the browser kept from before may not say so. It is shown all the same.
  picture.addEventListener("error", () => picture.removeAttribute("crossorigin"), { once: true });
  picture.addEventListener("load", () => {
    try {
      element.classList.toggle("light", needsDark(picture));
    } catch {
      /* the browser does not let us read it */
    }
  });
  return element;
}
