import type { Scan } from './planned.ts'

/** Statements that may read these tables whole (none named: any), by the file or by words they hold, and why. */
type Exception = { from?: string; words?: string; tables?: string[]; because: string }

const OWED = ['commission_entries', 'payout_entries', 'payouts', 'partners', 'payout_settings', 'sales']

const exceptions: readonly Exception[] = [
  { from: 'server/integrations/data-transfer/', because: 'an export reads every row of an account' },
  { words: 'select count(*) as rows from', because: 'an export says how many rows it holds' },
  {
    words: 'from commission_entries t left join',
    tables: OWED,
    because:
      'what partners are owed follows from their entries; of all partners, or of one with most of them, it reads all',
  },
  {
    from: 'server/program/commissions/present-entries.ts',
    tables: ['payouts'],
    because: 'of a partner with most entries, a page finds their payouts faster by reading them once',
  },
  {
    from: 'server/program/dashboard/dashboard.ts',
    tables: ['partners', 'sales'],
    because: 'whether there is any ends at the first one',
  },
  {
    from: 'server/program/partners/list-partners.ts',
    tables: ['partners'],
    because: 'an index by revenue would be written by each sale; there are thousands of partners, not millions',
  },
  {
    from: 'server/program/tax-years/list-tax-year.ts',
    tables: ['partners', 'payouts'],
    because: 'a tax year adds up every partner',
  },
  {
    words: 'select coalesce(sum(amount), 0)::bigint as approved from payouts',
    tables: ['payouts'],
    because: 'once a run of automatic payouts',
  },
  {
    words: 'select statement_number as number from payouts',
    tables: ['payouts'],
    because: 'only after an older copy of the database was restored',
  },
  {
    words: 'update payouts set looks_refused',
    tables: ['payouts'],
    because: 'only when an owner connects automatic payouts anew',
  },
  { words: 'as sealed, coalesce(', tables: ['payouts'], because: 'once a file of results of a batch' },
]

export const isAllowed = (scan: Scan) => exceptions.some((exception) => covers(exception, scan))

/** Exceptions that none of these needs. */
export const unneeded = (scans: Scan[]) => exceptions.filter((one) => !scans.some((scan) => covers(one, scan)))

const covers = ({ from, words, tables }: Exception, scan: Scan) =>
  (from === undefined || scan.from.startsWith(from)) &&
  (words === undefined || scan.text.replace(/\s+/g, ' ').includes(words)) &&
  (tables === undefined || tables.includes(scan.table))
