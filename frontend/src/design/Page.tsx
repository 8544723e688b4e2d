// The frame of a page: its title, what it is for, and what can be done here.

import type { ReactNode } from "react";
import { useEffect } from "react";
import classes from "./Page.module.css";

interface Props {
  title: string;
  lead?: ReactNode;
  above?: ReactNode;
  actions?: ReactNode;
  narrow?: boolean;
  children: ReactNode;
}

export function Page({ title, lead, above, actions, narrow, children }: Props) {
  useEffect(() => {
    document.title = `${title} · souk`;
  }, [title]);
  return (
    <div className={classes.page} data-narrow={narrow || undefined}>
      <header className={classes.header}>
        <div className={classes.heading}>
          {above && <div className={classes.above}>{above}</div>}
          <h1>{title}</h1>
          {lead && <div className={classes.lead}>{lead}</div>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
