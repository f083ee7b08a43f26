import { useState } from 'react'
import { type Import, undoImport } from '#contract/imports.ts'
import { useCall } from '../../calls.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { t } from '../../words.ts'

/** Takes an import back, while that can be done. */
export function UndoImport({ imported: { id, undoableUntil } }: { imported: Import }) {
  const [asking, ask] = useState(false)
  const undo = useCall(undoImport, { onSuccess: () => ask(false) })
  if (undoableUntil === null || Date.parse(undoableUntil) < Date.now()) return null
  return (
    <>
      <Button small onClick={() => ask(true)}>
        {t('importData.undo')}
      </Button>
      {asking && (
        <Confirm
          heading={t('importData.undo')}
          confirm={t('importData.undo')}
          danger
          call={undo}
          onConfirm={() => undo.mutate({ params: { id } })}
          onClose={() => ask(false)}
        >
          {t('importData.undoWhy')}
        </Confirm>
      )}
    </>
  )
}
