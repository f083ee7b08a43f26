import type { z } from 'zod'
import { type listImports as call, type Import, type ImportResult, MOST_INVITATIONS } from '#contract/imports.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { listPage } from '../../platform/http/list.ts'
import { notFound } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import { invitationsToPassOn } from '../../program/auth/invitations.ts'
import { partnerNames } from '../../program/partner-directory/partner-names.ts'
import {
  firstLeftOut,
  firstWarnings,
  type ImportKey,
  type ImportRow,
  importById,
  importColumns,
  partnersMade,
} from './queries.ts'

const SHOWN_ROWS = 100
const DAY_MS = 86_400_000

export async function listImports(db: Queryable, accountId: string, query: z.output<typeof call.query & object>) {
  const { items, ...rest } = await listPage<ImportRow>(db, query, {
    columns: importColumns,
    from: sql`imports t`,
    scope: sql`t.account_id = ${accountId}`,
    filters: [query.kind && sql`t.kind = any(${query.kind})`, query.state && sql`t.state = any(${query.state})`],
  })
  return { items: await present(db, accountId, items), ...rest }
}

export async function presentImport(db: Queryable, key: ImportKey): Promise<Import> {
  const row = await importById(db, key)
  if (!row) throw notFound()
  return (await present(db, row.accountId, [row]))[0]!
}

/** Returns an import with the invitations of the partners it created. */
export async function importResult(db: Queryable, install: Install, key: ImportKey): Promise<ImportResult> {
  const shown = await presentImport(db, key)
  const hasPartners = shown.kind === 'partners' && !shown.dryRun && shown.finishedAt && shown.created > shown.undone
  const made = hasPartners ? await partnersMade(db, key, MOST_INVITATIONS) : []
  const partnerIds = made.map(({ id }) => id)
  return { ...shown, invitations: await invitationsToPassOn(db, install, partnerIds) }
}

async function present(db: Queryable, accountId: string, rows: ImportRow[]): Promise<Import[]> {
  const leftOut = await firstLeftOut(
    db,
    accountId,
    rows.filter(({ failed, skipped }) => failed + skipped > 0).map(({ id }) => id),
    SHOWN_ROWS,
  )
  const warned = await firstWarnings(
    db,
    accountId,
    rows.filter(({ created }) => created > 0).map(({ id }) => id),
    SHOWN_ROWS,
  )
  const named = rows.flatMap(({ warnings }) => warnings.map(({ partnerId = null }) => partnerId))
  const names = await partnerNames(db, [accountId], named)
  return rows.map((row) => {
    const { accountId: _, createdBy: __, header: ___, progress: ____, settings, ...shown } = row
    const mine = leftOut.filter(({ importId }) => importId === row.id)
    return {
      ...shown,
      undone: countUndone(row),
      warnings: [
        ...row.warnings.map(({ row, message, partnerId }) => ({
          row,
          message: partnerId
            ? message.replace('{partner}', () => names.get(partnerId) ?? 'a deleted partner')
            : message,
        })),
        ...warned.filter(({ importId }) => importId === row.id).map(({ row, message }) => ({ row, message })),
      ].slice(0, SHOWN_ROWS),
      errors: mine
        .filter(({ outcome }) => outcome === 'failed')
        .map(({ row, field, message }) => ({ row, field, message })),
      skips: mine.filter(({ outcome }) => outcome === 'skipped').map(({ row, message }) => ({ row, message })),
      mapping: 'mapping' in settings ? settings.mapping : null,
      read: 'mapping' in settings ? (settings.read ?? null) : null,
      from: 'from' in settings ? settings.from : null,
      to: 'to' in settings ? settings.to : null,
      undoableUntil: undoableUntil(row),
    }
  })
}

/** Returns the number of undone rows; for the import of a whole file this is the only progress stored. */
export const countUndone = ({ kind, state, created, progress }: ImportRow): number =>
  state === 'undone' ? created : kind === 'past-sales' ? 0 : ((progress as { undone: number } | null)?.undone ?? 0)

/**
 * Returns the end of the undo period, a day after the import ended; null if it created nothing, or it came from a
 * provider.
 */
export function undoableUntil({ kind, dryRun, state, created, assigned, finishedAt }: ImportRow): string | null {
  const isUndoable =
    kind !== 'past-sales' &&
    !dryRun &&
    created + assigned > 0 &&
    (state === 'done' || state === 'canceled' || state === 'failed')
  return isUndoable ? new Date(Date.parse(finishedAt!) + DAY_MS).toISOString() : null
}
