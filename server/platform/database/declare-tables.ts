import type { z } from 'zod'
import type { Subject } from '#contract/endpoint.ts'
import type { Sql } from './sql.ts'

/** The forms of values, by column. */
export type Shapes = Readonly<Record<string, z.ZodType>>

/** Whose a personal value is. */
export type PersonKind = 'lead' | 'partner' | 'user'

/**
 * Personal columns, and their value afterwards in SQL of row `t`: an empty or a made-up one, unchanged by emptying
 * again. `deleted`: the row goes whole, because nothing hangs on it. `untilRecordsEnd`: a record of a payment, which
 * stays as long as the books must.
 */
export type Personal = {
  of: PersonKind
  columns: readonly string[]
  becomes: string
  how: 'emptied' | 'deleted' | 'untilRecordsEnd'
}

export const splitNames = (names: string) => names.trim().split(/\s+/)
export const emptyColumns = (of: PersonKind, columns: string, becomes = 'null'): Personal => ({
  of,
  columns: splitNames(columns),
  becomes,
  how: 'emptied',
})
export const deleteRow = (of: PersonKind, columns: string): Personal => ({
  of,
  columns: splitNames(columns),
  becomes: 'null',
  how: 'deleted',
})
export const removeWithRecords = (of: PersonKind, columns: string): Personal => ({
  of,
  columns: splitNames(columns),
  becomes: 'null',
  how: 'untilRecordsEnd',
})

/**
 * A table's place on several machines, in Citus's terms, with the reason: everywhere (a reference table, written on
 * each machine at once), or in one place (a table of the first machine).
 */
export type Place = { where: 'everywhere' | 'in one place'; because: string }

/** For a small table that is read by statements about any account, and so cannot be placed with one. */
export const placeEverywhere = (because: string): Place => ({ where: 'everywhere', because })
/** For a table that belongs to no account, or is a queue from which any free worker takes. */
export const placeOnFirst = (because: string): Place => ({ where: 'in one place', because })

/** The way in which an account’s rows of a table leave with it: as a file for each table. */
export type Exported = {
  /** A view with the same columns, read instead of the table. */
  view?: string
  /** The first columns of its file; the others follow in the table's order, so that a new one is the last. */
  first?: readonly string[]
  /** Columns that are not exported, by the reason. Sealed and hashed ones never are. */
  stays?: Readonly<Record<string, readonly string[]>>
  /** Total order of the file's rows, stable between installs; by id if omitted. */
  order?: string
  /** Condition for the account's rows of `t`; by `account_id` if omitted. */
  scope?: (accountId: string) => Sql
  /** Values set on import instead of the file's, or beside them; `r` is the row of the file, with the table's types. */
  arrives?: (now: Date) => Readonly<Record<string, Sql>>
  /** Columns that refer to rows of these tables without the database enforcing that they are the account's. */
  names?: Readonly<Record<string, readonly string[]>>
  /** Rows read at once, if they are large. */
  atOnce?: number
  /** A column that refers to a row of the same table, which is written first. */
  after?: string
  /** Rows with the same value in this column are written by one statement: the database checks their sum. */
  together?: string
  /** The form of its texts, lists and JSON; those of a few words that the database knows need none. */
  shapes?: Shapes
  /** Exported for people only; the reason that an import skips it. */
  leftByImport?: string
}

/** Reasons why a table or a column is not exported. */
export const SECRET = 'a secret'
export const BANK = 'bank details'
export const LOGIN = 'a login of this install'
export const NAME = 'names that lead to this install alone'
export const MACHINE = 'how this install works on it right now'

/** Rows with the body of a request, of up to 256 kB, that are exported at once. */
export const OF_BODIES = 16
/** Such rows that are searched for a person at once. */
export const SEARCHED_BODIES = 40

/** The references of a table of figures. */
export const figureReferences = { partner_id: ['partners'], blueprint_id: ['link_blueprints'] }

/** Values by which copies of a person are found in texts that no id links. */
export type Search = {
  /** E-mails, phones and external ids that no other text is likely to equal. */
  values: string[]
  /** All other external ids, such as '1001', which an amount or another thing's number may equal. */
  ids: string[]
  /** Names, for the account's mails alone: other people may share them. */
  names: string[]
}

/** Objects of an erased person, and the values that name them elsewhere. */
export type Traces = { accountId: string; search: Search } & (
  | {
      type: 'lead'
      leadIds: string[]
      saleIds: string[]
      refundIds: string[]
      providerIds: string[]
      /** Partners and applications with one of their addresses, which are erased on their own. */
      otherIds: string[]
    }
  /** `unusedEmails`: those of their addresses that no user had at `readAt`. */
  | { type: 'partner'; partnerId: string; payoutIds: string[]; unusedEmails: string[]; readAt: Date }
)
export type LeadTraces = Extract<Traces, { type: 'lead' }>
export type PartnerTraces = Extract<Traces, { type: 'partner' }>

/** Conditions that a column's text names the person: by a value or an id, by a name too, or by any sought value. */
export type TextMatcher = {
  says(text: string): Sql
  saysOrNames(text: string): Sql
  saysOne(sought: Pick<Search, 'values' | 'ids'>): (text: string) => Sql
}

/**
 * The rows `t` of a table with something of the person. `scanned`: found by text alone, so that the table is read in
 * pages by its key. `waiting`: rows that are still worked on, which stay until then.
 */
export type ErasedRows = {
  /** By `id` if omitted. */
  key?: [column: string, type: string][]
  which: Sql
  /** The rows about no one else, for the person's file; all if omitted. */
  own?: Sql
  scanned?: true
  /** Rows of a scanned table read at once, if they are large. */
  atOnce?: number
  waiting?: Sql
  /** Its rows belong to no account. */
  ofNoAccount?: true
}
type Erased<T extends Traces> = (traces: T, texts: TextMatcher) => ErasedRows | ErasedRows[]

/** Everything that the product must know of a table besides its schema. */
export type TableFacts = {
  /** Its columns with nothing personal. */
  columns: string
  personal?: readonly Personal[]
  /** With its account if omitted. */
  place?: Place
  /** The object that `:id` names in a path, if it is a row of this table that the whole team reads. */
  subject?: Subject
  /** How its rows leave with an account, or the reason why they stay. */
  exported: Exported | true | string
  /** The rows that an erasure of a person empties. */
  erased?: { lead?: Erased<LeadTraces>; partner?: Erased<PartnerTraces> }
  /** The condition that a row `t` belongs to an erased person by an id, for the check that nothing of them is left. */
  ofErased?: { [Person in PersonKind]?: Sql }
}

const declared = new Map<string, TableFacts>()

/** Declares the tables of a feature. Throws if another declares one of them. */
export function declareTables(tables: Record<string, TableFacts>): void {
  for (const [name, facts] of Object.entries(tables)) {
    if (declared.has(name)) throw new Error(`two features declare the table ${name}`)
    declared.set(name, facts)
  }
}

/** Returns all tables, in the order of the features. Throws before `server/tables.ts` has been imported. */
export function listTables(): ReadonlyMap<string, TableFacts> {
  if (declared.size === 0) throw new Error('no table is declared: import server/tables.ts')
  return declared
}

const factsOf = (table: string) => {
  const facts = listTables().get(table)
  if (!facts) throw new Error(`no feature declares the table ${table}`)
  return facts
}

/** Returns the personal columns of a table that are emptied, each with its value afterwards. */
export const listEmptied = (table: string, person: PersonKind): [column: string, becomes: string][] =>
  (factsOf(table).personal ?? [])
    .filter(({ of, how }) => of === person && how === 'emptied')
    .flatMap(({ columns, becomes }) => columns.map((column): [string, string] => [column, becomes]))

/** Returns all personal columns of a table, of any person, each once. */
export const listPersonal = (table: string): string[] => [
  ...new Set((factsOf(table).personal ?? []).flatMap(({ columns }) => columns)),
]

/** Returns all columns of a table: first those with nothing personal. */
export const listColumns = (table: string): string[] => [...splitNames(factsOf(table).columns), ...listPersonal(table)]

/** Returns the table whose rows are this subject. Throws if no feature declares it. */
export function findSubjectTable(subject: Subject): string {
  for (const [table, facts] of listTables()) if (facts.subject === subject) return table
  throw new Error(`no table is declared for ${subject}`)
}
