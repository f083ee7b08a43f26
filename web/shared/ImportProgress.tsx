import { type ReactNode, useEffect, useRef } from 'react'
import { formatNumber } from '#contract/format.ts'
import { cancelImport, downloadImportErrors, type Import } from '#contract/imports.ts'
import { useCall, useRefresh } from '../calls.ts'

import { Button } from '../ui/Button.tsx'
import { DownloadButton } from '../ui/DownloadButton.tsx'
import { downloadFile } from '../ui/download.ts'
import { explainRefusal } from '../ui/form.tsx'
import { Message } from '../ui/Message.tsx'
import { formatProgress, ProgressBar } from '../ui/ProgressBar.tsx'
import { formWords } from '../words/forms.ts'
import { importProgressWords } from '../words/import-progress.ts'
import { formatSideEffects, formatTotals, isMoving } from './imports.ts'
import { StatusBadge } from './StatusBadge.tsx'

type Props = {
  /** The import as last read; its screen follows it with `importQuery` or `importsQuery`. */
  imported: Import
  /** The name of its progress bar. */
  label: string
  /** Shown once it has succeeded, instead of the counts of created, skipped and failed rows. */
  result?: ReactNode
  /** Actions shown once it has ended. */
  children?: ReactNode
}

type EndState = Exclude<Import['state'], 'waiting' | 'running' | 'undoing'>

/** The progress of an import, with a way to stop it; once it has ended, its result. */
export function ImportProgress({ imported, label, result, children }: Props) {
  const moving = isMoving(imported)
  const refresh = useRefresh()
  const wasMoving = useRef(moving)
  // lists read before do not have the rows it created
  useEffect(() => {
    if (wasMoving.current && !moving) void refresh()
    wasMoving.current = moving
  }, [moving, refresh])
  return (
    <div className="stack gap-2">
      {moving ? (
        <Moving imported={imported} label={label} />
      ) : (
        <Ended imported={imported} result={result}>
          {children}
        </Ended>
      )}
    </div>
  )
}

function Moving({ imported: { id, state, done, total, reason }, label }: Pick<Props, 'imported' | 'label'>) {
  const cancel = useCall(cancelImport)
  // the progress of an undo is not counted
  const far = { done, total: state === 'undoing' ? null : total }
  const says = stateMessage(state, reason) ?? formatProgress(far)
  return (
    <>
      <ProgressBar label={label} {...far} says={says} />
      <div className="row between">
        <span>{says}</span>
        {state !== 'undoing' && (
          <Button small needs={cancelImport} busy={cancel.busy} onClick={() => cancel.mutate({ params: { id } })}>
            {formWords.cancel}
          </Button>
        )}
      </div>
      {reason && <p className="muted small">{reason}</p>}
      {cancel.error && <Message kind="error">{explainRefusal(cancel.error)}</Message>}
    </>
  )
}

function stateMessage(state: Import['state'], reason: string | null) {
  if (state === 'undoing') return importProgressWords.undoing
  return state === 'waiting' && !reason ? importProgressWords.waiting : undefined
}

function Ended({ imported, result, children }: Omit<Props, 'label'>) {
  const { state, dryRun, reason, failed, totals, undone, warnings } = imported
  const besides = formatSideEffects(imported)
  return (
    <>
      <div className="row">
        {!(dryRun && state === 'done') && <StatusBadge of="import" status={state as EndState} />}
        <p>{state === 'done' && result ? result : whatBecame(imported)}</p>
      </div>
      {totals.length > 0 && !result && undone === 0 && <p className="muted">{formatTotals(imported)}</p>}
      {besides && undone === 0 && <p className="muted">{besides}</p>}
      {warnings.length > 0 && state === 'done' && <Warnings warnings={warnings} />}
      {reason && <Message kind={state === 'failed' ? 'error' : 'warning'}>{reason}</Message>}
      {(failed > 0 || children) && (
        <div className="row">
          {children}
          {failed > 0 && <Errors id={imported.id} />}
        </div>
      )}
    </>
  )
}

const SHOWN_WARNINGS = 10

const Warnings = ({ warnings }: Pick<Import, 'warnings'>) => (
  <Message kind="warning">
    <ul aria-label={importProgressWords.warnings} className="stack gap-1">
      {warnings.slice(0, SHOWN_WARNINGS).map(({ row, message }) => (
        <li key={`${row} ${message}`}>{row === null ? message : importProgressWords.ofRow({ row, message })}</li>
      ))}
    </ul>
    {warnings.length > SHOWN_WARNINGS && <p>{importProgressWords.firstWarnings({ count: SHOWN_WARNINGS })}</p>}
  </Message>
)

/** Returns '1,190 created, 12 skipped, 3 failed'. */
function whatBecame({ state, dryRun, created, undone, skipped, failed }: Import): string {
  if (dryRun && state !== 'done') return importProgressWords.nothingImported
  return [
    undone > 0 && undone < created
      ? importProgressWords.remain({ count: created - undone, created: formatNumber(created) })
      : created > 0
        ? importProgressWords[state === 'undone' ? 'takenBack' : madeOf(dryRun)]({ count: created })
        : nothing(dryRun),
    ...(skipped > 0 ? [importProgressWords.skipped({ count: skipped })] : []),
    ...(failed > 0 ? [importProgressWords.failed({ count: failed })] : []),
  ].join(', ')
}

const madeOf = (dryRun: boolean) => (dryRun ? 'wouldCreate' : 'created')
const nothing = (dryRun: boolean) =>
  dryRun ? importProgressWords.wouldCreateNothing : importProgressWords.createdNothing

const Errors = ({ id }: { id: string }) => (
  <DownloadButton
    small
    fallback="import-errors.csv"
    load={() => downloadFile(downloadImportErrors, { params: { id } })}
  >
    {importProgressWords.downloadErrors}
  </DownloadButton>
)
