import { setImmediate } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import type { Paper } from '#contract/payouts.ts'
import { attachInvoice } from './attach-invoice.ts'
import { fontFiles, heightAbove, splitByFont, splitGraphemes, toPrintable, toVisualPieces } from './fonts.ts'
import type { Frame, Printed } from './words.ts'

const MARGIN = 40
const FOOT = 56
export const GREY = '#444444'
export const BLACK = '#000000'
/** Most lines of a text, by default. */
const MOST_LINES = 40

export type Style = { size?: number; bold?: boolean; color?: string; align?: 'left' | 'right' }

export const SMALL: Style = { size: 8, color: GREY }

/**
 * The sheets of a PDF, printed from the top down: `y` is where the next line goes. Finished sheets are read as soon as
 * the next one begins, so memory never holds the whole document.
 */
export class Sheets {
  readonly left = MARGIN
  readonly right: number
  y = MARGIN
  /** Whether the fonts could show every character so far. */
  isWhole = true
  readonly #doc: PDFKit.PDFDocument
  readonly #frame: Frame
  readonly #foot: string
  readonly #footAt: number
  readonly #bottom: number
  /** The content streams of the sheets, for the page numbers: their total is known at the end. */
  readonly #numbers: PDFKit.PDFDocument['page']['content'][] = []
  readonly #widths = new Map<string, number>()

  constructor({
    frame,
    title,
    by,
    at,
    paper,
    archived,
  }: Pick<Printed, 'frame' | 'title' | 'by' | 'at' | 'archived'> & { paper: Paper }) {
    const created = new Date(at)
    // an archived one has no author: the library writes it into the metadata as it is
    const info = { Title: title, ...(!archived && { Author: by }), CreationDate: created }
    this.#doc = new PDFDocument({
      size: paper === 'a4' ? 'A4' : 'LETTER',
      margin: 0,
      font: fontFiles.regular,
      lang: frame.language,
      displayTitle: true,
      info,
      ...(archived && { subset: 'PDF/A-3b', pdfVersion: '1.7' }),
    })
    if (archived?.xml) attachInvoice(this.#doc, archived.xml, created)
    const { width, height } = this.#doc.page
    this.right = width - MARGIN
    this.#bottom = height - FOOT
    this.#footAt = height - 36
    this.#frame = frame
    this.#foot = `${by} · ${title}`
  }

  /** Prints one line that begins at `x`, or ends there; returns where it begins. */
  put(text: string, x: number, style: Style = {}, at = this.y): number {
    this.#set(style)
    const runs = toVisualPieces(text).flatMap(splitByFont)
    const widthOf = (run: Run) => this.#inFont(style, run).widthOfString(run.text)
    const begins = style.align === 'right' ? x - runs.reduce((sum, run) => sum + widthOf(run), 0) : x
    let left = begins
    for (const run of runs) {
      const doc = this.#inFont(style, run)
      // fonts have different heights: all share the base line of ours
      if (run.file)
        doc.text(run.text, left, at + heightAbove(style.size ?? 9), { lineBreak: false, baseline: 'alphabetic' })
      else doc.text(run.text, left, at, { lineBreak: false })
      if (runs.length > 1) left += widthOf(run)
    }
    return begins
  }

  putLines(lines: string[], x: number, style: Style, leading: number) {
    for (const line of lines) {
      this.put(line, x, style)
      this.y += leading
    }
  }

  /** Returns the width of a label. Unlike measuring a line, it writes nothing to the file, not even a color. */
  widthOfLabel(text: string): number {
    return splitByFont(text).reduce(
      (width, { text, file }) =>
        width +
        this.#doc
          .font(file ?? fontFiles.regular)
          .fontSize(9)
          .widthOfString(text),
      0,
    )
  }

  /** Breaks a text into lines no wider than `room`; wider words are split. */
  linesOf(text: string, room: number, style: Style = {}, most = MOST_LINES): string[] {
    const space = this.#widthOf(' ', style)
    const lines: string[] = []
    let line: Part | undefined
    for (const word of this.shown(text).split(' '))
      for (const part of partsOf(word, room, (sign) => this.#widthOf(sign, style))) {
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

  /** The text as the fonts can show it. */
  shown(text: string): string {
    const { text: shown, whole } = toPrintable(text)
    this.isWhole &&= whole
    return shown
  }

  rule(color: string) {
    this.#doc.moveTo(MARGIN, this.y).lineTo(this.right, this.y).lineWidth(0.5).strokeColor(color).stroke()
  }

  /** Lays a link over what is printed from `x` to the right edge. */
  link(x: number, at: number, address: string) {
    this.#doc.link(x, at, this.right - x, 12, address)
  }

  /** Yields the sheets before this one if `needed` isn’t free on it: then a new one begins, with its head. */
  async *roomFor(needed: number, putHead?: () => void): AsyncGenerator<Buffer> {
    if (this.y + needed <= this.#bottom) return
    this.#putFoot()
    this.#doc.addPage()
    this.y = MARGIN
    putHead?.()
    yield* this.#finished()
    await setImmediate()
  }

  /** Numbers the sheets, and yields the rest of the document. */
  *end(): Generator<Buffer> {
    this.#putFoot()
    this.#putNumbers()
    this.#doc.end()
    yield* this.#finished()
  }

  #set(style: Style) {
    this.#inFont(style, { file: null }).fillColor(style.color ?? BLACK)
  }

  #inFont({ size = 9, bold = false }: Style, { file }: Pick<Run, 'file'>) {
    return this.#doc.font(file ?? (bold ? fontFiles.bold : fontFiles.regular)).fontSize(size)
  }

  /**
   * Returns the width of a single character, measured once: measuring whole lines would repeat it for each added
   * character.
   */
  #widthOf(sign: string, style: Style): number {
    const key = `${style.size} ${style.bold} ${sign}`
    let width = this.#widths.get(key)
    if (width === undefined) {
      this.#set(style)
      width = this.#inFont(style, splitByFont(sign)[0]!).widthOfString(sign)
      this.#widths.set(key, width)
    }
    return width
  }

  #putFoot() {
    this.put(this.shown(this.#foot).slice(0, 90), MARGIN, SMALL, this.#footAt)
    const number = this.#doc.ref({})
    const { page } = this.#doc
    Object.assign(page.dictionary.data, { Contents: [page.content, number] })
    this.#numbers.push(number)
  }

  /** Prints the page numbers in the font of the foot, which every sheet already has. */
  #putNumbers() {
    const { page } = this.#doc
    const { content } = page
    for (const [at, number] of this.#numbers.entries()) {
      page.content = number
      const text = this.#frame.page({ page: at + 1, pages: this.#numbers.length })
      this.put(text, this.right, { ...SMALL, align: 'right' }, this.#footAt)
      number.end(null)
    }
    page.content = content
  }

  *#finished(): Generator<Buffer> {
    for (let part: Buffer | null = this.#doc.read(); part; part = this.#doc.read()) yield part
  }
}

type Run = ReturnType<typeof splitByFont>[number]
type Part = { text: string; width: number }

/** Splits a word into parts no wider than `room`. */
function* partsOf(word: string, room: number, widthOf: (sign: string) => number): Generator<Part> {
  let part: Part = { text: '', width: 0 }
  for (const sign of splitGraphemes(word)) {
    const width = widthOf(sign)
    if (part.text && part.width + width > room) {
      yield part
      part = { text: '', width: 0 }
    }
    part = { text: part.text + sign, width: part.width + width }
  }
  yield part
}
