import { getImport, type Import, listImports } from '#contract/imports.ts'
import { apiQuery, listQuery, type SearchOf } from '../calls.ts'
import { formatMoney } from '../format.ts'
import { importProgressWords } from '../words/import-progress.ts'

/** Milliseconds between reads while an import runs. */
const MOVING_MS = 1000

export const isMoving = ({ state }: Pick<Import, 'state'>) =>
  state === 'waiting' || state === 'running' || state === 'undoing'

/** One import, polled while it runs. */
export const importQuery = (id: string) => ({
  ...apiQuery(getImport, { params: { id } }),
  refetchInterval: ({ state: { data } }: { state: { data?: Import | undefined } }) =>
    data && isMoving(data) ? MOVING_MS : false,
})

/** A page of an account's imports, polled while one of them runs. */
export const importsQuery = (accountId: string, search: SearchOf<typeof listImports>) => ({
  ...listQuery(listImports, { params: { id: accountId }, search }),
  refetchInterval: ({ state: { data } }: { state: { data?: { items: Import[] } | undefined } }) =>
    data?.items.some(isMoving) ? MOVING_MS : false,
})

const amountsOf = (totals: Import['totals']) =>
  totals.map(({ amount, currency }) => formatMoney(amount, currency)).join(', ')

/** Formats 'Total: $98,120.00'. */
export const formatTotals = ({ totals }: Pick<Import, 'totals'>) =>
  importProgressWords.totals({ amounts: amountsOf(totals) })

/**
 * Returns the effects of an import other than created rows: 'Settled as paid: $200.00, 3 leads assigned to a partner';
 * empty if there are none.
 */
export const formatSideEffects = ({ settled, assigned, dryRun }: Pick<Import, 'settled' | 'assigned' | 'dryRun'>) =>
  [
    ...(settled.length > 0 ? [importProgressWords.settled({ amounts: amountsOf(settled) })] : []),
    ...(assigned > 0
      ? [(dryRun ? importProgressWords.wouldAssign : importProgressWords.assigned)({ count: assigned })]
      : []),
  ].join(', ')
