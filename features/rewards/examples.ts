import type { ExamplesOf } from '#contract/examples/example.ts'
import { ids, onlyPage, payout } from '#contract/examples/objects.ts'
import type * as room from './contract.ts'

const reward: room.Reward = {
  id: ids.payout,
  partnerId: ids.partner,
  externalId: 'user_4821',
  as: 'units',
  units: 10,
  unitName: 'credits',
  amount: 10_00,
  currency: 'usd',
  dueOn: '2026-08-10',
  status: 'due',
  givenAt: null,
  reference: null,
}

const customer: room.ReferringCustomer = {
  partnerId: ids.partner,
  displayName: 'Rita Vale',
  externalId: 'user_4821',
  groupId: ids.group,
  groupName: 'Customers',
  state: 'active',
  referred: 3,
  rewards: 2,
  as: 'units',
  units: 20,
  unitName: 'credits',
  amount: 20_00,
  currency: 'usd',
  lastRewardOn: '2026-08-10',
  createdAt: '2026-07-01T09:00:00.000Z',
}

const totals: room.RewardSums[] = [{ as: 'units', unitName: 'credits', count: 1, units: 10, amount: 10_00 }]

const offer: room.OwnOffer = {
  code: 'JANE20',
  percentOff: 20,
  amountOff: null,
  currency: null,
  showFirstName: true,
  reward: { as: 'units', unitName: 'credits', unitValue: 100 },
}

const friend: room.Friend = {
  number: 3,
  joinedOn: '2026-08-02',
  status: 'reward-coming',
  rewardOn: '2026-08-10',
  reason: null,
}

const acknowledged = {
  ...payout,
  method: 'units' as const,
  reward: { as: 'units' as const, units: 10, unitName: 'credits' },
  amount: 10_00,
  payAmount: 10_00,
  status: 'paid' as const,
  externalReference: 'grant_7719',
}

/** The code and the account of the example's offer. */
export const offered = { code: 'jane-w', account: '160RLxwV_yP-' }

export const calls: ExamplesOf<typeof room> = {
  getRewardReport: {
    params: { range: '2026-08-01..2026-08-31' },
    reply: {
      currency: 'usd',
      months: [{ month: '2026-08', earned: 15_00, newCustomers: 2, costPerCustomer: 7_50, given: totals }],
      belowZero: [{ partnerId: ids.partner, partnerName: 'Jane Whitfield', externalId: 'user_4821', balance: -5_00 }],
    },
  },
  getOffer: {
    params: { code: offered.code },
    query: { account: offered.account },
    refused: ['not_found'],
    reply: {
      code: 'JANE20',
      percentOff: 20,
      amountOff: null,
      currency: null,
      providerCodeId: 'promo_1QxJane20',
      from: 'Jane',
    },
  },
  getOwnOffer: { reply: offer },
  listFriends: {
    reply: {
      ...onlyPage(friend),
      rewards: {
        as: 'units',
        unitName: 'credits',
        currency: 'usd',
        given: { count: 1, units: 10, amount: 10_00 },
        onTheirWay: { count: 1, units: 10, amount: 10_00 },
      },
    },
  },
  changeOwnOffer: { body: { showFirstName: true }, reply: offer },
  listRewards: { query: { status: 'due' }, reply: { ...onlyPage(reward), totals } },
  listReferringCustomers: { query: { sort: '-rewards' }, reply: onlyPage(customer) },
  confirmReward: {
    refused: ['already_acknowledged', 'api_key_may_not_acknowledge', 'payout_not_in_units', 'reward_not_approved'],
    body: { reference: 'grant_7719' },
    reply: acknowledged,
  },
}
