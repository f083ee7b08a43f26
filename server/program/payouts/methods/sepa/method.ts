import type { Method } from '../method.ts'

/** A file of euro transfers, which an owner uploads at a bank. */
export const sepa: Method = {
  name: 'sepa',
  label: 'SEPA file',
  pays: { kinds: ['iban'], currencies: ['eur'] },
  blockers: [
    {
      code: 'details-rejected',
      ofDetails: true,
      when: 'details-rejected',
      words: {
        owner: ({ rejectedReason }) => `Payout details were rejected${rejectedReason ? `: ${rejectedReason}` : ''}`,
        partner: () => 'Payout details were rejected',
      },
    },
  ],
}
