import type { Frame, Line, Printed } from './words.ts'

/** A text as a value in a style. */
const inQuotes = (text: string) => `"${text.replace(/["\\\\\n<]/g, ' ')}"`

/** Black on white, for paper first: the table's head is repeated on every sheet, and no entry is cut in two. */
export const paperStyle = ({ page, columns: [, , layer, rate, base] }: Frame) => `
@page { margin: 16mm 14mm 18mm; @bottom-right { content: ${pageNumber(page)}; font: 8pt system-ui, sans-serif } }
:root { color-scheme: light }
body { max-width: 900px; margin: 32px auto; padding: 0 16px; background: #fff; color: #000; font: 10pt/1.4 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
h1 { margin: 0 0 4px; font-size: 18pt; line-height: 1.2 }
h2 { margin: 24px 0 8px; font-size: 11pt }
p { margin: 0 0 4px }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 16px 0 }
dt, small { color: #444 }
dd { margin: 0 }
small { display: block; font-size: 8.5pt }
table { width: 100%; border-collapse: collapse }
th, td { padding: 4px 8px 4px 0; border-bottom: 1px solid #bbb; text-align: left; vertical-align: top; font-weight: 400 }
thead th { border-bottom-color: #000; font-weight: 600 }
tr.t td, tr.t th { border-bottom: 0; font-weight: 600 }
th.n, td.n { padding-right: 0; padding-left: 8px; text-align: right; white-space: nowrap }
td.d { white-space: nowrap }
tr { break-inside: avoid }
footer { margin-top: 16px; font-size: 8.5pt }
a { color: inherit; text-decoration-style: dotted; text-underline-offset: 3px }
@media screen and (max-width: 600px) {
  .e thead { display: none }
  .e tr { display: flex; flex-wrap: wrap; gap: 0 12px; padding: 6px 0; border-bottom: 1px solid #bbb }
  .e tr.t { border: 0 }
  .e td, .e th, .e th.n, .e td.n { padding: 0; border: 0 }
  .e td:empty { display: none }
  .e .d, .e th { flex: 1 }
  .e td:nth-child(2):not(.n) { flex-basis: 100%; order: 1 }
  .e td.n:not(:last-child) { order: 2; color: #444; font-size: 8.5pt }
  .e td:nth-child(3)::before { content: ${inQuotes(`${layer} `)} }
  .e td:nth-child(4)::before { content: ${inQuotes(`${rate} `)} }
  .e td:nth-child(5)::before { content: ${inQuotes(`${base} `)} }
}
@media print { body { max-width: none; margin: 0; padding: 0 } a { text-decoration: none } }
`

/** Returns the style's number of a sheet: '"Page " counter(page) " of " counter(pages)'. */
const pageNumber = (page: Frame['page']) =>
  page({ page: '\0counter(page)\0', pages: '\0counter(pages)\0' })
    .split('\0')
    .flatMap((part) => (part === '' ? [] : [part.startsWith('counter(') ? part : inQuotes(part)]))
    .join(' ')

/** Yields the document as a self-contained page, in parts. */
export async function* renderPage(printed: Printed, lines: AsyncIterable<Line[]>) {
  const { entries, frame } = printed
  yield headOf(printed)
  if (entries) {
    yield tableHead(frame)
    let none = true
    for await (const some of lines) {
      none = false
      yield some.map(rowOf).join('')
    }
    if (none) yield `<tr><td colspan="${frame.columns.length}">${escaped(frame.noEntries)}</td></tr>`
    yield `${totalRow({ label: frame.total, amount: entries.total }, frame.columns.length - 1)}</tbody>\n</table>`
  }
  yield footOf(printed)
}

function headOf(printed: Printed) {
  const { frame } = printed
  const heading = escaped(printed.title)
  const facts = printed.facts.map(({ label, value }) => `<dt>${escaped(label)}</dt><dd>${escaped(value)}</dd>`)
  const sums = printed.sums.map(
    ({ label, count, amount }) =>
      `<tr><td>${escaped(label)}</td><td class="n">${escaped(count)}</td><td class="n">${escaped(amount)}</td></tr>`,
  )
  return `<!doctype html>
<html lang="${escaped(frame.language)}">
<head><meta charset="utf-8"><title>${heading} · ${escaped(printed.by)}</title><meta name="viewport" content="width=device-width"><style>${paperStyle(frame)}</style></head>
<body>
<main>
<h1>${heading}</h1>
<p>${escaped(printed.lead)}</p>
<dl>${facts.join('')}</dl>
<h2>${escaped(frame.summary)}</h2>
<table><tbody>${sums.join('')}${printed.totals.map((one) => totalRow(one, 2)).join('')}</tbody></table>
`
}

const tableHead = ({ entries, columns }: Frame) => `<h2>${escaped(entries)}</h2>
<table class="e">
<thead><tr>${columns.map((name, at) => `<th scope="col"${at > 1 ? ' class="n"' : ''}>${escaped(name)}</th>`).join('')}</tr></thead>
<tbody>
`

function rowOf({ date, title, about, layer, rate, base, amount, receipt }: Line) {
  const subject = about === null ? '' : `<small>${escaped(about)}</small>`
  const figures = [layer, rate, base].map((figure) => `<td class="n">${escaped(figure)}</td>`).join('')
  const link = `<a href="${escaped(receipt)}">${escaped(amount)}</a>`
  return `<tr><td class="d">${date}</td><td>${escaped(title)}${subject}</td>${figures}<td class="n">${link}</td></tr>\n`
}

const totalRow = ({ label, amount }: Printed['totals'][number], wide: number) =>
  `<tr class="t"><th scope="row" colspan="${wide}">${escaped(label)}</th><td class="n">${escaped(amount)}</td></tr>`

const footOf = ({ notes }: Printed) => `
<footer>${notes.map((note) => `<p>${escaped(note)}</p>`).join('')}</footer>
</main>
</body>
</html>
`

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => escapes[sign]!)
