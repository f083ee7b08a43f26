import { formatNumber, formatPlural, type Word } from '#contract/format.ts'

/** Words of how long data is kept. */
export const retentionWords = {
  heading: 'How long data is kept',
  rawDataDays: 'Keep Raw Data for (days)',
  rawDataHelp:
    'Submissions of leads are deleted, payloads of webhooks and payment providers emptied. From 7 to 400; payloads are kept for at most 30.',
  idleLeadMonths: 'Erase Leads without a Sale after (months)',
  idleHelp:
    'From 3 to 60 without any change, note or submission, and never while protected for a partner. Leave empty to never erase them.',
  payeeYears: 'Keep Payees’ Names for (years)',
  payeeHelp:
    'In records of payments to erased partners, after the year of the last payment. From 0 to 12. Invoices keep them for at least 10 years.',
  nextNight: 'From the next night',
  rawDataGoes: 'Raw data deleted',
  leadsGo: 'Leads erased',
  namesGo: 'Names removed, if last paid',
  before: ({ date }: { date: Word }) => `Before ${date}`,
  months: ({ months }: { months: number }) =>
    formatPlural(months, `After ${formatNumber(months)} month`, `After ${formatNumber(months)} months`),
  never: 'Never',
  effect: 'Figures, sales and payouts stay. What was deleted can’t be brought back.',
}
