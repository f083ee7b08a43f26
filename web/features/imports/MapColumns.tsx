import { useState } from 'react'
import type { ImportKind, ImportPreview } from '#contract/imports.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Select } from '../../ui/fields.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { basicWords } from '../../words/basic.ts'
import { importWords } from '../../words/imports.ts'
import {
  type ImportRow,
  importFieldLabel,
  importRows,
  isFilled,
  isNeeded,
  type Transform,
  transformsOf,
} from './fields.ts'
import styles from './Imports.module.css'
import { RunImport } from './RunImport.tsx'

type Props = {
  accountId: string
  csv: string
  /** Pasted people are invited unless the owner decides otherwise; files often move a whole program over first. */
  isPasted: boolean
  preview: ImportPreview
  kind: ImportKind
}

/** Maps columns to fields, with sample values next to each; the dry run and the import follow below. */
export function MapColumns({ accountId, csv, isPasted, preview, kind }: Props) {
  const [rows, setRows] = useState(() => importRows(kind, preview.mapping))
  const [hidden, hide] = useState(() => unused(preview, kind, rows))
  const shown = rows.filter((row) => !hidden.includes(row.field))
  const [settlePaid, settle] = useState(true)
  const [sendInvitations, invite] = useState(isPasted)
  const change = (next: ImportRow) => setRows(rows.map((row) => (row.field === next.field ? next : row)))
  return (
    <>
      <Panel heading={importWords.mapping}>
        <table className={styles.mapping} aria-label={importWords.mapping}>
          <thead>
            <tr>
              <th scope="col">{importWords.field}</th>
              <th scope="col">{importWords.column}</th>
              <th scope="col">{importWords.readAs}</th>
              <th scope="col">{importWords.samples}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Mapped key={row.field} {...{ row, kind, preview }} onChange={change} />
            ))}
          </tbody>
        </table>
        {hidden.length > 0 && (
          <div className={styles.more}>
            <Button small look="quiet" onClick={() => hide([])}>
              {importWords.moreFields}
            </Button>
          </div>
        )}
        {kind === 'sales' && (
          <div className={styles.settle}>
            <Checkbox checked={settlePaid} onChange={settle} label={importWords.settlePaid} />
            <p className={styles.hint}>{importWords.settlePaidHelp}</p>
          </div>
        )}
        {kind === 'partners' && (
          <div className={styles.settle}>
            <Checkbox checked={sendInvitations} onChange={invite} label={importWords.sendInvitations} />
            <p className={styles.hint}>{importWords.sendInvitationsHelp}</p>
          </div>
        )}
      </Panel>
      <RunImport
        // a dry run is valid only for the mapping it was made with
        key={JSON.stringify([rows, settlePaid, sendInvitations])}
        {...{ accountId, csv, kind, rows, settlePaid, sendInvitations, format: preview.format }}
      />
    </>
  )
}

/** Returns the fields that nothing is mapped to, once each column has its field: they are only needed for fixed values. */
const unused = ({ columns }: ImportPreview, kind: ImportKind, rows: ImportRow[]) =>
  columns.every((column) => rows.some((row) => row.column === column))
    ? rows.filter((row) => !isFilled(row) && !isNeeded(kind, row.field)).map(({ field }) => field)
    : []

type MappedProps = { row: ImportRow; kind: ImportKind; preview: ImportPreview; onChange: (row: ImportRow) => void }

function Mapped({ row, kind, preview, onChange }: MappedProps) {
  const name = importFieldLabel(row.field)
  const group = isNeeded(kind, row.field)
  const isConstant = row.transform === 'constant'
  return (
    <tr>
      <th scope="row">
        {name}
        {group && <small>{group.length > 1 ? importWords.oneOfThese : importWords.required}</small>}
      </th>
      <td>
        {isConstant ? (
          <input
            aria-label={importWords.valueOf({ field: name })}
            value={row.default}
            maxLength={1000}
            onChange={(event) => onChange({ ...row, default: event.currentTarget.value })}
          />
        ) : (
          <Select
            aria-label={importWords.columnOf({ field: name })}
            value={row.column}
            placeholder={importWords.notImported}
            choices={preview.columns.map((column) => ({ value: column, label: column }))}
            onChange={(column) => onChange({ ...row, column })}
          />
        )}
      </td>
      <td>
        <Select<Transform>
          aria-label={importWords.readAsOf({ field: name })}
          value={row.transform}
          choices={transformsOf(row).map((value) => ({ value, label: importWords.transforms[value] }))}
          onChange={(transform) => transform && onChange({ ...row, transform })}
        />
      </td>
      <td className={styles.samples}>{isConstant ? row.default : samplesOf(preview, row.column)}</td>
    </tr>
  )
}

const SHOWN = 3

/** Returns the column's first distinct non-empty values. */
function samplesOf({ columns, rows }: ImportPreview, column: string | null) {
  if (column === null) return basicWords.absent
  const at = columns.indexOf(column)
  const found = new Set(rows.map((cells) => cells[at] ?? '').filter((cell) => cell.trim() !== ''))
  return [...found].slice(0, SHOWN).map((cell) => <span key={cell}>{cell}</span>)
}
