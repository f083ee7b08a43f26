import { useState } from 'react'
import { type Import, type ImportKind, undoImport } from '#contract/imports.ts'
import { useCall } from '../../calls.ts'
import { formatShortDateTime } from '../../format.ts'
import { totalsOf } from '../../shared/imports.ts'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { importWords } from '../../words/imports.ts'

/** Undoes an import while that is still possible. */
export function UndoImport({ imported, kind }: { imported: Import; kind: ImportKind }) {
  const { id, created, assigned, undone, totals, undoableUntil } = imported
  const { timeZone } = useAccount()
  const [asking, ask] = useState(false)
  const undo = useCall(undoImport, { onSuccess: () => ask(false) })
  if (undoableUntil === null || Date.parse(undoableUntil) < Date.now()) return null
  return (
    <>
      <Button small onClick={() => ask(true)}>
        {importWords.undo}
      </Button>
      <small className="muted">{importWords.undoUntil({ when: formatShortDateTime(undoableUntil, timeZone) })}</small>
      {asking && (
        <Confirm
          heading={importWords.undo}
          confirm={importWords.undo}
          danger
          call={undo}
          onConfirm={() => undo.mutate({ params: { id } })}
          onClose={() => ask(false)}
        >
          {created > undone && <p>{importWords.undoWhy[kind]({ count: created - undone })}</p>}
          {assigned > 0 && undone === 0 && <p>{importWords.undoWhy.assigned({ count: assigned })}</p>}
          {totals.length > 0 && undone === 0 && <p>{totalsOf(imported)}</p>}
        </Confirm>
      )}
    </>
  )
}
