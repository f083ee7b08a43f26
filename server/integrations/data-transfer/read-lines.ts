import { BYTE_ORDER_MARK } from '../../platform/csv/csv.ts'
import { ImportRefusal } from './import-refusal.ts'
import type { Value } from './rows.ts'

/** Most characters per line, far above the largest row, so that a file without line ends does not fill the memory. */
const LONGEST_LINE = 8_000_000

/**
 * Parses the cells of every line written by `lineOf`: quoted, or empty for null. Strict, since any other form was not
 * written by us; a spreadsheet that saves the file quotes differently.
 */
export async function* readLines(file: string, pieces: AsyncIterable<Buffer>): AsyncGenerator<Value[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  let begun = false
  for await (const piece of pieces) {
    rest += decode(file, () => decoder.decode(piece, { stream: true }))
    if (!begun && rest.length > 0) {
      if (!rest.startsWith(BYTE_ORDER_MARK)) throw notOurs(file)
      rest = rest.slice(BYTE_ORDER_MARK.length)
      begun = true
    }
    let at = 0
    for (let line = readLine(file, rest, at); line; line = readLine(file, rest, at)) {
      at = line.end
      yield line.cells
    }
    rest = rest.slice(at)
    if (rest.length > LONGEST_LINE) throw notOurs(file)
  }
  decode(file, () => decoder.decode())
  if (!begun || rest !== '') throw notOurs(file)
}

function decode(file: string, read: () => string) {
  try {
    return read()
  } catch {
    throw notOurs(file)
  }
}

/** Parses the line that begins there; undefined until its end is read. */
function readLine(file: string, text: string, start: number): { cells: Value[]; end: number } | undefined {
  const cells: Value[] = []
  let at = start
  for (;;) {
    const cell = text[at] === '"' ? readQuoted(text, at) : { value: null, end: at }
    if (!cell) return undefined
    cells.push(cell.value)
    at = cell.end
    const next = text[at]
    if (next === ',') at++
    else if (next === '\r' && text[at + 1] === '\n') return { cells, end: at + 2 }
    else if (next === undefined || (next === '\r' && text[at + 1] === undefined)) return undefined
    else throw notOurs(file)
  }
}

/** Returns the text between quotes; undefined until they are certainly closed. */
function readQuoted(text: string, start: number): { value: string; end: number } | undefined {
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from)
    if (quote < 0 || quote + 1 === text.length) return undefined
    if (text[quote + 1] !== '"') return { value: text.slice(start + 1, quote).replaceAll('""', '"'), end: quote + 1 }
    from = quote + 2
  }
}

const notOurs = (file: string) =>
  new ImportRefusal(`${file} isn’t a file as an export writes it. It may have been saved by another program.`)
