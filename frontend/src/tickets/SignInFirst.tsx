// Shown on a ticket to those who cannot fill it in: who may, and what to do.

import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Empty } from "@/design/Feedback";

export function SignInFirst({ signedIn, onClose }: { signedIn: boolean; onClose: () => void }) {
  if (signedIn) {
    return (
      <Empty title="Your role may look, but not take devices.">
        Ask an admin of the organisation to make you a member, or act for another organisation.
      </Empty>
    );
  }
  return (
    <Empty
      title="Devices are taken by an organisation."
      action={
        <>
          <Button component={Link} to="/signup" onClick={onClose}>
            Sign up
          </Button>
          <Button component={Link} to="/login" variant="default" onClick={onClose}>
            Log in
          </Button>
        </>
      }
    >
      Sign up or log in; prices, depth and rounds stay open to everyone.
    </Empty>
  );
}
