/** The variable with the folder that `collect.ts` writes to. */
export const folderOfStatements = 'STATEMENTS_FOLDER'

/** A statement as it was sent, and its source file in the product; a named one may be planned for any values. */
export type Statement = { text: string; from: string; isNamed: boolean; samples: Sample[] }

/** The statement's values, and the time of the test's clock. */
export type Sample = { at: string; values: Value[] }
export type Value = string | null | { bytes: string }

/** The statements of a process, and the tests that it ran. */
export type Collected = { tests: string[]; statements: Statement[] }

/** Diagnostics channel on which a lane announces the test file that it runs next. */
export const testFiles = 'tributary:test-file'

/** Diagnostics channel on which a test's clock announces itself. */
export const clocks = 'tributary:test-clock'

/** Files that every statement passes through, so they do not identify its origin. */
const PASSED_ON = [
  'server/platform/database/pool.ts',
  'server/platform/database/table.ts',
  'server/platform/database/time-statement.ts',
  'server/platform/http/list.ts',
]

/** A migration runs once, and limits how much it reads at a time by itself. */
const MIGRATIONS = 'server/platform/database/apply-migration.ts'

/** Origin of statements in a transaction, whose client runs them one by one: the stack no longer shows the caller. */
export const IN_TRANSACTION = 'a transaction'

/**
 * Returns the nearest file of the product in a call's stack; undefined for a statement that a test or a migration
 * sends.
 */
export function writtenIn(stack: string, root: string): string | undefined {
  const files = stack
    .split(root)
    .slice(1)
    .map((rest) => rest.slice(0, rest.search(/:\d/)))
    .filter((file) => !file.startsWith('test/plans/') && !file.startsWith('node_modules/'))
  const isTest = (file: string) => file.startsWith('test/') || file.endsWith('.test.ts')
  const product = files.find((file) => !isTest(file) && !PASSED_ON.includes(file))
  if (product === MIGRATIONS) return undefined
  return product ?? (files.some(isTest) ? undefined : IN_TRANSACTION)
}

/** Ids in the large account by the column that references them. */
export type Large = Record<string, string>

const anId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const aTime = /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00(?::00)?))?(?![\d-])/g

/**
 * Replaces values by those of the large account and its things: each value that a column of `large` is compared with,
 * and any other mention of the same account, such as in a search pattern. Times are as far from `now` as they were from
 * the test's clock.
 */
export function inLargeAccount(
  text: string,
  { at, values }: Sample,
  large: Large,
  now: Date,
): (string | Buffer | null)[] {
  const instead = new Map<string, string>()
  for (const [, column, place] of text.matchAll(/\b(\w+_id)\s*=\s*(?:any\s*\(\s*)?\$(\d+)/gi)) {
    const value = values[Number(place) - 1]
    if (typeof value !== 'string') continue
    for (const id of value.match(anId) ?? []) if (large[column!]) instead.set(id, large[column!]!)
  }
  const ahead = now.getTime() - new Date(at).getTime()
  const then = (time: string) => {
    const moved = new Date(new Date(time).getTime() + ahead)
    if (Number.isNaN(moved.getTime())) return time
    return moved.toISOString().slice(0, time.length === 10 ? 10 : undefined)
  }
  return values.map((value) => {
    if (value !== null && typeof value !== 'string') return Buffer.from(value.bytes, 'hex')
    return value?.replace(anId, (id) => instead.get(id) ?? id).replace(aTime, then) ?? null
  })
}

export type Node = {
  'Node Type': string
  'Plan Rows'?: number
  'Relation Name'?: string
  'Index Name'?: string
  Filter?: string
  Plans?: Node[]
}

/** A plan's nodes, those below each included. */
export const listNodes = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(listNodes)]

/** Rows of one query, such as those of a file, from which reading a whole table may be the fastest way. */
const MANY_ROWS = 5000

/** Returns those of these tables that a plan reads whole; a partition counts as its table. */
export function findScans(plan: Node, large: ReadonlyMap<string, string>): string[] {
  if (plan['Node Type'] === 'Limit' && (plan['Plan Rows'] ?? 0) >= MANY_ROWS) return []
  const read = listNodes(plan).filter((node) => node['Node Type'] === 'Seq Scan')
  return [...new Set(read.flatMap((node) => large.get(node['Relation Name'] ?? '') ?? []))]
}

export const listIndexes = (plan: Node): string[] => listNodes(plan).flatMap((node) => node['Index Name'] ?? [])
