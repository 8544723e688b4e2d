// The route table: every address of the app, who may see it, and the chunk it loads.

import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { session } from "@/session/session";
import { sessionReady } from "@/session/start";
import { NotFound, PendingPage, RouteProblem } from "./Fallbacks";
import { Shell } from "./Shell";

type Search<Key extends string> = { [K in Key]?: string };

/** The search parameters a page knows, as text; all are optional, others are dropped. */
function texts<Key extends string>(...keys: Key[]) {
  return (search: Record<string, unknown>): Search<Key> =>
    Object.fromEntries(
      keys.flatMap((key) => {
        const value = search[key];
        return typeof value === "string" || typeof value === "number" ? [[key, String(value)]] : [];
      }),
    ) as Search<Key>;
}

async function signedInOnly({ location }: { location: { href: string } }): Promise<void> {
  await sessionReady();
  if (session() === null) throw redirect({ to: "/login", search: { next: location.href } });
}

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const market = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: texts("pool", "class", "gpu"),
  component: lazyRouteComponent(() => import("@/pages/market/MarketPage"), "MarketPage"),
});

const rounds = createRoute({
  getParentRoute: () => root,
  path: "/rounds",
  validateSearch: texts("pool"),
  component: lazyRouteComponent(() => import("@/pages/rounds/RoundsPage"), "RoundsPage"),
});

export const roundRoute = createRoute({
  getParentRoute: () => root,
  path: "/rounds/$pool/$number",
  component: lazyRouteComponent(() => import("@/pages/rounds/RoundPage"), "RoundPage"),
});

export const loginRoute = createRoute({
  getParentRoute: () => root,
  path: "/login",
  validateSearch: texts("next"),
  component: lazyRouteComponent(() => import("@/pages/account/LoginPage"), "LoginPage"),
});

export const signupRoute = createRoute({
  getParentRoute: () => root,
  path: "/signup",
  validateSearch: texts("next"),
  component: lazyRouteComponent(() => import("@/pages/account/SignupPage"), "SignupPage"),
});

const own = createRoute({ getParentRoute: () => root, id: "own", beforeLoad: signedInOnly });

const rentals = createRoute({
  getParentRoute: () => own,
  path: "/rentals",
  component: lazyRouteComponent(() => import("@/pages/rentals/RentalsPage"), "RentalsPage"),
});

export const rentalRoute = createRoute({
  getParentRoute: () => own,
  path: "/rentals/$id",
  validateSearch: texts("tab"),
  component: lazyRouteComponent(() => import("@/pages/rentals/RentalPage"), "RentalPage"),
});

const bids = createRoute({
  getParentRoute: () => own,
  path: "/bids",
  component: lazyRouteComponent(() => import("@/pages/bids/BidsPage"), "BidsPage"),
});

export const bidRoute = createRoute({
  getParentRoute: () => own,
  path: "/bids/$id",
  component: lazyRouteComponent(() => import("@/pages/bids/BidPage"), "BidPage"),
});

const jobs = createRoute({
  getParentRoute: () => own,
  path: "/jobs",
  component: lazyRouteComponent(() => import("@/pages/jobs/JobsPage"), "JobsPage"),
});

export const jobRoute = createRoute({
  getParentRoute: () => own,
  path: "/jobs/$id",
  component: lazyRouteComponent(() => import("@/pages/jobs/JobPage"), "JobPage"),
});

const wallet = createRoute({
  getParentRoute: () => own,
  path: "/wallet",
  component: lazyRouteComponent(() => import("@/pages/wallet/WalletPage"), "WalletPage"),
});

const providers = createRoute({
  getParentRoute: () => own,
  path: "/providers",
  component: lazyRouteComponent(() => import("@/pages/providers/ProvidersPage"), "ProvidersPage"),
});

export const providerRoute = createRoute({
  getParentRoute: () => own,
  path: "/providers/$id",
  component: lazyRouteComponent(() => import("@/pages/providers/ProviderPage"), "ProviderPage"),
});

const operator = createRoute({
  getParentRoute: () => own,
  path: "/operator",
  component: lazyRouteComponent(() => import("@/pages/operator/OperatorPage"), "OperatorPage"),
});

const account = createRoute({
  getParentRoute: () => own,
  path: "/account",
  component: lazyRouteComponent(() => import("@/pages/account/AccountPage"), "AccountPage"),
});

const routeTree = root.addChildren([
  market,
  rounds,
  roundRoute,
  loginRoute,
  signupRoute,
  own.addChildren([
    rentals,
    rentalRoute,
    bids,
    bidRoute,
    jobs,
    jobRoute,
    wallet,
    providers,
    providerRoute,
    operator,
    account,
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  defaultPendingMs: 200,
  defaultPendingComponent: PendingPage,
  defaultErrorComponent: RouteProblem,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
