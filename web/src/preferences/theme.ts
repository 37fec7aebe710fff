const KEY = "parley.theme";

/** Shows the page light or dark, as the member chose, or as the system is. It is remembered here for the moment before the preferences arrive. */
export function showTheme(theme: "system" | "light" | "dark"): void {
  if (theme === "system") {
    localStorage.removeItem(KEY);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(KEY, theme);
    document.documentElement.dataset.theme = theme;
  }
}

const remembered = localStorage.getItem(KEY);
if (remembered === "light" || remembered === "dark") showTheme(remembered);
