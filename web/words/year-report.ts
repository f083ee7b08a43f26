import { formatNumber, formatPlural, type Word } from '#contract/format.ts'

/** The words of the year report, a tab of the payouts. */
export const yearReportWords = {
  heading: 'Year report',
  threshold: ({ year }: { year: Word }) => `Threshold for ${year}`,
  byLaw: 'IRS threshold for 1099-NEC',
  ownThreshold: 'Set for this account',
  noThreshold: 'None',
  changeThreshold: 'Change threshold',
  thresholdWhy: ({ year }: { year: Word }) =>
    `Partners who were paid this much or more in ${year} are marked. What PayPal paid doesn’t count: PayPal reports it. No forms are filed for you.`,
  thresholdField: 'Threshold',
  thresholdHelp: ({ amount }: { amount: Word }) => `Leave empty to use ${amount}.`,
  thresholdHelpNone: 'Leave empty for none.',
  thresholdSaved: 'Threshold saved',
  plural: 'partners',
  approved: 'Approved',
  paid: 'Paid',
  reportable: 'Reportable',
  rewards: 'Rewards',
  rewardsWhy: 'Rewards can be taxable. Ask your adviser.',
  several: 'Several',
  over: 'Over threshold',
  formsMissing: ({ count }: { count: number }) => `${formatNumber(count)} needed`,
  noForm: 'No form',
  states: { 'on-file': 'On file', expired: 'Expired', missing: 'Missing' },
  toApprove: 'To approve',
  empty: 'Payments to each partner in the year appear here, with approval and tax form.',

  approve: ({ year }: { year: Word }) => `Approve for ${year}`,
  allApproved: ({ year }: { year: Word }) => `All selected partners are already approved for ${year}`,
  remove: ({ year }: { year: Word }) => `Remove approval for ${year}`,

  waiting: ({ count, year }: { count: number; year: Word }) =>
    formatPlural(
      count,
      `${formatNumber(count)} partner isn’t approved for ${year} yet and can’t be paid from January 1.`,
      `${formatNumber(count)} partners aren’t approved for ${year} yet and can’t be paid from January 1.`,
    ),
  review: 'Review list',
  approveAll: ({ count, year }: { count: number; year: Word }) => `Approve ${formatNumber(count)} for ${year}`,
  approveAllWhy: ({ count, last }: { count: number; last: Word }) =>
    formatPlural(
      count,
      `This approves the ${formatNumber(count)} partner who was approved for ${last} or still has money to be paid. Suspended partners are excluded.`,
      `This approves the ${formatNumber(count)} partners who were approved for ${last} or still have money to be paid. Suspended partners are excluded.`,
    ),
}
