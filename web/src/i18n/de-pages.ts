import type { Texts } from "./texts.js";
import type { pages as english } from "./en-pages.js";

export const pages: Texts<typeof english> = {
  attention: {
    title: "Hinweise",
  },
};
