import { useState } from 'react'
import type { ImportKind, ImportPreview } from '#contract/imports.ts'
import { Button } from '../../ui/Button.tsx'
import { CheckboxField, Select } from '../../ui/fields.tsx'
import { TextInput } from '../../ui/form.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { type Column, PlainTable } from '../../ui/PlainTable.tsx'
import { basicWords } from '../../words/basic.ts'
import { importWords } from '../../words/imports.ts'
import {
  type ImportRow,
  importFieldLabel,
  importRows,
  isFilled,
  isNeeded,
  listTransforms,
  type Transform,
} from './fields.ts'
import styles from './MapColumns.module.css'
import type { Content } from './preview.ts'
import { RunImport } from './RunImport.tsx'

type Props = {
  accountId: string
  content: Content
  /** Pasted people are invited unless the owner decides otherwise; files often move a whole program over first. */
  isPasted: boolean
  isOutdated: boolean
  preview: ImportPreview
  kind: ImportKind
}

/** Maps columns to fields, with sample values next to each; the dry run and the import follow below. */
export function MapColumns({ accountId, content, isPasted, isOutdated, preview, kind }: Props) {
  const [rows, setRows] = useState(() => importRows(kind, preview.mapping))
  const [hidden, hide] = useState(() => unused(preview, kind, rows))
  const shown = rows.filter((row) => !hidden.includes(row.field))
  const [settlePaid, settle] = useState(true)
  const [sendInvitations, invite] = useState(isPasted)
  const change = (next: ImportRow) => setRows(rows.map((row) => (row.field === next.field ? next : row)))
  return (
    <>
      <Panel heading={importWords.mapping}>
        <div className={styles.mapping}>
          <PlainTable
            label={importWords.mapping}
            rows={shown}
            keyOf={({ field }) => field}
            columns={columnsFor(kind, preview, change)}
          />
        </div>
        {hidden.length > 0 && (
          <div className="ruled inset-all">
            <Button small look="quiet" onClick={() => hide([])}>
              {importWords.moreFields}
            </Button>
          </div>
        )}
        {kind === 'sales' && (
          <div className="ruled inset-all">
            <CheckboxField
              id="import-settle"
              name="settlePaid"
              onBlur={() => undefined}
              label={importWords.settlePaid}
              help={importWords.settlePaidHelp}
              value={settlePaid}
              onChange={settle}
            />
          </div>
        )}
        {kind === 'partners' && (
          <div className="ruled inset-all">
            <CheckboxField
              id="import-invite"
              name="sendInvitations"
              onBlur={() => undefined}
              label={importWords.sendInvitations}
              help={importWords.sendInvitationsHelp}
              value={sendInvitations}
              onChange={invite}
            />
          </div>
        )}
      </Panel>
      <RunImport
        // a dry run is valid only for the mapping it was made with
        key={JSON.stringify([rows, settlePaid, sendInvitations])}
        accountId={accountId}
        content={content}
        preview={preview}
        isOutdated={isOutdated}
        kind={kind}
        rows={rows}
        settlePaid={settlePaid}
        sendInvitations={sendInvitations}
      />
    </>
  )
}

/** Returns the fields that nothing is mapped to, once each column has its field: they are only needed for fixed values. */
const unused = ({ columns }: ImportPreview, kind: ImportKind, rows: ImportRow[]) =>
  columns.every((column) => rows.some((row) => row.column === column))
    ? rows.filter((row) => !isFilled(row) && !isNeeded(kind, row.field)).map(({ field }) => field)
    : []

const columnsFor = (
  kind: ImportKind,
  preview: ImportPreview,
  onChange: (row: ImportRow) => void,
): Column<ImportRow>[] => [
  {
    head: importWords.field,
    cell: ({ field }) => {
      const group = isNeeded(kind, field)
      return (
        <>
          {importFieldLabel(field)}
          {group && (
            <p className="muted plain small">{group.length > 1 ? importWords.oneOfThese : importWords.required}</p>
          )}
        </>
      )
    },
  },
  {
    head: importWords.column,
    under: true,
    cell: (row) => {
      const field = importFieldLabel(row.field)
      if (row.transform === 'constant')
        return (
          <TextInput
            id={`import-${row.field}`}
            aria-label={importWords.valueOf({ field })}
            value={row.default}
            maxLength={1000}
            onChange={(value) => onChange({ ...row, default: value })}
          />
        )
      return (
        <Select
          aria-label={importWords.columnOf({ field })}
          value={row.column}
          placeholder={importWords.notImported}
          choices={preview.columns.map((column) => ({ value: column, label: column }))}
          onChange={(column) => onChange({ ...row, column })}
        />
      )
    },
  },
  {
    head: importWords.readAs,
    under: true,
    cell: (row) => (
      <Select<Transform>
        aria-label={importWords.readAsOf({ field: importFieldLabel(row.field) })}
        value={row.transform}
        choices={listTransforms(row).map((value) => ({ value, label: importWords.transforms[value] }))}
        onChange={(transform) => transform && onChange({ ...row, transform })}
      />
    ),
  },
  {
    head: importWords.samples,
    under: true,
    cell: (row) => (
      <div className="muted">{row.transform === 'constant' ? row.default : samplesOf(preview, row.column)}</div>
    ),
  },
]

const SHOWN = 3

/** Returns the column's first distinct non-empty values. */
function samplesOf({ columns, rows }: ImportPreview, column: string | null) {
  if (column === null) return basicWords.absent
  const at = columns.indexOf(column)
  const found = new Set(rows.map((cells) => cells[at] ?? '').filter((cell) => cell.trim() !== ''))
  return [...found].slice(0, SHOWN).map((cell) => (
    <p key={cell} className="ellipsis">
      {cell}
    </p>
  ))
}
