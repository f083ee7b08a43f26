import { strict as assert } from 'node:assert'

/** Reads a file as a spreadsheet does: rows by the names in its first line. */
export function readCsv(text: string): { header: string[]; rows: Record<string, string>[] } {
  assert.ok(text.endsWith('\r\n'))
  const lines: string[][] = [[]]
  // a response read as text has no byte order mark
  let at = text.startsWith('\ufeff') ? 1 : 0
  while (at < text.length) {
    const [whole, value, end] =
      /"((?:[^"]|"")*)"(,|\r\n)/y.exec(text.slice(at)) ?? assert.fail(text.slice(at, at + 100))
    lines.at(-1)!.push(value!.replaceAll('""', '"'))
    at += whole.length
    if (end !== ',') lines.push([])
  }
  const [header, ...rows] = lines.slice(0, -1)
  return {
    header: header!,
    rows: rows.map((row) => {
      assert.equal(row.length, header!.length)
      return Object.fromEntries(row.map((value, place) => [header![place]!, value]))
    }),
  }
}
