import { formatNumber, formatPlural, type Word } from '#contract/format.ts'

/** Payouts that two people approve. */
export const twoApprovalsWords = {
  label: 'Require two approvals above the limit per payout',
  help: 'Owners and finance. Approvals by new members count after 72 hours.',
  from: ({ date, change }: { date: Word; change: Word }) => `From ${date}: ${change}.`,
  most: ({ limit }: { limit: Word }) => `Limit per Payout ${limit}`,
  noMost: 'no Limit per Payout',
  one: 'one person approves',
  withdraw: 'Withdraw',

  firstApprovals: 'First approvals',
  approvedFirst: ({ names }: { names: Word }) => `Approved first by ${names}.`,
  needMore: ({ count }: { count: number }) =>
    formatPlural(
      count,
      `${formatNumber(count)} payout approved first. Another owner or person in finance needs to approve it too.`,
      `${formatNumber(count)} payouts approved first. Another owner or person in finance needs to approve them too.`,
    ),
  adjusted:
    'Automatic payouts skip it: the person who adjusted it, or made a part of it due early, may not approve payouts.',
  second: 'Payouts above Limit per Payout need two approvals.',
  approvedByTwo: ({ first, second }: { first: Word; second: Word }) => `${first} and ${second}`,
}
