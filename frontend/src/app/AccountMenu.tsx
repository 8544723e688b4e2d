// Who is signed in and for which organisation; the way to the other ones.

import { Menu } from "@mantine/core";
import { IconCheck, IconChevronDown } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { announce } from "@/events/announce";
import { organisationsQuery } from "@/queries/people";
import { switchOrganisation } from "@/session/refresh";
import type { SignedIn } from "@/session/session";
import { signOut } from "@/session/start";
import classes from "./AccountMenu.module.css";

export function AccountMenu({ session }: { session: SignedIn }) {
  const navigate = useNavigate();
  const organisations = useQuery(organisationsQuery);
  const change = useMutation({
    mutationFn: switchOrganisation,
    onSuccess: (next) => {
      if (next !== null) announce({ text: `Now acting for ${next.organisation.name}.`, tone: "good", to: null });
      void navigate({ to: "/" });
    },
  });
  return (
    <Menu position="bottom-end" width={270} withinPortal>
      <Menu.Target>
        <button type="button" className={classes.who}>
          <span className={classes.name}>{session.organisation.name}</span>
          <IconChevronDown size={14} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {session.user.display_name} · {session.user.email}
        </Menu.Label>
        <Menu.Item component={Link} to="/account">
          Keys, members and organisation
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Act for</Menu.Label>
        {(organisations.data ?? []).map(({ organisation, role }) => (
          <Menu.Item
            key={organisation.id}
            disabled={change.isPending}
            leftSection={
              <IconCheck
                size={14}
                style={{ opacity: organisation.id === session.organisation.id ? 1 : 0 }}
                aria-hidden
              />
            }
            rightSection={<span className={classes.role}>{role}</span>}
            onClick={() => organisation.id !== session.organisation.id && change.mutate(organisation.id)}
          >
            {organisation.name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          onClick={() => {
            void signOut();
            void navigate({ to: "/" });
          }}
        >
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
