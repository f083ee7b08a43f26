import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { encodings } from '#contract/file-text.ts'
import { formatNumber } from '#contract/format.ts'
import { createImport, type Import, type ImportKind, type ImportPreview } from '#contract/imports.ts'
import { oldPrograms } from '#contract/old-links.ts'
import { useCall } from '../../calls.ts'
import { formatDate } from '../../format.ts'
import { ImportProgress } from '../../shared/ImportProgress.tsx'
import { importQuery, isMoving } from '../../shared/imports.ts'
import { Button } from '../../ui/Button.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Message } from '../../ui/Message.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { type Column, PlainTable } from '../../ui/PlainTable.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { importWords } from '../../words/imports.ts'
import { findMissing, type ImportRow, importFieldLabel, toMapping } from './fields.ts'
import { InvitationLinks } from './InvitationLinks.tsx'
import type { Content } from './preview.ts'
import { UndoImport } from './UndoImport.tsx'

type Props = {
  accountId: string
  content: Content
  preview: ImportPreview
  /** Pasted rows that were edited since: neither checked nor imported. */
  isOutdated: boolean
  kind: ImportKind
  rows: ImportRow[]
  settlePaid: boolean
  sendInvitations: boolean
}

/** Runs the dry run first, then the import. */
export function RunImport(props: Props) {
  const { accountId, content, preview, isOutdated, kind, rows, settlePaid, sendInvitations } = props
  const [checkedId, setChecked] = useState<string | null>(null)
  const [importedId, setImported] = useState<string | null>(null)
  const [pressed, press] = useState(0)
  const check = useCall(createImport, { onSuccess: ({ id }) => setChecked(id) })
  const run = useCall(createImport, { onSuccess: ({ id }) => setImported(id) })
  const lacking = findMissing(kind, rows)
  const body = {
    kind,
    ...content,
    format: preview.format,
    mapping: toMapping(rows),
    headerRow: preview.headerRow,
    ...(preview.sheet !== null && { sheet: preview.sheet }),
    ...(kind === 'sales' && { settlePaid }),
    ...(kind === 'partners' && { sendInvitations }),
  }
  function send(dryRun: boolean) {
    // an import that was undone or did not finish no longer blocks the next
    setImported(null)
    ;(dryRun ? check : run).mutate({ params: { id: accountId }, body: { ...body, dryRun } })
  }
  function checkFile() {
    press(pressed + 1)
    if (lacking.length === 0) send(true)
  }
  const checked = useFollowed(checkedId)
  const imported = useFollowed(importedId)
  const shown = imported ?? checked
  const wouldDo = checked?.state === 'done' ? checked.created + checked.assigned : undefined
  const isOver = imported && ['undone', 'canceled', 'failed'].includes(imported.state)
  const error = run.error ?? check.error
  const cannot = isOutdated && importWords.changedPasted
  return (
    <Panel className="stack gap-3 inset-all">
      {pressed > 0 && lacking.length > 0 && (
        <Message kind="error" answers={pressed}>
          {lacking.join(' ')}
        </Message>
      )}
      {error && <Message kind="error">{explainRefusal(error)}</Message>}
      {shown && (
        <ImportProgress imported={shown} label={shown.dryRun ? importWords.checking : importWords.importing}>
          {imported && <Next imported={imported} kind={kind} />}
        </ImportProgress>
      )}
      {shown?.dryRun && !isMoving(shown) && <Understood {...shown} />}
      {imported && imported.invitations.length > 0 && <InvitationLinks of={imported.invitations} />}
      {wouldDo === 0 && !imported && <p>{importWords.nothing}</p>}
      {(!imported || isOver) && (
        <div className="row">
          {checked && wouldDo && !imported && (
            <Button look="primary" busy={run.busy} cannot={cannot} onClick={() => send(false)}>
              {checked.created === 0
                ? importWords.assignThem({ count: checked.assigned })
                : importWords.importThem[kind]({ count: checked.created })}
            </Button>
          )}
          <Button look={checked ? 'secondary' : 'primary'} busy={check.busy} cannot={cannot} onClick={checkFile}>
            {importWords.check}
          </Button>
        </div>
      )}
      {shown && (
        <>
          <LeftOut name={importWords.errors} rows={shown.errors} count={shown.failed} fields>
            {importWords.firstErrors({ count: shown.errors.length })}
          </LeftOut>
          <LeftOut name={importWords.skips} rows={shown.skips} count={shown.skipped}>
            {importWords.firstSkips({ count: shown.skips.length })}
          </LeftOut>
        </>
      )}
    </Panel>
  )
}

/** How a file was understood, for people to compare it with what they see in theirs. */
function Understood({ read, total }: Pick<Import, 'read' | 'total'>) {
  if (!read || total === null) return null
  const { columns, headerRow, sheet, encoding, days } = read
  const name = encodings.find((one) => one === encoding)
  const facts: Fact[] = [
    { label: importWords.rows, value: formatNumber(total) },
    { label: importWords.columns, value: formatNumber(columns) },
    sheet && { label: importWords.sheet, value: sheet },
    headerRow > 1 && { label: importWords.headerRow, value: importWords.countedFrom({ row: headerRow }) },
    name && { label: importWords.encoding, value: importWords.encodings[name] },
    ...days.map(({ column, written, day }) => ({
      label: importWords.daysOf({ column }),
      value: importWords.dayRead({ written, day: formatDate(day) }),
    })),
  ]
  return <Facts beside label={importWords.understood} facts={facts} />
}

const useFollowed = (id: string | null) => useQuery({ ...importQuery(id ?? ''), enabled: id !== null }).data

/** Links to the imported rows and to the setting for their old links, and the button that undoes the import. */
function Next({ imported, kind }: { imported: Import; kind: ImportKind }) {
  const view = importWords.view[kind]
  if (imported.created + imported.assigned === 0 || imported.state === 'undone') return null
  return (
    <>
      {kind === 'partners' && (
        <LinkButton small to="/partners">
          {view}
        </LinkButton>
      )}
      {kind === 'leads' && (
        <LinkButton small to="/leads">
          {view}
        </LinkButton>
      )}
      {kind === 'sales' && (
        <LinkButton small to="/leads" search={{ tab: 'sales' }}>
          {view}
        </LinkButton>
      )}
      {kind === 'payouts' && (
        <LinkButton small to="/payouts" search={{ tab: 'paid' }}>
          {view}
        </LinkButton>
      )}
      {kind === 'partners' && imported.format && imported.format in oldPrograms && (
        <LinkButton small to="/account/settings" search={{ tab: 'attribution', program: imported.format }}>
          {importWords.oldLinks}
        </LinkButton>
      )}
      <UndoImport imported={imported} kind={kind} />
    </>
  )
}

type RowLeftOut = { row: number; field?: string | null; message: string }

const fieldColumn: Column<RowLeftOut> = {
  head: importWords.field,
  cell: ({ field }) => (field ? importFieldLabel(field) : basicWords.absent),
}

type LeftOutProps = {
  name: string
  rows: readonly RowLeftOut[]
  /** The total, which can exceed the rows listed. */
  count: number
  /** Each message is about one field of its row. */
  fields?: boolean
  /** The hint shown if not all rows are listed. */
  children: string
}

/** Rows that created nothing, with the reason. */
function LeftOut({ name, rows, count, fields = false, children }: LeftOutProps) {
  if (rows.length === 0) return null
  return (
    <div className="stack gap-2">
      <h3>{name}</h3>
      {count > rows.length && <p className="muted">{children}</p>}
      <PlainTable
        label={name}
        rows={rows}
        keyOf={({ row }) => String(row)}
        columns={[
          { head: importWords.row, cell: ({ row }) => row },
          ...(fields ? [fieldColumn] : []),
          {
            head: fields ? importWords.problem : fieldWords.reason,
            cell: ({ message }) => <span className="wrap">{message}</span>,
          },
        ]}
      />
    </div>
  )
}
