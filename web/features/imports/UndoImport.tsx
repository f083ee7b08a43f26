import { type Import, type ImportKind, undoImport } from '#contract/imports.ts'
import { formatShortDateTime } from '../../format.ts'
import { formatTotals } from '../../shared/imports.ts'
import { useAccount } from '../../shell/current.ts'
import { defineAction } from '../../ui/act.tsx'
import { exposeAction } from '../../ui/actions.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { importWords } from '../../words/imports.ts'

type Props = { imported: Import; kind: ImportKind }

/** Undoes an import while that is still possible. */
export function UndoImport({ imported, kind }: Props) {
  const { undoableUntil } = imported
  const { timeZone } = useAccount()
  const may = usePermission()
  if (!may(undoImport) || undoableUntil === null || Date.parse(undoableUntil) < Date.now()) return null
  return (
    <>
      <ActButton small act={Undo} of={{ imported, kind }} />
      <small className="muted">{importWords.undoUntil({ when: formatShortDateTime(undoableUntil, timeZone) })}</small>
    </>
  )
}

const Undo = exposeAction(
  defineAction(undoImport, ({ imported, kind }: Props) => {
    const { id, created, assigned, undone, totals } = imported
    return {
      heading: importWords.undo,
      send: { params: { id } },
      why: (
        <>
          {created > undone && <p>{importWords.undoWhy[kind]({ count: created - undone })}</p>}
          {assigned > 0 && undone === 0 && <p>{importWords.undoWhy.assigned({ count: assigned })}</p>}
          {totals.length > 0 && undone === 0 && <p>{formatTotals(imported)}</p>}
        </>
      ),
    }
  }),
  { label: importWords.undo, danger: true },
)
