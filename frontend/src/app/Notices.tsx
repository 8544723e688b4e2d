// State changes as they happen: shown in a corner, spoken once by screen readers.

import { CloseButton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { dismiss, noticeStore } from "@/events/announce";
import classes from "./Notices.module.css";

export function Notices() {
  const notices = useSyncExternalStore(noticeStore.subscribe, noticeStore.get);
  return (
    <div className={classes.notices} role="status" aria-live="polite" aria-relevant="additions">
      {notices.map((notice) => (
        <div key={notice.id} className={classes.notice} data-tone={notice.tone}>
          <span>{notice.text}</span>
          {notice.to && (
            <Link to={notice.to} onClick={() => dismiss(notice.id)}>
              Open
            </Link>
          )}
          <CloseButton size="sm" aria-label="Dismiss" onClick={() => dismiss(notice.id)} />
        </div>
      ))}
    </div>
  );
}
