import type { Paper } from '#contract/payouts.ts'
import { MISSING } from './fonts.ts'
import { BLACK, GREY, Sheets, SMALL, type Style } from './sheets.ts'
import type { Frame, Line, Printed } from './words.ts'

/** Most lines of a typed text in an entry. */
const MOST_OF_ENTRY = 4
const TITLE: Style = { size: 18, bold: true }
const HEADING: Style = { size: 11, bold: true }

/**
 * Yields the document as a PDF, a sheet at a time: memory never holds it whole, and other calls are handled between
 * two sheets. The table's head is repeated on every sheet, and no entry is cut in two.
 */
export async function* renderPdf(
  printed: Printed,
  entries: AsyncIterable<Line[]>,
  paper: Paper,
): AsyncGenerator<Buffer> {
  const { frame } = printed
  const sheets = new Sheets({ ...printed, paper })
  putSummary(sheets, printed)
  if (printed.entries) {
    sheets.put(frame.entries, sheets.left, HEADING)
    sheets.y += 18
    putTableHead(sheets, frame)
    if (printed.entries.isEmpty) {
      sheets.put(frame.noEntries, sheets.left)
      sheets.y += 20
    }
    for await (const some of entries) for (const line of some) yield* putEntry(sheets, line, frame)
    yield* sheets.roomFor(20, () => putTableHead(sheets, frame))
    putTotals(sheets, [{ label: frame.total, amount: printed.entries.total }])
  }
  const missing = frame.missing({ sign: MISSING })
  for (const note of [...printed.notes, ...(sheets.isWhole ? [] : [missing])]) {
    const lines = sheets.linesOf(note, sheets.right - sheets.left, SMALL)
    yield* sheets.roomFor(lines.length * 12)
    sheets.putLines(lines, sheets.left, SMALL, 12)
  }
  yield* sheets.end()
}

/** Prints all that comes before the entries. */
function putSummary(sheets: Sheets, { frame, title, lead, facts, sums, totals }: Printed) {
  const { left, right } = sheets
  sheets.putLines(sheets.linesOf(title, right - left, TITLE), left, TITLE, 26)
  sheets.putLines(sheets.linesOf(lead, right - left, { size: 10 }), left, { size: 10 }, 14)
  sheets.y += 12
  const widest = Math.max(...facts.map(({ label }) => sheets.widthOfLabel(label)))
  // all documents issued before have narrower labels, and stay as they are
  const indent = widest > 116 ? widest + 12 : 120
  for (const { label, value } of facts) {
    sheets.put(label, left, { color: GREY })
    sheets.putLines(sheets.linesOf(value, right - left - indent), left + indent, {}, 13)
  }
  sheets.y += 14
  sheets.put(frame.summary, left, HEADING)
  sheets.y += 18
  for (const { label, count, amount } of sums) {
    sheets.put(label, left)
    sheets.put(count, right - 90, { align: 'right' })
    sheets.put(sheets.shown(amount), right, { align: 'right' })
    sheets.y += 14
  }
  sheets.rule(BLACK)
  sheets.y += 5
  putTotals(sheets, totals)
}

function putTotals(sheets: Sheets, totals: Printed['totals']) {
  for (const { label, amount } of totals) {
    sheets.put(sheets.shown(label), sheets.left, { bold: true })
    sheets.put(sheets.shown(amount), sheets.right, { bold: true, align: 'right' })
    sheets.y += 14
  }
  sheets.y += 14
}

/** Positions of the table's columns: the first two begin there, the figures end there. */
function columnsOf({ left, right }: Sheets) {
  const entryAt = left + 66
  return { begins: [left, entryAt], ends: [right - 228, right - 178, right - 90, right], room: right - 262 - entryAt }
}

function putTableHead(sheets: Sheets, { columns }: Frame) {
  const { begins, ends } = columnsOf(sheets)
  for (const [at, name] of columns.entries())
    if (at > 1) sheets.put(name, ends[at - 2]!, { bold: true, align: 'right' })
    else sheets.put(name, begins[at]!, { bold: true })
  sheets.y += 14
  sheets.rule(BLACK)
  sheets.y += 5
}

async function* putEntry(sheets: Sheets, { date, title, about, receipt, ...figures }: Line, frame: Frame) {
  const {
    begins: [dateAt, entryAt],
    ends,
    room,
  } = columnsOf(sheets)
  const named = sheets.linesOf(title, room, {}, MOST_OF_ENTRY)
  const subject = about === null ? [] : sheets.linesOf(about, room, SMALL, MOST_OF_ENTRY)
  yield* sheets.roomFor(named.length * 12 + subject.length * 11 + 7, () => putTableHead(sheets, frame))
  const top = sheets.y
  sheets.put(date, dateAt!)
  sheets.putLines(named, entryAt!, {}, 12)
  sheets.putLines(subject, entryAt!, SMALL, 11)
  for (const [at, figure] of [figures.layer, figures.rate, figures.base].entries())
    if (figure) sheets.put(sheets.shown(figure), ends[at]!, { align: 'right' }, top)
  const amountAt = sheets.put(sheets.shown(figures.amount), sheets.right, { align: 'right' }, top)
  sheets.link(amountAt, top, receipt)
  sheets.y += 2
  sheets.rule('#bbbbbb')
  sheets.y += 5
}
