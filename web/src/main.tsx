import "./ui/tokens.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { DirectionProvider } from "@base-ui/react/direction-provider";
import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { useTranslation } from "react-i18next";
import { newQueryClient } from "./api/query-client.js";
import "./i18n/i18n.js";
import "./preferences/theme.js";
import { router } from "./router.js";
import { resume } from "./session/session.js";

export const queryClient = newQueryClient();

function App(): ReactNode {
  const { i18n } = useTranslation();
  return (
    <DirectionProvider direction={i18n.dir()}>
      {/* The policy of the page allows no inline styles. */}
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </CSPProvider>
    </DirectionProvider>
  );
}

void resume();
createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
