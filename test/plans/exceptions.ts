import type { PlanResult, Scan } from './planned.ts'

/** Statements that may read these tables whole (none named: any), by the file or by words they contain, and why. */
export type Exception = { from?: string; words?: string; tables?: string[]; because: string }

const OWED = [
  'commission_entries',
  'payout_entries',
  'payouts',
  'partners',
  'payout_settings',
  'sales',
  'total_stats',
  'users',
]

const exceptions: readonly Exception[] = [
  { from: 'server/integrations/data-transfer/', because: 'an export reads every row of an account' },
  { words: 'select count(*) as rows from', because: 'an export says how many rows it holds' },
  {
    from: 'server/program/stats/months.ts',
    tables: ['sales', 'commission_entries'],
    because: 'an imported account’s months are added up once, from all of it',
  },
  {
    from: 'server/program/terms/earned-months.ts',
    tables: ['sales', 'commission_entries', 'month_stats'],
    because: 'an account’s months are counted anew once, with its first cap per month',
  },
  {
    from: 'server/program/accounting/',
    tables: ['commission_entries', 'payout_cash', 'partners', 'payouts'],
    because: 'what was owed on a day follows from everything recorded until then; nothing is rolled up',
  },
  {
    words: '(owed - later)::bigint as due',
    tables: ['commission_entries', 'payout_cash', 'partners'],
    because: 'what was owed on a day follows from everything recorded until then; nothing is rolled up',
  },
  {
    from: 'features/announcements/server/queries.ts',
    words: 'insert into announcement_readers',
    because: 'an announcement may be for every partner',
  },
  {
    from: 'server/program/payouts/given-names.ts',
    words: 'select count(*) as partners',
    tables: ['partners'],
    because: 'after a restore, once an account',
  },
  {
    from: 'server/program/payouts/jobs.ts',
    words: 'for share',
    tables: ['partners'],
    because: 'a payday pays every partner who is due',
  },
  { from: 'server/program/stats/verify', because: 'verify-ledger computes everything anew' },
  {
    from: 'features/rewards/server/report-rewards.ts',
    tables: ['commission_entries', 'leads', 'payout_cash', 'payouts', 'partners'],
    because: 'a report of rewards adds up the entries of all customers; nothing is rolled up',
  },
  {
    from: 'features/reports/server/add-up.ts',
    words: 'from clicks c cross join',
    tables: ['clicks'],
    because: 'the visits of a day are read once for its reports, from the months that may hold them',
  },
  {
    words: 't.webhook_id = $3 and t.state = $4 limit $5',
    tables: ['outgoing_deliveries'],
    because: 'a thousand at most are counted of one webhook',
  },
  {
    words: 'webhook_id = $3 limit $4',
    tables: ['outgoing_deliveries'],
    because: 'all deliveries of a deleted webhook go, thousands at a time',
  },
  {
    words: 'from commission_entries t left join',
    tables: OWED,
    because:
      'what partners are owed follows from their entries; of all partners, or of one with most of them, it reads all',
  },
  {
    words: "update sales set credit = jsonb_set(credit, '{line}'",
    tables: ['sales'],
    because:
      'only when a partner is deleted who had sub-partners or visits, but has no history; an index of lines would be written by each sale',
  },
  {
    from: 'server/program/accounts/queries.ts',
    tables: ['sales', 'commission_entries', 'payouts'],
    because: 'whether there is any ends at the first one',
  },
  {
    from: 'server/program/partners/list-partners.ts',
    tables: ['partners', 'total_stats', 'user_roles'],
    because:
      'an index by revenue would be written by each sale, and whether somebody joined stands with the roles; there are thousands of partners, not millions',
  },
  {
    from: 'server/program/links/queries.ts',
    tables: ['partners', 'total_stats'],
    because: 'sorted by figures, as partners by revenue',
  },
  {
    from: 'server/program/leads/list-leads.ts',
    tables: ['leads', 'lead_stats'],
    because: 'an index by revenue would be written by each sale',
  },
  {
    from: 'server/program/sales/revenue-lines.ts',
    tables: ['sales', 'commission_entries'],
    because:
      'an index by link or provider would be written by each sale; of what is rare a page looks at all, and totals of what is filtered add up all of it',
  },
  {
    words: 'found limit',
    tables: ['leads'],
    because: 'a search that many leads match ends at two thousand of them',
  },
  {
    from: 'server/program/sales/present-sales.ts',
    tables: ['sales'],
    because: 'an index by amount or provider would be written by each sale',
  },
  {
    from: 'server/program/sales/sale-filters.ts',
    tables: ['sales', 'leads'],
    because:
      'a search for one letter has no trigram; of what thousands of leads are called, their sales are read at once',
  },
  {
    from: 'server/program/activity/list-audit.ts',
    words: 'select count(*) as count',
    tables: ['events'],
    because: 'how many there are at all is counted',
  },
  {
    from: 'server/program/links/links.ts',
    words: 'select count(*) as count',
    tables: ['partners'],
    because: 'how many there are at all is counted',
  },
  {
    from: 'server/program/agreement/queries.ts',
    words: 'last_accepted',
    tables: ['partners'],
    because: 'those who wait to accept are counted among all partners; there are thousands, not millions',
  },
  {
    from: 'features/tax-years/server/list-tax-year.ts',
    tables: ['partners', 'payouts'],
    because: 'a tax year adds up every partner',
  },
  {
    from: 'features/tax-years/server/nec-file.ts',
    tables: ['partners', 'payouts'],
    because: 'the form file of a tax year adds up every partner',
  },
  {
    from: 'server/program/payment-files/known.ts',
    words: 'pay_amount = any(',
    tables: ['payouts'],
    because: 'only rows of a results file without references are looked for by amount',
  },
  {
    from: 'server/integrations/mail/log.ts',
    tables: ['mails'],
    because: 'only administrators search the log, and an index for it would be written by each mail',
  },
  {
    from: 'server/program/auth/erase-users.ts',
    tables: ['mails'],
    because: 'mails to a user of any account are found by their address when an operator erases them, which is rare',
  },
  {
    from: 'server/program/privacy/steps.ts',
    because: 'copies of an erased person that no id links are found by reading all, once, page by page',
  },
  {
    from: 'server/program/payouts/payouts.ts',
    words: 'as paid_this_year',
    tables: ['payouts'],
    because: 'the number and sum of all paid payouts: thousands, not millions',
  },
  {
    from: 'server/platform/http/page-with-totals.ts',
    words: 'o.statement_number',
    tables: ['payouts'],
    because: 'the totals of a list of payouts add up all that it shows: thousands, not millions',
  },
  {
    from: 'server/program/payouts/reconciliation/compare.ts',
    tables: ['payouts'],
    because: 'only after an older copy of the database was restored',
  },
  {
    words: 'insert into untold_entries',
    tables: ['commission_entries'],
    because: 'the first run of an account reads all its entries, later ones those of an hour',
  },
  {
    words: 'update payouts set looks_refused',
    tables: ['payouts'],
    because: 'only when an owner connects automatic payouts anew',
  },
  {
    words: 'select ctid from sessions where coalesce(ended_at, expires_at) <',
    tables: ['sessions'],
    because: 'once an hour; an index for it would be written by each sign-in and sign-out',
  },
  {
    words: ' < $1 order by created_at limit $2)',
    tables: ['clicks', 'lead_submissions', 'outgoing_deliveries'],
    because: 'the oldest lie first, and where none is old enough the index by age says so',
  },
]

/** Indexes that no plan over these rows uses, and the reasons to have them. */
const kept: Readonly<Record<string, string>> = {
  events_first_to_forget: 'forget_events() looks by it, a function whose plans are not seen',
  leads_by_source: 'leads of a source that few come from; here all bring as many',
  outgoing_deliveries_by_age: 'far smaller than the index by webhook, which is read whole for it while there are few',
  referral_codes_by_partner: 'deleting a partner',
}

export const aboutIndexes = (unused: string[]): string[] => {
  const names = (some: string[]) => some.join(', ') || 'none'
  const unexplained = unused.filter((name) => !(name in kept))
  return [
    `Indexes that no plan uses: ${names(unexplained)}`,
    `Indexes that no plan uses and that stay all the same: ${names(unused.filter((name) => name in kept))}`,
  ]
}

/** Returns the problem of each statement: a forbidden scan, or no plan at all. */
export function complaintsAbout({ scans, unplanned }: PlanResult): string[] {
  const wrong = Map.groupBy(
    scans.filter((scan) => !isAllowed(scan)),
    (scan) => scan.text,
  )
  return [
    ...unplanned.entries().map(([text, why]) => `Cannot be planned (${why}):\n${text.trim()}`),
    ...wrong.entries().map(([text, some]) => {
      const read = new Set(some.map(({ table, way }) => `${table} ${way}`))
      return `${some[0]!.from} reads ${[...read].join(', ')} whole:\n${text.trim()}`
    }),
  ]
}

const isAllowed = (scan: Scan) => exceptions.some((exception) => covers(exception, scan))

/** Exceptions that no scan needs. */
export const findUnneeded = (scans: Scan[]): string[] =>
  exceptions.flatMap((one) =>
    scans.some((scan) => covers(one, scan)) ? [] : `The exception for ${one.from ?? one.words} is needed by nothing.`,
  )

const covers = ({ from, words, tables }: Exception, scan: Pick<Scan, 'table' | 'text' | 'from'>) =>
  (from === undefined || scan.from.startsWith(from)) &&
  (words === undefined || scan.text.replace(/\s+/g, ' ').includes(words)) &&
  (tables === undefined || tables.includes(scan.table))
