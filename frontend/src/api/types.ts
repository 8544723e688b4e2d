// The API's shapes by the names this app uses. They come from the generated description; change them there.

import type { components } from "./schema";

type Schemas = components["schemas"];

export type Role = Schemas["Role"];
export type User = Schemas["User"];
export type Organisation = Schemas["Organisation"];
export type Session = Schemas["Session"];
export type Membership = Schemas["Membership"];
export type Member = Schemas["Member"];
export type ApiKey = Schemas["ApiKey"];
export type Scope = Schemas["Scope"];
export type SshKey = Schemas["SshKey"];

export type Pool = Schemas["Pool"];
export type PoolClass = Schemas["PoolClass"];
export type PricePoint = Schemas["PricePoint"];
export type Prices = Schemas["Prices"];
export type Depth = Schemas["Depth"];
export type RoundSummary = Schemas["RoundSummary"];
export type Round = Schemas["Round"];
export type Exchange = Schemas["Exchange"];
export type Explanation = Schemas["Explanation"];
export type Fairness = Schemas["Fairness"];
export type FairnessJob = Schemas["Standing"];
export type Offer = Schemas["Offer"];

export type Quote = Schemas["Quote"];
export type Bid = Schemas["Bid"];
export type BidRequest = Schemas["NewBid"];
export type DryRun = Schemas["DryRun"];
export type Job = Schemas["Job"];
export type JobDryRun = Schemas["JobDryRun"];
export type JobPromise = Schemas["Promise"];
export type JobRequest = Schemas["NewJob"];
export type Rental = Schemas["Rental"];
export type RentalRequest = Schemas["CreateRental"];
export type Usage = Schemas["Usage"];

export type Wallet = Schemas["Wallet"];
export type Entry = Schemas["Entry"];
export type Hold = Schemas["Hold"];

export type Provider = Schemas["Provider"];
export type Node = Schemas["Node"];
export type Ask = Schemas["Ask"];
export type Alert = Schemas["Alert"];
export type Overview = Schemas["Overview"];
export type AdminOrganisation = Schemas["OrganisationFunds"];

export type Earnings = Schemas["Earnings"];
export type PoolPolicy = Schemas["UpdatePool"];
export type SharePolicy = Schemas["SharePolicyName"];
export type Tilt = Schemas["TiltName"];
