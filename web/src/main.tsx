import "./ui/tokens.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { DirectionProvider } from "@base-ui/react/direction-provider";
import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { useTranslation } from "react-i18next";
import "./i18n/i18n.js";
import "./preferences/theme.js";
import { router } from "./router.js";
import { resume } from "./session/session.js";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Live events tell what has changed.
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      // The client has tried again already.
      retry: false,
      // Without a connection a request fails, and the page says so. A page that waited for one would say nothing.
      networkMode: "always",
      refetchOnReconnect: true,
    },
    mutations: { networkMode: "always" },
  },
});

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
