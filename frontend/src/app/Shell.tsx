// What surrounds every page: the skip link, the top bar, the tickets, and the spoken notices.

import { Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useOrganisationEvents } from "@/events/subscribe";
import { TicketProvider } from "@/tickets/TicketProvider";
import { Notices } from "./Notices";
import classes from "./Shell.module.css";
import { TopBar } from "./TopBar";

export function Shell() {
  useOrganisationEvents();
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const opened = useRef(path);
  // After moving to another page the keyboard starts at its beginning, not where the old page ended.
  useEffect(() => {
    if (opened.current === path) return;
    opened.current = path;
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <TicketProvider>
      <a href="#main" className={classes.skip}>
        Skip to the page
      </a>
      <TopBar />
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <Outlet />
      </main>
      <footer className={classes.footer}>
        <span>souk, an open market for GPUs</span>
        <a href="/docs">API reference</a>
        <a href="/openapi.json">OpenAPI</a>
        <span className={classes.keys}>
          <kbd>b</kbd> bid <kbd>/</kbd> search offers
        </span>
      </footer>
      <Notices />
    </TicketProvider>
  );
}
