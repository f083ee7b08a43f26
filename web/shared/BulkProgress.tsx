import { type BulkActionKind, cancelBulkAction } from '#contract/bulk-actions.ts'
import { Button } from '../ui/Button.tsx'
import { formatProgress, ProgressBar } from '../ui/ProgressBar.tsx'
import { bulkActionWords } from '../words/bulk-actions.ts'
import { formWords } from '../words/forms.ts'
import { useRunning } from './bulk-actions.ts'

/** The progress of an action of these kinds above the rows it changes; nothing if none is under way, or of a single one. */
export function BulkProgress({ accountId, kinds }: { accountId: string; kinds: readonly BulkActionKind[] }) {
  const running = useRunning(accountId, kinds)
  if (!running || running.total === 1) return null
  const label = bulkActionWords.running[running.action]
  const progress = { done: running.done + running.refused, total: running.total }
  return (
    <div className="panel row inset-all">
      <strong>{label}</strong>
      <span className="rest">
        <ProgressBar label={label} {...progress} />
      </span>
      {formatProgress(progress)}
      <Button small needs={cancelBulkAction} onClick={running.cancel}>
        {formWords.cancel}
      </Button>
    </div>
  )
}
