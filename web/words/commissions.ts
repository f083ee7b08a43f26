import { formatNumber, formatPlural, toClause, type Word } from './plural.ts'

/** The words of commission entries. */
export const entryWords = {
  adjustment: ({ reason }: { reason: Word }) => `Adjustment: ${reason}`,
  bonus: ({ reason }: { reason: Word }) => `Bonus: ${reason}`,
  refundOf: ({ sale }: { sale: Word }) => `Refund of ${sale}`,
  disputeOf: ({ sale }: { sale: Word }) => `Dispute over ${sale}`,
  voidOf: ({ sale }: { sale: Word }) => `Reversal of ${sale}`,
  restored: ({ sale }: { sale: Word }) => `Restored: ${sale}`,
  saleOf: ({ date }: { date: Word }) => `Sale on ${date}`,
  theSaleOf: ({ date }: { date: Word }) => `the sale on ${date}`,
  theSale: 'the sale',
  paidFor: { 'qualified-lead': 'Paid for a qualified lead', 'new-customer': 'Paid for a new customer' },
  reversedFor: { 'qualified-lead': 'Reversal for a qualified lead', 'new-customer': 'Reversal for a new customer' },
  restoredFor: { 'qualified-lead': 'Restored for a qualified lead', 'new-customer': 'Restored for a new customer' },
  reasonUntil: ({ reason, date }: { reason: Word; date: Word }) => `${toClause(reason)}, until ${date}`,
  leadHidden: 'Another partner’s lead',
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
  blocked: 'Can’t be paid yet',
  columns: {
    booked: 'Booked',
    base: 'Calculated on',
  },
}

/** The words of rates of 0%. */
export const zeroRateWords = {
  set: 'Set rates',
  account: 'Commission is 0%: partners earn nothing until you set a rate.',
  inherited: 'The account’s rates are 0%. Nothing is earned until you set a rate, here or for the whole account.',
  custom: 'At 0% nothing is earned.',
}

/** The words of commission rates. */
export const commissionWords = {
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
  youEarn: ({ rate }: { rate: Word }) => `You earn ${rate} of each sale.`,
  youEarnByDefault: ({ rate }: { rate: Word }) => `You earn ${rate} of each sale, unless a link has its own rate.`,
  youEarnNothing: 'No commission is set for your sales.',
  fromSubPartners: () => 'For sub-partners’ sales, your rate depends on their commission settings.',
  fromSubPartnersByDefault: ({ rate }: { rate: Word }) =>
    `For sub-partners’ sales, your rate depends on their commission settings. The default is ${rate}.`,
  none: 'No commission',
  solo: ({ rate }: { rate: Word }) => `Solo ${rate}`,
  layered: ({ rates }: { rates: Word }) => `Layered ${rates}`,
}
