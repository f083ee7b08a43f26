import { z } from 'zod'
import { csvEndpoint } from '#contract/csv.ts'
import { apiLimit, endpoint, rights } from '#contract/endpoint.ts'
import type { Refusals } from '#contract/feature-parts.ts'
import { rewardForms } from '#contract/groups.ts'
import { noRewardReasons } from '#contract/leads.ts'
import { Payout, payoutCall } from '#contract/payouts.ts'
import {
  Amount,
  anyId,
  anyOf,
  DateOnly,
  EnteredInstant,
  Id,
  Instant,
  listQuery,
  MOST_OF_CODE,
  pageSchema,
  RangeParams,
  requiredText,
} from '#contract/values.ts'

/**
 * `pending`: earned, not in an approved payout yet. `due`: approved, to be given now. `failed`: it could not be given, or
 * came back; a person decides.
 */
export const rewardStates = ['pending', 'due', 'given', 'failed'] as const

/**
 * A reward that a customer has earned by referrals: an approved payout, or what becomes due to them on one day, which has no `id`.
 * `externalId` is the customer’s id in your system, `amount` the cost in minor units of `currency`; `units` and
 * `unitName` are null unless they are given as units. `reference` is that of its acknowledgement.
 */
export const Reward = z
  .object({
    id: Id.nullable(),
    partnerId: Id,
    externalId: z.string().nullable(),
    as: z.enum(rewardForms),
    units: z.int().nullable(),
    unitName: z.string().nullable(),
    amount: Amount,
    currency: z.string(),
    dueOn: DateOnly,
    status: z.enum(rewardStates),
    givenAt: Instant.nullable(),
    reference: z.string().nullable(),
  })
  .meta({ id: 'Reward' })
export type Reward = z.infer<typeof Reward>

/** Sums over all pages: one for money, and one for each name of units. `units` is null for money. */
export const RewardSums = z
  .object({
    as: z.enum(rewardForms),
    unitName: z.string().nullable(),
    count: z.int(),
    units: z.int().nullable(),
    amount: Amount,
  })
  .meta({ id: 'RewardSums' })
export type RewardSums = z.infer<typeof RewardSums>

export const listRewards = endpoint('listRewards', 'GET /accounts/:id/rewards', {
  summary: 'List the rewards of customers; since is the time of their last change',
  allow: [...rights.read, 'rewards'],
  limit: apiLimit,
  subject: 'account',
  query: listQuery({ status: anyOf(rewardStates), partnerId: anyId, since: EnteredInstant.optional() }),
  reply: pageSchema(Reward).extend({ totals: z.array(RewardSums) }),
})

export const downloadRewards = csvEndpoint(listRewards, {
  summary: 'Download the rewards of customers',
  file: 'rewards',
})

export const customerStates = ['active', 'suspended', 'archived'] as const

/**
 * A partner in a group of customers. `referred` are their leads, `rewards` those given, which cost `amount` together and
 * are `units` of the group; `lastRewardOn` is the day of the newest.
 */
export const ReferringCustomer = z
  .object({
    partnerId: Id,
    displayName: z.string(),
    externalId: z.string().nullable(),
    groupId: Id,
    groupName: z.string(),
    state: z.enum(customerStates),
    referred: z.int(),
    rewards: z.int(),
    as: z.enum(rewardForms),
    units: z.int().nullable(),
    unitName: z.string().nullable(),
    amount: Amount,
    currency: z.string(),
    lastRewardOn: DateOnly.nullable(),
    createdAt: Instant,
  })
  .meta({ id: 'ReferringCustomer' })
export type ReferringCustomer = z.infer<typeof ReferringCustomer>

export const listReferringCustomers = endpoint('listReferringCustomers', 'GET /accounts/:id/referring-customers', {
  summary: 'List customers who refer customers, with what they were given',
  allow: rights.read,
  limit: apiLimit,
  subject: 'account',
  fromReplica: true,
  query: listQuery({ groupId: anyId, state: anyOf(customerStates) }, ['name', 'referred', 'rewards', 'lastRewardOn']),
  reply: pageSchema(ReferringCustomer),
})

export const downloadReferringCustomers = csvEndpoint(listReferringCustomers, {
  summary: 'Download all customers who refer customers',
  file: 'customers',
})

/** `reference` is the transaction in your system that granted the units. */
export const RewardAcknowledgement = z.strictObject({ reference: requiredText(100).optional() })
export type RewardAcknowledgement = z.infer<typeof RewardAcknowledgement>

export const confirmReward = endpoint('confirmReward', 'POST /payouts/:id/acknowledgement', {
  summary: 'Acknowledge that the units of an approved payout were granted; the same again changes nothing',
  ...payoutCall,
  allow: [...rights.pay, 'rewards'],
  body: RewardAcknowledgement,
  reply: Payout,
})

/** How a customer is given what they earn; `unitValue` is the value of one unit in minor units of the account’s currency. */
export const OfferedReward = z
  .object({ as: z.enum(rewardForms), unitName: z.string().nullable(), unitValue: Amount.nullable() })
  .meta({ id: 'OfferedReward' })
export type OfferedReward = z.infer<typeof OfferedReward>

/**
 * The offer behind a customer’s link: `code` is the promotion code made for them, at the provider `providerCodeId`, which
 * Stripe Checkout takes as `discounts[0][promotion_code]`. `amountOff` is in minor units of `currency`. `from` is the
 * customer’s first name, if they show it.
 */
export const Offer = z
  .object({
    code: z.string(),
    percentOff: z.number().nullable(),
    amountOff: Amount.nullable(),
    currency: z.string().nullable(),
    providerCodeId: z.string(),
    from: z.string().nullable(),
  })
  .meta({ id: 'Offer' })
export type Offer = z.infer<typeof Offer>

export const getOffer = endpoint('getOffer', 'GET /offers/:code', {
  summary: 'Retrieve the offer behind a customer’s referral or promotion code; a page of any site may ask',
  allow: ['public'],
  fromAnyPage: true,
  limit: { perMinute: 60, by: 'network' },
  params: z.strictObject({ code: z.string().max(MOST_OF_CODE) }),
  query: z.strictObject({ account: z.string().max(64).optional() }),
  reply: Offer,
})

/**
 * The offer that a customer makes to their friends: the promotion code made for them, null without one, and its discount,
 * `amountOff` in minor units of `currency`. `showFirstName`: friends read the customer’s first name with it. `reward` is null
 * unless the partner is a customer.
 */
export const OwnOffer = z
  .object({
    code: z.string().nullable(),
    percentOff: z.number().nullable(),
    amountOff: Amount.nullable(),
    currency: z.string().nullable(),
    showFirstName: z.boolean(),
    reward: OfferedReward.nullable(),
  })
  .meta({ id: 'OwnOffer' })
export type OwnOffer = z.infer<typeof OwnOffer>

export const getOwnOffer = endpoint('getOwnOffer', 'GET /partners/:id/offer', {
  summary: 'Retrieve what a partner offers to friends',
  allow: [...rights.read, ...rights.partner, 'partners'],
  inPortal: true,
  limit: apiLimit,
  subject: 'partner',
  reply: OwnOffer,
})

export const OwnOfferChange = z.strictObject({ showFirstName: z.boolean() })
export type OwnOfferChange = z.infer<typeof OwnOfferChange>

export const changeOwnOffer = endpoint('changeOwnOffer', 'PUT /partners/:id/offer', {
  summary: 'Show a partner’s first name to friends, or don’t',
  allow: [...rights.partner, 'partners'],
  inPortal: true,
  limit: apiLimit,
  subject: 'partner',
  body: OwnOfferChange,
  reply: OwnOffer,
})

/**
 * `reward-coming`: earned, and given on `rewardOn`, which is null once that day has passed and a person decides.
 * `no-reward` has a `reason`.
 */
export const friendStates = ['signed-up', 'paid', 'reward-coming', 'reward-given', 'no-reward'] as const

/** Reasons without a reward: a `known` friend is another partner’s, and a `rejected` one was taken out. */
export const noRewardsForFriends = [...noRewardReasons, 'known', 'rejected'] as const

/** Someone whom a customer referred, by their number alone: the first one is 1. */
export const Friend = z
  .object({
    number: z.int(),
    joinedOn: DateOnly,
    status: z.enum(friendStates),
    rewardOn: DateOnly.nullable(),
    reason: z.enum(noRewardsForFriends).nullable(),
  })
  .meta({ id: 'Friend' })
export type Friend = z.infer<typeof Friend>

/** The rewards of a customer by now: those given, and those on their way, less what refunds took back of those given. */
export const FriendRewards = z
  .object({
    as: z.enum(rewardForms),
    unitName: z.string().nullable(),
    currency: z.string(),
    given: z.object({ count: z.int(), units: z.int().nullable(), amount: Amount }),
    onTheirWay: z.object({ count: z.int(), units: z.int().nullable(), amount: Amount }),
  })
  .meta({ id: 'FriendRewards' })
export type FriendRewards = z.infer<typeof FriendRewards>

export const listFriends = endpoint('listFriends', 'GET /partners/:id/friends', {
  summary: 'List the friends whom a customer referred, by number, with what the customer gets for them',
  allow: [...rights.read, ...rights.partner, 'partners'],
  inPortal: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'partner',
  query: listQuery({}),
  reply: pageSchema(Friend).extend({ rewards: FriendRewards.nullable() }),
})

export const downloadFriends = csvEndpoint(listFriends, {
  summary: 'Download a customer’s friends, by number',
  file: 'friends',
})

/**
 * Rewards of a month: `given` by form and unit, `earned` net of what refunds took back, and `newCustomers` who first paid.
 * `costPerCustomer` is what was earned for each of them, in minor units, null without any.
 */
export const RewardMonth = z
  .object({
    month: z.string(),
    earned: Amount,
    newCustomers: z.int(),
    costPerCustomer: z.int().nullable(),
    given: z.array(RewardSums),
  })
  .meta({ id: 'RewardMonth' })

/** `belowZero` are the customers who lost more by refunds than they earned since, the lowest balance first. */
export const RewardReport = z
  .object({
    currency: z.string(),
    months: z.array(RewardMonth),
    belowZero: z.array(
      z.object({ partnerId: Id, partnerName: z.string(), externalId: z.string().nullable(), balance: z.int() }),
    ),
  })
  .meta({ id: 'RewardReport' })
export type RewardReport = z.infer<typeof RewardReport>

export const getRewardReport = endpoint('getRewardReport', 'GET /accounts/:id/reports/:range/rewards', {
  summary: 'Report the rewards of customers by month and form, what a new customer costs, and balances below zero',
  allow: rights.read,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  params: RangeParams,
  reply: RewardReport,
})

export const refusals = {
  already_acknowledged: ['invalid_state', 'This payout was already acknowledged with reference {{reference}}.'],
  reward_not_approved: ['invalid_state', 'A payout that is {{status}} can’t be acknowledged.'],
  payout_not_in_units: ['invalid_state', 'Only a payout that is given as units is acknowledged.'],
} as const satisfies Refusals

/** In the reference its calls follow those of this group. */
export const listedAfter = 'payouts'
