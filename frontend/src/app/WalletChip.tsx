// What is left, and for how long, always in sight.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { moneyInBrief } from "@/money/format";
import { walletQuery } from "@/queries/wallet";
import { duration } from "@/time/format";
import classes from "./WalletChip.module.css";

export function WalletChip() {
  const { data: wallet } = useQuery(walletQuery);
  if (wallet === undefined) return null;
  return (
    <Link to="/wallet" className={classes.chip} data-warning={wallet.warning ?? undefined}>
      <span className="visually-hidden">Available in the wallet: </span>
      {moneyInBrief(wallet.available, wallet.currency)}
      {wallet.runway_seconds !== null && <span className={classes.runway}>{duration(wallet.runway_seconds)} left</span>}
    </Link>
  );
}
