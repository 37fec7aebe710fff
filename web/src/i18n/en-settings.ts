/** The texts of the settings and of quality. */
export const settings = {
  settings: { title: "Settings" },
} as const;
