import type { Found, Scan } from './planned.ts'

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

/** Indexes that no plan over these rows uses, and why they stay. */
const kept: Readonly<Record<string, string>> = {}

export const aboutIndexes = (unused: string[]) => {
  const unexplained = unused.filter((name) => !(name in kept))
  return `Indexes that no plan uses: ${unexplained.join(', ') || 'none'}; those that stay all the same: ${Object.keys(kept).join(', ')}`
}

/** What is wrong with each statement: it reads what it should not, or cannot be planned at all. */
export function complaintsAbout({ scans, unplanned }: Found): string[] {
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

/** Exceptions that none of these needs. */
export const unneeded = (scans: Scan[]): string[] =>
  exceptions.flatMap((one) =>
    scans.some((scan) => covers(one, scan)) ? [] : `The exception for ${one.from ?? one.words} is needed by nothing.`,
  )

const covers = ({ from, words, tables }: Exception, scan: Scan) =>
  (from === undefined || scan.from.startsWith(from)) &&
  (words === undefined || scan.text.replace(/\s+/g, ' ').includes(words)) &&
  (tables === undefined || tables.includes(scan.table))
