import type { Method } from '../method.ts'

/** By hand: the owner pays by any means and marks the payout as paid. */
export const manual: Method = {
  name: 'manual',
  blockers: [
    {
      code: 'payouts-not-configured',
      soft: true,
      when: 'always',
      words: {
        owner: () => 'No payout method is connected: approve it and pay manually',
        partner: () => 'Payouts are not set up yet',
      },
    },
  ],
}
