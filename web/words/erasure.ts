import { formatNumber, formatPlural, type Word } from '#contract/format.ts'

type Counted = { count: number }
const counted =
  (one: string, many: string) =>
  ({ count }: Counted) =>
    formatPlural(count, `${formatNumber(count)} ${one}`, `${formatNumber(count)} ${many}`)

/** Words of erasing a person. */
export const erasureWords = {
  download: 'Download person file',
  erase: 'Erase person',
  eraseHeading: ({ name }: { name: Word }) => `Erase ${name}`,
  submit: 'Erase',
  stays: 'The figures stay. This can’t be undone.',
  elsewhere:
    'Payment providers and the receivers of your webhooks keep what they have: please erase the person there too.',
  records: ({ date }: { date: Word }) => `Records of payments stay until ${date}.`,
  backups: ({ date }: { date: Word }) => `Backups keep what they hold until ${date}.`,
  unaffected: ({ names }: { names: Word }) => `These have the same email and are not erased: ${names}.`,
  /** Tables of which a person’s rows are counted, as people call them. */
  counts: {
    leads: counted('lead', 'leads'),
    sales: counted('sale', 'sales'),
    refunds: counted('refund', 'refunds'),
    lead_submissions: counted('submission', 'submissions'),
    clicks: counted('click', 'clicks'),
    partners: counted('partner', 'partners'),
    payouts: counted('payout', 'payouts'),
    tax_forms: counted('tax form', 'tax forms'),
    payout_settings: counted('set of payout details', 'sets of payout details'),
    invitations: counted('invitation', 'invitations'),
    other: counted('other record', 'other records'),
  },
  emptied: ({ what }: { what: Word }) =>
    `Names, contact details and texts are removed from ${what}, and from every copy in activity, webhooks and emails.`,
  done: 'The person is being erased.',
  erased: 'Erased people',
  plural: 'erased people',
  none: 'People you erase are listed here by their ids.',
  date: 'Date',
  by: 'By',
  what: 'What',
  types: { lead: 'Lead', partner: 'Partner' },
  recordsUntil: 'Records until',
  backupsUntil: 'In backups until',
  byRetention: 'Retention',
}
