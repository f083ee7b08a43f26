import { posix } from 'node:path'
import { MOST_COLUMNS } from '../csv/read-csv.ts'
import { refusal } from '../refusal.ts'
import { scanXml, XmlError, type XmlHandler } from '../xml/read-xml.ts'
import { type OpenZip, openZip } from '../zip.ts'
import { cellText, type DayOf, dayCounting, isDayFormat } from './cells.ts'

/** A workbook whose sheets are read row by row. */
export type Workbook = {
  /** Names of the sheets that people see, in their order. */
  sheets: string[]
  /** Yields rows with their numbers, without those that are empty. Refuses: a sheet that it hasn’t, or can’t be read. */
  rowsOf(sheet: string): AsyncGenerator<{ row: number; cells: string[] }>
  close(): void
}

/** Most files in a workbook, and size of one once it is unpacked; most elements of one; most rows of a sheet. */
const MOST_FILES = 2000
const MOST_MEGABYTES = 200
const MOST_ELEMENTS = 20_000_000
const MOST_ROWS = 1_048_576
/** Longest reading in milliseconds. */
const LONGEST_MS = 120_000

/**
 * Opens an Excel workbook (.xlsx). Of its files only those with sheets, texts and formats are read, and nothing that they
 * refer to. Refuses: a workbook of another kind, one that is damaged or refers to sheets elsewhere, and one that is too
 * large once unpacked.
 */
export async function openWorkbook(bytes: Buffer): Promise<Workbook> {
  const zip = await openZip(bytes, MOST_FILES).catch((error) => {
    throw unreadable(error)
  })
  try {
    const read = partReader(zip, performance.now() + LONGEST_MS)
    const main =
      zip.entries.has('_rels/.rels') && (await relationsOf(read, '')).find(({ kind }) => kind === 'officeDocument')
    if (!main || !/\.xml$/.test(main.target)) throw refusal('import_other_workbook')
    const relations = await relationsOf(read, main.target)
    const { sheets, date1904 } = await contentsOf(read, main.target)
    const targetOf = (name: string) => relations.find(({ id }) => id === sheets.find((one) => one.name === name)?.id)
    const partOf = (kind: string) => relations.find((one) => one.kind === kind)?.target ?? null
    const ofCells = sheets.filter(({ id }) => relations.find((one) => one.id === id)?.kind === 'worksheet')
    if (ofCells.length === 0) throw refusal('import_other_workbook')
    const seen = ofCells.filter(({ isHidden }) => !isHidden)
    return {
      sheets: (seen.length > 0 ? seen : ofCells).map(({ name }) => name),
      async *rowsOf(sheet) {
        const target = targetOf(sheet)
        if (target?.kind !== 'worksheet') throw refusal('import_sheet_unknown', { sheet: sheet.slice(0, 100) })
        if (target.isElsewhere) throw refusal('import_workbook_linked')
        const texts = await sharedTexts(read, partOf('sharedStrings'))
        const days = await dayStyles(read, partOf('styles'))
        yield* sheetRows(read, target.target, { texts, days, dayOf: dayCounting(date1904) })
      },
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

/** Reads one of a workbook's files; yields after each piece of it. */
type ReadPart = (name: string, handler: XmlHandler) => AsyncGenerator<void>

function partReader(zip: OpenZip, until: number): ReadPart {
  async function* textOf(name: string) {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    for await (const piece of zip.read(name)) {
      if (performance.now() > until) throw tooLarge()
      yield decoder.decode(piece, { stream: true })
    }
    yield decoder.decode()
  }
  return async function* read(name, handler) {
    const entry = zip.entries.get(name)
    if (!entry) throw refusal('import_workbook_unreadable', { reason: `It has no file ${name.slice(0, 100)}.` })
    if (entry.uncompressedSize > MOST_MEGABYTES * 1_000_000) throw tooLarge()
    try {
      yield* scanXml(textOf(name), handler, MOST_ELEMENTS)
    } catch (error) {
      throw unreadable(error)
    }
  }
}

const tooLarge = () => refusal('import_workbook_too_large', { megabytes: MOST_MEGABYTES })

/** Returns the refusal of a workbook that a reader of zips or of XML does not take. */
function unreadable(error: unknown) {
  if (error instanceof Error && 'code' in error && error.code === 'validation_failed') return error
  return refusal('import_workbook_unreadable', {
    reason: error instanceof XmlError ? error.message : 'The file is damaged.',
  })
}

async function readWhole(read: ReadPart, name: string, handler: Partial<XmlHandler>) {
  const nothing = () => undefined
  for await (const _ of read(name, { open: nothing, text: nothing, close: nothing, ...handler }));
}

/** A reference of a file to another: the last word of its kind, and the file, unless it is elsewhere. */
type Relation = { id: string; kind: string; target: string; isElsewhere: boolean }

async function relationsOf(read: ReadPart, name: string): Promise<Relation[]> {
  const relations: Relation[] = []
  const { dir, base } = posix.parse(name)
  await readWhole(read, posix.join(dir, '_rels', `${base}.rels`), {
    open(element, { Id = '', Type = '', Target = '', TargetMode }) {
      if (element !== 'Relationship') return
      const target = posix.join('/', Target.startsWith('/') ? '' : dir, decoded(Target)).slice(1)
      relations.push({
        id: Id,
        kind: Type.slice(Type.lastIndexOf('/') + 1),
        target,
        isElsewhere: TargetMode === 'External',
      })
    },
  })
  return relations
}

async function contentsOf(read: ReadPart, name: string) {
  const sheets: { name: string; id: string; isHidden: boolean }[] = []
  let date1904 = false
  await readWhole(read, name, {
    open(element, attributes) {
      if (element === 'workbookPr') date1904 = isTrue(attributes.date1904)
      if (element !== 'sheet') return
      const { name = '', id = '', state = 'visible' } = attributes
      sheets.push({ name: decoded(name), id, isHidden: state !== 'visible' })
    },
  })
  return { sheets, date1904 }
}

const isTrue = (text = '') => text === '1' || text === 'true'

/** Returns the texts that cells refer to by number. Of texts in several letters’ forms, how they are read aloud is left out. */
async function sharedTexts(read: ReadPart, name: string | null): Promise<string[]> {
  const texts: string[] = []
  const text = textReader((found) => texts.push(found), 'si')
  if (name) await readWhole(read, name, text)
  return texts
}

/** Reads the text of each element of this name: all in its `t`, but how it is read aloud. */
function textReader(take: (text: string) => void, name: string) {
  let [found, isText, aloud] = ['', false, 0]
  return {
    open(element: string) {
      if (element === name) found = ''
      else if (element === 'rPh') aloud++
      else if (element === 't') isText = aloud === 0
    },
    text(piece: string) {
      if (isText) found += piece
    },
    close(element: string) {
      if (element === name) take(cellText(decoded(found)))
      else if (element === 'rPh') aloud--
      else if (element === 't') isText = false
    },
  }
}

/** Returns which styles, by their number, show a number as a day or a time of day. */
async function dayStyles(read: ReadPart, name: string | null): Promise<boolean[]> {
  const formats = new Map<string, string>()
  const styles: boolean[] = []
  let isOfCells = false
  const handler = {
    open(element: string, { numFmtId = '0', formatCode = '' }: Record<string, string>) {
      if (element === 'numFmt') formats.set(numFmtId, decoded(formatCode))
      else if (element === 'cellXfs') isOfCells = true
      else if (element === 'xf' && isOfCells) styles.push(isDayFormat(Number(numFmtId), formats.get(numFmtId)))
    },
    close(element: string) {
      if (element === 'cellXfs') isOfCells = false
    },
  }
  if (name) await readWhole(read, name, handler)
  return styles
}

type Known = { texts: string[]; days: boolean[]; dayOf: DayOf }

async function* sheetRows(read: ReadPart, name: string, known: Known) {
  const rows: { row: number; cells: string[] }[] = []
  for await (const _ of read(
    name,
    rowReader(known, (row) => rows.push(row)),
  ))
    yield* rows.splice(0)
}

/** Reads the rows of a sheet; the value of a formula is the one that was stored last. */
function rowReader({ texts, days, dayOf }: Known, take: (row: { row: number; cells: string[] }) => void): XmlHandler {
  let [row, column, type, value] = [0, -1, 'n', '']
  let cells: string[] = []
  let [isDay, isValue] = [false, false]
  const inline = textReader((text) => {
    value = text
  }, 'is')
  const textOf = () => {
    if (type === 's') return texts[Number(value)] ?? ''
    if (type === 'b') return isTrue(value) ? 'TRUE' : 'FALSE'
    if (type === 'inlineStr') return value
    if (type === 'str') return cellText(decoded(value))
    if (type === 'n' && value.trim() !== '') return dayOf(value.trim(), isDay)
    return value.trim()
  }
  return {
    open(element, { r = '', s = '', t = 'n' }) {
      if (element === 'row') {
        row = /^\d+$/.test(r) ? Number(r) : row + 1
        if (row > MOST_ROWS) throw new XmlError('A row is below the last one of a sheet.')
        ;[cells, column] = [[], -1]
      } else if (element === 'c') {
        // those right of all columns that a file may have tell that it has more
        column = Math.min(columnOf(r) ?? column + 1, MOST_COLUMNS)
        ;[type, value, isDay] = [t, '', days[Number(s)] ?? false]
      } else if (element === 'v') isValue = true
      else inline.open(element)
    },
    text(piece) {
      if (isValue) value += piece
      else inline.text(piece)
    },
    close(element) {
      if (element === 'v') isValue = false
      else if (element === 'c') {
        const text = value === '' ? '' : textOf()
        if (text === '') return
        while (cells.length < column) cells.push('')
        cells[column] = text
      } else if (element === 'row') {
        if (cells.length > 0) take({ row, cells })
      } else inline.close(element)
    },
  }
}

/** Returns the number of the column of a cell’s name, from 0: 27 for `AB12`. */
function columnOf(name: string): number | null {
  const [letters] = /^[A-Z]{1,3}(?=\d)/.exec(name) ?? []
  if (!letters) return null
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

const NAMED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/** Replaces the references of XML. Throws `XmlError` for one that only a document type could define. */
const decoded = (text: string) =>
  text.includes('&')
    ? text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,20}));|&/gi, (_, decimal, hex, name) => {
        const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : null
        const found = code === null ? NAMED.get(name) : code <= 0x10ffff ? String.fromCodePoint(code) : undefined
        if (found === undefined) throw new XmlError('A reference in it is not known.')
        return found
      })
    : text
