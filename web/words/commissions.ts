import { formatNumber, formatPlural, toClause, type Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** The words of commission entries. */
export const entryWords = defineWords('entry', 'partner', {
  reasonUntil: ({ reason, date }: { reason: Word; date: Word }) => `${toClause(reason)}, until ${date}`,
  plural: 'commissions',
  none: 'Commissions appear here as sales are recorded.',
  kinds: {
    earned: 'Earned',
    reversal: 'Reversal',
    restoration: 'Restoration',
    adjustment: 'Adjustment',
    bonus: 'Bonus',
  },
  heldParts: 'Not yet payable',
  dueParts: 'Payable',
  comingParts: 'Upcoming',
  payday: 'Payday',
  blocked: 'Waiting',
  columns: {
    booked: 'Booked',
    base: 'Calculated on',
  },
})

/** The words of rates of 0%. */
export const zeroRateWords = defineWords('zero-rate', 'partner', {
  set: 'Set rates',
  account: 'Commission is 0%: partners earn nothing until you set a rate.',
  inherited: 'The account’s rates are 0%. Nothing is earned until you set a rate, here or for the whole account.',
  custom: 'At 0% nothing is earned.',
})

/** The words of commission rates. */
export const commissionWords = defineWords('commission', 'partner', {
  accountDefault: 'Use account default',
  custom: 'Custom rates',
  fromAccount: 'From account settings',
  newSalesOnly: 'Changes apply to new sales only.',
  effect: {
    none: ({ month }: { month: Word }) => `No sales in ${month} use these rates.`,
    what: ({ sales, leads }: { sales: number; leads: number }) =>
      [
        (sales > 0 || leads === 0) && formatPlural(sales, 'sale', `${formatNumber(sales)} sales`),
        leads > 0 && formatPlural(leads, 'lead', `${formatNumber(leads)} leads`),
      ]
        .filter(Boolean)
        .join(' and '),
    more: ({ what, month, amount }: { what: Word; month: Word; amount: Word }) =>
      `With these rates, ${month}’s ${what} would have earned ${amount} more.`,
    less: ({ what, month, amount }: { what: Word; month: Word; amount: Word }) =>
      `With these rates, ${month}’s ${what} would have earned ${amount} less.`,
    same: ({ what, month }: { what: Word; month: Word }) =>
      `With these rates, ${month}’s ${what} would have earned the same.`,
  },
  onExample: ({ amount }: { amount: Word }) => `On ${amount}`,
  layer: ({ number }: { number: Word }) => `Layer ${number}`,
  layerRate: ({ number }: { number: Word }) => `Layer ${number} Rate`,
  layerAmount: ({ number }: { number: Word }) => `Layer ${number} Amount`,
  thisPartner: 'referring partner',
  parentOf: 'parent partner',
  above: ({ count }: { count: Word }) => `${count} above`,
  addLayer: 'Add layer',
  removeLayer: ({ number }: { number: Word }) => `Remove layer ${number}`,
  allLayers: 'All layers',
  fromSubPartners: () => 'For sub-partners’ sales, your rate depends on their commission settings.',
  fromSubPartnersByDefault: ({ rate }: { rate: Word }) =>
    `For sub-partners’ sales, your rate depends on their commission settings. The default is ${rate}.`,
  none: 'No commission',
  solo: ({ rate }: { rate: Word }) => `Solo ${rate}`,
  layered: ({ rates }: { rates: Word }) => `Layered ${rates}`,
})
