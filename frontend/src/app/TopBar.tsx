// The bar above every page: where one can go, what is left in the wallet, who one is.

import { Burger, Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useSession } from "@/session/session";
import { may } from "@/session/roles";
import { useTicket } from "@/tickets/TicketProvider";
import { AccountMenu } from "./AccountMenu";
import { Mark } from "./Mark";
import { SchemeSwitch } from "./SchemeSwitch";
import classes from "./TopBar.module.css";
import { WalletChip } from "./WalletChip";

interface Place {
  to: string;
  label: string;
  shown: boolean;
}

export function TopBar() {
  const session = useSession();
  const ticket = useTicket();
  const [open, setOpen] = useState(false);
  const signedIn = session !== null;
  const places: Place[] = [
    { to: "/", label: "Market", shown: true },
    { to: "/rentals", label: "Rentals", shown: signedIn },
    { to: "/bids", label: "Bids", shown: signedIn },
    { to: "/jobs", label: "Jobs", shown: signedIn },
    { to: "/rounds", label: "Rounds", shown: true },
    { to: "/wallet", label: "Wallet", shown: may(session?.role, "money") },
    { to: "/providers", label: "Provide", shown: signedIn },
    { to: "/operator", label: "Operate", shown: session?.user.operator ?? false },
  ];
  return (
    <header className={classes.bar}>
      <div className={classes.inner}>
        <Link to="/" className={classes.brand} aria-label="souk, the market">
          <Mark />
          <span>souk</span>
        </Link>
        <Burger
          className={classes.burger}
          size="sm"
          opened={open}
          onClick={() => setOpen(!open)}
          aria-label={open ? "Close navigation" : "Open navigation"}
          aria-expanded={open}
          aria-controls="places"
        />
        <nav id="places" className={classes.places} data-open={open || undefined} aria-label="Main">
          {places
            .filter((place) => place.shown)
            .map((place) => (
              <Link
                key={place.to}
                to={place.to}
                activeOptions={{ exact: place.to === "/", includeSearch: false }}
                className={classes.place}
                onClick={() => setOpen(false)}
              >
                {place.label}
              </Link>
            ))}
          {may(session?.role, "demand") && (
            <Button
              className={classes.bidInMenu}
              onClick={() => {
                setOpen(false);
                ticket.openBid({});
              }}
            >
              Place a bid
            </Button>
          )}
        </nav>
        <div className={classes.tools}>
          {signedIn && may(session.role, "money") && <WalletChip />}
          {may(session?.role, "demand") && (
            <Button size="xs" onClick={() => ticket.openBid({})} className={classes.bid}>
              Place a bid
            </Button>
          )}
          <SchemeSwitch />
          {signedIn ? (
            <AccountMenu session={session} />
          ) : (
            <>
              <Button size="xs" variant="default" component={Link} to="/login">
                Log in
              </Button>
              <Button size="xs" component={Link} to="/signup" className={classes.bid}>
                Sign up
              </Button>
            </>
          )}
        </div>
      </div>
    </header>
  );
}
