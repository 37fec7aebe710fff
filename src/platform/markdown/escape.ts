/** A text that stands for itself in Markdown: it becomes no link, no emphasis, no heading and no list. Line breaks stay. */
export const escapeMarkdown = (text: string): string =>
  text.replace(/[\\`*_~|[\]<>]|&(?=[#\w]+;)/g, "\\$&").replace(/^(\d{0,9})([#+=.)-])/gm, "$1\\$2");
