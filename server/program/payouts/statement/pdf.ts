import { setImmediate } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import type { Paper } from '#contract/payouts.ts'
import { fontFiles, MISSING, piecesOf, printable, signsOf } from './fonts.ts'
import { columns, type Line, NO_ENTRIES, type Printed } from './words.ts'

const MARGIN = 40
const FOOT = 56
const GREY = '#444444'
const BLACK = '#000000'
/** Most lines of typed text, and of such a text in each entry. */
const MOST_LINES = 40
const MOST_OF_ENTRY = 4

type Style = { size?: number; bold?: boolean; color?: string; align?: 'left' | 'right' }

/**
 * Yields the document as a PDF, a sheet at a time: memory never holds it whole, and other calls are handled between
 * two sheets. The table's head is repeated on every sheet, and no entry is cut in two.
 */
export async function* pdfOf(printed: Printed, entries: AsyncIterable<Line[]>, paper: Paper): AsyncGenerator<Buffer> {
  const { title, by } = printed
  const doc = new PDFDocument({
    size: paper === 'a4' ? 'A4' : 'LETTER',
    margin: 0,
    font: fontFiles.regular,
    lang: 'en',
    displayTitle: true,
    info: { Title: title, Author: by, CreationDate: new Date(printed.at) },
  })
  const { width, height } = doc.page
  const right = width - MARGIN
  const bottom = height - FOOT
  let y = MARGIN
  let whole = true
  /** The content streams of the sheets, for the page numbers: their total is known at the end. */
  const numbers: (typeof doc.page.content)[] = []

  function set({ size = 9, bold = false, color = BLACK }: Style) {
    doc
      .font(bold ? fontFiles.bold : fontFiles.regular)
      .fontSize(size)
      .fillColor(color)
  }
  const shown = (text: string) => {
    const printed = printable(text)
    whole &&= printed.whole
    return printed.text
  }

  /** Prints one line that begins, or ends, at `x`. */
  function put(text: string, x: number, at: number, style: Style = {}) {
    set(style)
    const pieces = piecesOf(text)
    let left = style.align === 'right' ? x - pieces.reduce((sum, piece) => sum + doc.widthOfString(piece), 0) : x
    for (const piece of pieces) {
      doc.text(piece, left, at, { lineBreak: false })
      if (pieces.length > 1) left += doc.widthOfString(piece)
    }
  }

  const widths = new Map<string, number>()

  /**
   * Returns the width of a single character, measured once: measuring whole lines would repeat it for each added
   * character.
   */
  function widthOf(sign: string, style: Style): number {
    const key = `${style.size} ${style.bold} ${sign}`
    let width = widths.get(key)
    if (width === undefined) {
      set(style)
      width = doc.widthOfString(sign)
      widths.set(key, width)
    }
    return width
  }

  /** Breaks a text into lines no wider than `room`; wider words are split. */
  function linesOf(text: string, room: number, style: Style = {}, most = MOST_LINES): string[] {
    const space = widthOf(' ', style)
    const lines: string[] = []
    let line: Part | undefined
    for (const word of shown(text).split(' '))
      for (const part of partsOf(word, room, (sign) => widthOf(sign, style))) {
        const longer: number = line ? line.width + space + part.width : part.width
        if (longer <= room) line = { text: line ? `${line.text} ${part.text}` : part.text, width: longer }
        else {
          if (line) lines.push(line.text)
          line = part
        }
        if (lines.length === most) return [...lines.slice(0, -1), `${lines.at(-1)}…`]
      }
    return line ? [...lines, line.text] : lines
  }

  function putLines(lines: string[], x: number, style: Style, leading: number) {
    for (const line of lines) {
      put(line, x, y, style)
      y += leading
    }
  }

  function rule(color: string) {
    doc.moveTo(MARGIN, y).lineTo(right, y).lineWidth(0.5).strokeColor(color).stroke()
  }

  const ends = [right - 228, right - 178, right - 90, right]
  const [dateAt, entryAt] = [MARGIN, MARGIN + 66]
  const entryWidth = right - 262 - entryAt

  function putTableHead() {
    for (const [at, name] of columns.entries()) {
      const style: Style = { bold: true, align: at > 1 ? 'right' : 'left' }
      put(name, at > 1 ? ends[at - 2]! : [dateAt, entryAt][at]!, y, style)
    }
    y += 14
    rule(BLACK)
    y += 5
  }

  function putTotals(totals: Printed['totals']) {
    for (const { label, amount } of totals) {
      put(shown(label), MARGIN, y, { bold: true })
      put(amount, right, y, { bold: true, align: 'right' })
      y += 14
    }
    y += 14
  }

  function putFoot() {
    put(shown(`${by} · ${title}`).slice(0, 90), MARGIN, height - 36, { size: 8, color: GREY })
    const number = doc.ref({})
    Object.assign(doc.page.dictionary.data, { Contents: [doc.page.content, number] })
    numbers.push(number)
  }

  /** Prints the page numbers in the font of the foot, which every sheet already has. */
  function putNumbers() {
    const { content } = doc.page
    for (const [at, number] of numbers.entries()) {
      doc.page.content = number
      const page = `Page ${at + 1} of ${numbers.length}`
      put(page, right, height - 36, { size: 8, color: GREY, align: 'right' })
      number.end(null)
    }
    doc.page.content = content
  }

  /** Yields the finished sheets, once `needed` is free on a sheet. */
  async function* roomFor(needed: number, head = true) {
    if (y + needed <= bottom) return
    putFoot()
    doc.addPage()
    y = MARGIN
    if (head) putTableHead()
    yield* finished()
    await setImmediate()
  }

  function* finished() {
    for (let part: Buffer | null = doc.read(); part; part = doc.read()) yield part
  }

  async function* putEntry({ date, title, about, receipt, ...figures }: Line) {
    const named = linesOf(title, entryWidth, {}, MOST_OF_ENTRY)
    const small: Style = { size: 8, color: GREY }
    const whose = about === null ? [] : linesOf(about, entryWidth, small, MOST_OF_ENTRY)
    const tall = named.length * 12 + whose.length * 11 + 7
    yield* roomFor(tall)
    const top = y
    put(date, dateAt, top)
    putLines(named, entryAt, {}, 12)
    putLines(whose, entryAt, small, 11)
    for (const [at, figure] of [figures.layer, figures.rate, figures.base, figures.amount].entries())
      if (figure) put(figure, ends[at]!, top, { align: 'right' })
    const wide = doc.widthOfString(figures.amount)
    doc.link(right - wide, top, wide, 12, receipt)
    y += 2
    rule('#bbbbbb')
    y += 5
  }

  putLines(linesOf(title, right - MARGIN, { size: 18, bold: true }), MARGIN, { size: 18, bold: true }, 26)
  putLines(linesOf(printed.lead, right - MARGIN, { size: 10 }), MARGIN, { size: 10 }, 14)
  y += 12
  for (const { label, value } of printed.facts) {
    put(label, MARGIN, y, { color: GREY })
    putLines(linesOf(value, right - MARGIN - 120), MARGIN + 120, {}, 13)
  }
  y += 14
  put('Summary', MARGIN, y, { size: 11, bold: true })
  y += 18
  for (const { label, count, amount } of printed.sums) {
    put(label, MARGIN, y)
    put(count, ends[2]!, y, { align: 'right' })
    put(amount, right, y, { align: 'right' })
    y += 14
  }
  rule(BLACK)
  y += 5
  putTotals(printed.totals)
  if (printed.entries) {
    put('Entries', MARGIN, y, { size: 11, bold: true })
    y += 18
    putTableHead()
    if (printed.entries.isEmpty) {
      put(NO_ENTRIES, MARGIN, y)
      y += 20
    }
    for await (const some of entries) for (const line of some) yield* putEntry(line)
    yield* roomFor(20)
    putTotals([{ label: 'Total', amount: printed.entries.total }])
  }
  const missing = `“${MISSING}” also stands for characters that this file can’t show. They are on the page.`
  for (const note of [...printed.notes, ...(whole ? [] : [missing])]) {
    const style: Style = { size: 8, color: GREY }
    const lines = linesOf(note, right - MARGIN, style)
    yield* roomFor(lines.length * 12, false)
    putLines(lines, MARGIN, style, 12)
  }
  putFoot()
  putNumbers()
  doc.end()
  yield* finished()
}

type Part = { text: string; width: number }

/** Splits a word into parts no wider than `room`. */
function* partsOf(word: string, room: number, widthOf: (sign: string) => number): Generator<Part> {
  let part: Part = { text: '', width: 0 }
  for (const sign of signsOf(word)) {
    const width = widthOf(sign)
    if (part.text && part.width + width > room) {
      yield part
      part = { text: '', width: 0 }
    }
    part = { text: part.text + sign, width: part.width + width }
  }
  yield part
}
