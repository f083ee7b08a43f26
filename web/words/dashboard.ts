import { formatNumber, formatPlural, type Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** The words of the dashboards. */
export const dashboardWords = defineWords('dashboard', 'partner', {
  attention: 'Needs attention',
  downloadCsv: 'Download CSV',
  file: 'dashboard.csv',
  moneyChart: 'Revenue, share and profit',
  countChart: 'Leads and sales',
  yourFigures: 'Your figures',
  charts: 'Charts',
  topPartners: 'Top partners',
  topLinks: 'Top links',
  latestSales: 'Latest sales',
  today: 'Today',
  toAccount: ({ digits }: { digits: Word }) => `to ••${digits}`,
  nextPayouts: 'Next payouts',
  payday: ({ count, date, amount }: { count: number; date: Word; amount: Word }) =>
    formatPlural(
      count,
      `${date} · ${amount} · ${formatNumber(count)} commission`,
      `${date} · ${amount} · ${formatNumber(count)} commissions`,
    ),
  morePaydays: ({ count }: { count: number }) =>
    formatPlural(count, `Show ${count} more payday`, `Show ${count} more paydays`),
  waiting: 'Waiting',
  waitingWhy: 'Paid once the above is resolved.',
  nextYears: ({ amount }: { amount: Word }) => `Payable in January: ${amount}.`,
  nextYearsWhy: ({ account }: { account: Word }) =>
    `${account} approves partners once a year; you don’t need to do anything.`,
  nothingComing: 'Your earnings appear here with the day they’ll be paid.',
  yourLink: 'Your link',
  copyLink: 'Copy link',
  allLinks: 'All links and codes',
  yourLinks: 'Your links',
  showQr: ({ name }: { name: Word }) => `Show QR code for ${name}`,
  moreLinks: 'Show more links',
  linksEarnNothing: {
    suspended: 'Your account is suspended. Visitors still reach the page, but you get no credit for their purchases.',
    archived:
      'You’re no longer in this program. Visitors still reach the page, but you get no credit for their purchases.',
  },
  yourLinksHelp: 'Share any of these. Counts are all-time.',
  yourPromotionCodes: 'Your promotion codes',
  getPromotionCode: 'Get a promotion code',
  promotionCodeOffer: 'A code for you to hand out. Sales with it are credited to you.',
  promotionCodeWaiting: 'Your code is being made. It will appear here shortly.',
  yourPromotionCodesHelp: 'Sales with these codes are credited to you.',
  copyPromotionCode: ({ code }: { code: Word }) => `Copy promotion code ${code}`,
  morePromotionCodes: 'Show more codes',
  noSales: 'Sales appear here once the first one is recorded.',
  noPartners: 'Partners appear here with their first sale.',
  noLinks: 'Links appear here with their first click.',
  noOwnLinks: 'Your links appear here once the company adds one.',
  note: ({ timeZone }: { timeZone: Word }) => `Times are in ${timeZone}. Refunds count on the day of the refund.`,
  linkClicks: ({ count }: { count: number }) =>
    formatPlural(count, `${formatNumber(count)} click`, `${formatNumber(count)} clicks`),
  linkLeads: ({ count }: { count: number }) =>
    formatPlural(count, `${formatNumber(count)} lead`, `${formatNumber(count)} leads`),
  linkSales: ({ count }: { count: number }) =>
    formatPlural(count, `${formatNumber(count)} sale`, `${formatNumber(count)} sales`),
  noLead: 'Unattributed',
  compare: 'Compare with previous',
  revenueOf: ({ range }: { range: Word }) => `Revenue, ${range}`,
  newPartners: ({ count }: { count: number }) =>
    formatPlural(count, `${formatNumber(count)} new`, `${formatNumber(count)} new`),
  noneYet: 'Your figures appear here once partners bring leads and sales.',
})

/** The items that need the owner's attention, by kind. */
export const attentionWords = {
  'open-objections': ({ count }: { count: number }) =>
    formatPlural(
      count,
      `${formatNumber(count)} objection to an invoice`,
      `${formatNumber(count)} objections to invoices`,
    ),
  'open-objections_why': ({ count }: { count: number }) =>
    formatPlural(count, 'Correct the invoice, or close it', 'Correct the invoices, or close them'),
  'open-claims': ({ count }: { count: number }) =>
    formatPlural(
      count,
      `${formatNumber(count)} claim of a missing sale`,
      `${formatNumber(count)} claims of missing sales`,
    ),
  'open-claims_why': ({ count }: { count: number }) =>
    formatPlural(count, 'Accept or decline it', 'Accept or decline them'),
  stake: ({ amount }: { amount: Word }) => `${amount} in total`,
  'waiting-applications': ({ count }: { count: number }) =>
    formatPlural(count, `${formatNumber(count)} application waiting`, `${formatNumber(count)} applications waiting`),
  'waiting-applications_oldest': ({ waiting, age }: { waiting: Word; age: Word }) => `${waiting}, oldest ${age}`,
  'waiting-applications_why': ({ count }: { count: number }) =>
    formatPlural(count, 'Approve or reject it', 'Approve or reject them'),
  'unanswered-leads': ({ count }: { count: number }) =>
    formatPlural(
      count,
      `${formatNumber(count)} lead awaiting a response`,
      `${formatNumber(count)} leads awaiting a response`,
    ),
  'unanswered-leads_why': () => 'New for more than 48 hours',
  'blocked-payouts': ({ count }: { count: number }) =>
    formatPlural(count, `${formatNumber(count)} payout to act on`, `${formatNumber(count)} payouts to act on`),
  'blocked-payouts_why': ({ count }: { count: number }) =>
    formatPlural(
      count,
      'Approve it, or clear what it’s waiting for',
      'Approve them, or clear what they’re waiting for',
    ),
  'unhealthy-provider': ({ count }: { count: number }) =>
    formatPlural(
      count,
      `${count} payment provider reported a problem`,
      `${count} payment providers reported a problem`,
    ),
  'unhealthy-provider_why': () => 'Check the connection',
  'unhealthy-provider_named': ({ provider }: { provider: Word }) => `${provider} reported a problem`,
  'unhealthy-provider_last': ({ ago }: { ago: Word }) => `Last event ${ago}`,
  'failing-webhook': ({ count }: { count: number }) =>
    formatPlural(count, `${count} outgoing webhook is failing`, `${count} outgoing webhooks are failing`),
  'failing-webhook_why': () => 'Deliveries are being rejected',
  'incoming-webhook-conflict': ({ count }: { count: number }) =>
    formatPlural(
      count,
      `${count} incoming webhook takes different people for one`,
      `${count} incoming webhooks take different people for one`,
    ),
  'incoming-webhook-conflict_named': ({ value }: { value: Word }) =>
    `External ID “${value}” is the same for different people`,
  'incoming-webhook-conflict_why': () => 'Choose another field',
  'unattributed-leads': ({ count }: { count: number }) =>
    formatPlural(count, `${formatNumber(count)} unattributed lead`, `${formatNumber(count)} unattributed leads`),
  'unattributed-leads_why': ({ count }: { count: number }) =>
    formatPlural(count, 'Assign it to a partner', 'Assign them to a partner'),
  'open-cases': ({ count }: { count: number }) =>
    formatPlural(
      count,
      `${formatNumber(count)} case of possible fraud`,
      `${formatNumber(count)} cases of possible fraud`,
    ),
  'open-cases_why': ({ count }: { count: number }) => formatPlural(count, 'Review it', 'Review them'),
  'sales-on-hold': ({ count }: { count: number }) =>
    formatPlural(count, `${formatNumber(count)} sale on hold`, `${formatNumber(count)} sales on hold`),
  'sales-on-hold_why': ({ count }: { count: number }) =>
    formatPlural(count, 'Release or void it', 'Release or void them'),
}
