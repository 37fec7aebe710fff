/** The texts of the pages beside the inbox. */
export const pages = {
  attention: {
    title: "Attention",
  },
} as const;
