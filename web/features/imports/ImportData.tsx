import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { rights } from '#contract/endpoint.ts'
import { encodings } from '#contract/file-text.ts'
import { type ImportKind, type ImportPreview, importKinds } from '#contract/imports.ts'
import { CallError } from '../../api.ts'
import { formatDateRange, formatLongDateTime } from '../../format.ts'
import { aboutPages } from '../../shared/docs.ts'
import { ImportProgress } from '../../shared/ImportProgress.tsx'
import { useAccount, useAccountRole } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { ChooseFile, TABLES } from '../../ui/ChooseFile.tsx'
import { FieldPair, SelectField, TextAreaField } from '../../ui/fields.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { InHead, Page } from '../../ui/Page.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { findSample, type ReadFile, readFile } from '../../ui/read-file.ts'
import { useAddress } from '../../ui/useAddress.ts'
import { fieldWords } from '../../words/fields.ts'
import { importWords } from '../../words/imports.ts'
import { pieceWords } from '../../words/pieces.ts'
import { pageWords } from '../../words/shell.ts'
import { isOfFile } from './fields.ts'
import { MapColumns } from './MapColumns.tsx'
import { toCsvFile } from './pasted.ts'
import { type Asked, type Given, importPreviewQuery, toContent } from './preview.ts'
import { earlierImports } from './queries.ts'
import { UndoImport } from './UndoImport.tsx'

/** The server's limit for a file. */
const MOST_MEGABYTES = 20

/** Imports a file or pasted rows: choose their kind, map the columns, run a dry run, then import. */
export function ImportData() {
  const { accountId } = useAccountRole()
  const { params, change } = useAddress()
  const wanted = importKinds.find((kind) => kind === params.kind)
  const [given, set] = useState<Given | null>(null)
  const [pasted, paste] = useState('')
  const count = useRef(0)
  const take = (file: ReadFile | null, csv = file?.csv) =>
    set(csv === undefined ? null : { csv, file, content: file ? toContent(file) : { csv }, count: ++count.current })
  /** Shows pasted rows as they are read, so that they are numbered as in the results. */
  const takePasted = (text: string) => {
    const csv = toCsvFile(text)
    paste(csv)
    take(null, csv)
  }
  const isPasted = given?.file === null
  const isOutdated = isPasted && pasted !== given.csv
  return (
    <Page heading={pageWords.importData} parent={<Link to="/account/settings">{pageWords.settings}</Link>}>
      <InHead>
        <a href={aboutPages.import}>{importWords.moveHere}</a>
      </InHead>
      <Panel heading={importWords.file}>
        <div className="stack inset">
          {!given && <KindField value={wanted ?? null} onChange={(kind) => change({ kind })} />}
          <ChooseFile
            file={given?.file ?? null}
            most={MOST_MEGABYTES}
            accept={`${TABLES},.xlsx`}
            kinds={pieceWords.chooseFile.sheets}
            tooLarge={importWords.tooLarge({ most: MOST_MEGABYTES })}
            onChoose={(file) => {
              paste('')
              take(file)
            }}
          />
          {given?.file?.bytes && <EncodingField file={given.file} onChoose={take} />}
          <TextAreaField
            id="import-pasted"
            name="pasted"
            onBlur={() => undefined}
            label={importWords.paste}
            help={importWords.pasteHelp}
            rows={pasted ? 8 : 3}
            value={pasted}
            onChange={paste}
            onPaste={pasted === '' ? takePasted : undefined}
          />
          {pasted.trim() !== '' && pasted !== given?.csv && (
            <div>
              <Button onClick={() => takePasted(pasted)}>{importWords.usePasted}</Button>
            </div>
          )}
        </div>
      </Panel>
      {given && (
        <OneFile
          key={given.count}
          accountId={accountId}
          given={given}
          isPasted={isPasted}
          isOutdated={isOutdated}
          wanted={wanted}
        />
      )}
      <EarlierImports accountId={accountId} />
    </Page>
  )
}

type EncodingFieldProps = { file: ReadFile; onChoose: (file: ReadFile) => void }

/** The encoding of a file that isn't Unicode, each with some of its words as they would be read. */
function EncodingField({ file: { name, encoding, bytes }, onChoose }: EncodingFieldProps) {
  return (
    <SelectField
      id="import-encoding"
      name="encoding"
      label={importWords.encoding}
      onBlur={() => undefined}
      help={importWords.encodingHelp}
      value={encoding}
      onChange={(chosen) => chosen && onChoose(readFile(name, bytes!, chosen))}
      choices={encodings.map((value) => {
        const sample = findSample(bytes!, value)
        return { value, label: importWords.encodingWith({ name: importWords.encodings[value], sample }) }
      })}
    />
  )
}

type OneFileProps = {
  accountId: string
  given: Given
  isPasted: boolean
  /** The rows were edited since they were taken. */
  isOutdated: boolean
  wanted: ImportKind | undefined
}

function OneFile({ accountId, given, isPasted, isOutdated, wanted }: OneFileProps) {
  const kinds = useKinds()
  const [asked, ask] = useState<Asked>({ kind: wanted })
  const { data, error, isPlaceholderData } = useQuery({
    ...importPreviewQuery(accountId, given, asked),
    placeholderData: (before: ImportPreview | undefined) => before,
  })
  if (error instanceof CallError) return <Message kind="error">{explainRefusal(error)}</Message>
  if (!data) return <Message kind="info">{importWords.reading}</Message>
  const kind = kinds.find((one) => one === data.kind) ?? null
  return (
    <>
      <Panel heading={importWords.contents}>
        <div className="stack inset">
          <FieldPair>
            <KindField value={kind} onChange={(kind) => ask({ ...asked, kind })} />
            <SelectField
              id="import-source"
              name="source"
              label={fieldWords.source}
              onBlur={() => undefined}
              value={data.format}
              onChange={(format) => format && ask({ ...asked, kind: data.kind ?? undefined, format })}
              choices={[
                { value: 'csv', label: importWords.anyFile },
                ...data.formats.map(({ format, name }) => ({ value: format, label: name })),
              ]}
            />
          </FieldPair>
          <PlaceFields preview={data} onChoose={(place) => ask({ ...asked, ...place })} />
          {kind && (
            <div>
              <strong>{guessOf(data, kind)}</strong>
              <p className="muted">{importWords.notes[kind]}</p>
            </div>
          )}
        </div>
      </Panel>
      {kind && !isPlaceholderData && (
        <MapColumns
          key={`${kind} ${data.format} ${asked.format} ${data.headerRow} ${data.sheet}`}
          accountId={accountId}
          content={given.content}
          isPasted={isPasted}
          isOutdated={isOutdated}
          preview={data}
          kind={kind}
        />
      )}
    </>
  )
}

type KindProps = { value: ImportKind | null; onChange: (kind: ImportKind) => void }

/** Returns the kinds of rows that the person may import: payouts are the owners'. */
function useKinds() {
  const may = usePermission()
  return importKinds.filter((kind) => kind !== 'payouts' || may({ allow: rights.own }))
}

const KindField = ({ value, onChange }: KindProps) => (
  <SelectField
    id="import-kind"
    name="kind"
    label={importWords.kind}
    onBlur={() => undefined}
    value={value}
    placeholder={value ? undefined : importWords.chooseKind}
    onChange={(kind) => kind && onChange(kind)}
    choices={useKinds().map((kind) => ({ value: kind, label: importWords.kinds[kind] }))}
  />
)

type PlaceFieldsProps = { preview: ImportPreview; onChoose: (place: Pick<Asked, 'sheet' | 'headerRow'>) => void }

/** Longest beginning of a row to choose it by. */
const LONGEST_ROW = 60

/** The sheet of a workbook, and the row that names the columns. */
function PlaceFields({ preview: { sheet, sheets, headerRow, top }, onChoose }: PlaceFieldsProps) {
  const rows = top.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  if (sheets.length < 2 && rows.length < 2) return null
  return (
    <FieldPair>
      {sheets.length > 1 && (
        <SelectField
          id="import-sheet"
          name="sheet"
          label={importWords.sheet}
          onBlur={() => undefined}
          value={sheet}
          onChange={(sheet) => sheet && onChoose({ sheet, headerRow: undefined })}
          choices={sheets.map((name) => ({ value: name, label: name }))}
        />
      )}
      <SelectField
        id="import-header-row"
        name="headerRow"
        label={importWords.headerRow}
        onBlur={() => undefined}
        help={importWords.headerRowHelp}
        value={String(headerRow)}
        onChange={(row) => row && onChoose({ headerRow: Number(row) })}
        choices={rows.map(({ row, cells }) => {
          const text = cells.filter((cell) => cell.trim() !== '').join(', ')
          const sample = text.length > LONGEST_ROW ? `${text.slice(0, LONGEST_ROW)}…` : text
          return { value: String(row), label: importWords.rowWith({ row, sample }) }
        })}
      />
    </FieldPair>
  )
}

/** Returns a sentence about how certain the guessed mapping is. */
function guessOf({ sure, formatName }: ImportPreview, kind: ImportKind): string {
  const words = { name: formatName ?? '', kind: importWords.kindsWithin[kind] }
  if (sure === 'saved') return importWords.asLastTime
  if (!formatName) return importWords.checkColumns
  return (sure === 'certain' ? importWords.looksLike : importWords.thinkThese)(words)
}

/** Earlier and running imports, with a way to undo them. */
function EarlierImports({ accountId }: { accountId: string }) {
  const { timeZone } = useAccount()
  const answer = useQuery(earlierImports(accountId))
  const { data } = answer
  const imports = data?.items.filter(({ dryRun }) => !dryRun) ?? []
  return (
    <Panel heading={importWords.earlier}>
      {!data && <Pending answer={answer} rows={2} />}
      {data && imports.length === 0 && <p className="inset muted">{importWords.none}</p>}
      <ul className="items">
        {imports.map((one) => (
          <li key={one.id} className="stack gap-2">
            <div className="row gap-3">
              <strong>{importWords.kinds[one.kind]}</strong>
              {one.from && one.to && <span>{formatDateRange(one.from, one.to)}</span>}
              <span className="muted">{formatLongDateTime(one.createdAt, timeZone)}</span>
            </div>
            <ImportProgress imported={one} label={importWords.importing}>
              {isOfFile(one.kind) && <UndoImport imported={one} kind={one.kind} />}
            </ImportProgress>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
