// Asks before something that cannot simply be undone.

import { Button, Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { ProblemNotice } from "./Feedback";
import classes from "./Confirm.module.css";

interface Props {
  title: string;
  children: ReactNode;
  button: string;
  dangerous?: boolean;
  pending: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

export function Confirm({ title, children, button, dangerous, pending, error, onConfirm, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title={title} size={440} classNames={{ title: classes.title }}>
      <div className={classes.body}>
        <div>{children}</div>
        <ProblemNotice error={error} />
        <div className={classes.foot}>
          <Button variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button color={dangerous ? "red.8" : undefined} loading={pending} onClick={onConfirm} data-autofocus>
            {button}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
