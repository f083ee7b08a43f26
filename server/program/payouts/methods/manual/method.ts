import { blockerPhrases } from '#contract/blocker-phrases.ts'
import type { Method } from '../method.ts'

/** Manual: the owner pays by any means and marks the payout as paid. */
export const manual: Method = {
  name: 'manual',
  label: 'Manual',
  pays: { kinds: 'any', currencies: 'any' },
  blockers: [
    {
      code: 'payouts-not-configured',
      soft: true,
      when: 'nothing-on',
      words: {
        owner: () => 'No payout method is connected: approve it and pay manually',
        partner: () => blockerPhrases.notSetUp,
      },
    },
    {
      code: 'no-method',
      soft: true,
      when: 'out-of-reach',
      words: {
        owner: () => 'None of your payout methods reaches these payout details: approve it and pay manually',
        partner: () => blockerPhrases.notAutomatic,
      },
    },
  ],
}
