import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../platform/refusal.ts'
import { type FileToPack, packZip } from '../../platform/zip.ts'
import { unpackReports } from './unpack-reports.ts'

async function zipOf(files: Record<string, string | Buffer | Iterable<Buffer>>): Promise<Buffer> {
  const packed: Buffer[] = []
  const toPack = Object.entries(files).map(
    ([name, text]): FileToPack => ({
      name,
      pieces: () => (typeof text === 'string' || Buffer.isBuffer(text) ? [Buffer.from(text)] : text),
    }),
  )
  await packZip(toPack, async (stream) => {
    for await (const piece of stream) packed.push(piece as Buffer)
  })
  return Buffer.concat(packed)
}

const unpack = (zip: Buffer) => unpackReports(zip.toString('base64'))

/** Returns the reason of the refusal, or the texts. */
const outcome = (zip: Buffer) =>
  unpack(zip).catch((error: unknown) => {
    if (error instanceof Refusal) return Object.values(error.fields ?? {}).join() || error.reason
    throw error
  })

/** Writes a name of the same length over the one that the zip was made with. */
const renamed = (zip: Buffer, from: string, to: string) =>
  Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1')

/** Changes a field of the zip's directory, by its place in an entry. */
function patched(zip: Buffer, place: number, change: (at: number, copy: Buffer) => void): Buffer {
  const copy = Buffer.from(zip)
  for (
    let at = copy.indexOf('PK\u0001\u0002', 0, 'latin1');
    at >= 0;
    at = copy.indexOf('PK\u0001\u0002', at + 4, 'latin1')
  )
    change(at + place, copy)
  return copy
}

const WORDS = 'Choose a zip of at most 50 files and 5 MB, without a password'

test('a zip of reports is read in any folder, without what a Mac adds to it', async () => {
  const zip = await zipOf({
    'June/1.xml': '<a/>',
    'June/2.sta': Buffer.from('Überweisung', 'latin1'),
    '__MACOSX/June/._1.xml': Buffer.from([0, 5, 22, 7]),
    'June/.DS_Store': Buffer.from([0, 0, 0, 1]),
  })
  assert.deepEqual(await unpack(zip), ['<a/>', 'Überweisung'])
})

test('a report in a zip is read in Unicode of any kind, without its mark', async () => {
  const utf16le = Buffer.from('\ufeff<a>Überweisung 1</a>', 'utf16le')
  const utf16be = Buffer.from('\ufeff<a>Überweisung 2</a>', 'utf16le').swap16()
  const zip = await zipOf({ '1.xml': utf16le, '2.xml': utf16be, '3.xml': '\ufeff<a>Überweisung 3</a>' })
  assert.deepEqual(
    await unpack(zip),
    [1, 2, 3].map((number) => `<a>Überweisung ${number}</a>`),
  )
  const unmarked = await outcome(await zipOf({ '1.xml': Buffer.from('<a/>', 'utf16le') }))
  assert.match(String(unmarked), /^This is neither Wise’s results nor a bank’s/)
})

test('a hostile zip is refused in words, at once and without the memory that it asks for', async () => {
  const zeros = function* (megabytes: number) {
    for (let count = 0; count < megabytes; count++) yield Buffer.alloc(1_000_000, 97)
  }
  const small = await zipOf({ 'report.xml': '<a/>'.repeat(100) })
  const bomb = await zipOf({ 'report.xml': zeros(300) })
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`${at}.xml`, '<a/>']))
  const hostile: Record<string, Buffer> = {
    'a bomb': bomb,
    'a bomb that says it is small': patched(bomb, 24, (at, copy) => copy.writeUInt32LE(400, at)),
    'one that says it is huge': patched(small, 24, (at, copy) => copy.writeUInt32LE(0xfffffff0, at)),
    'one that says it is smaller': patched(small, 24, (at, copy) => copy.writeUInt32LE(10, at)),
    'thousands of files': await zipOf(many),
    '51 files': await zipOf(Object.fromEntries(Object.entries(many).slice(0, 51))),
    'a file twice': renamed(await zipOf({ 'a.xml': '<a/>', 'b.xml': '<b/>' }), 'b.xml', 'a.xml'),
    'a path out of the folder': renamed(small, 'report.xml', '../ort.xml'),
    'a path from the top': renamed(small, 'report.xml', '/eport.xml'),
    'a password': patched(small, 8, (at, copy) => copy.writeUInt16LE(copy.readUInt16LE(at) | 1, at)),
    'an unknown way to pack': patched(small, 10, (at, copy) => copy.writeUInt16LE(12, at)),
    'a wrong checksum': patched(small, 16, (at, copy) => copy.writeUInt32LE(1, at)),
    'its end alone': small.subarray(-22),
    'its first half': small.subarray(0, small.length / 2),
    'no zip': Buffer.from('PK\u0003\u0004 and nothing else'),
    nothing: Buffer.alloc(0),
  }
  const before = process.memoryUsage().rss
  for (const [what, zip] of Object.entries(hostile)) {
    const started = performance.now()
    assert.equal(await outcome(zip), WORDS, what)
    assert.ok(performance.now() - started < 2000, what)
  }
  assert.ok(process.memoryUsage().rss - before < 200_000_000)
  const nested = await outcome(await zipOf({ 'inner.zip': small }))
  assert.match(String(nested), /^This is neither Wise’s results nor a bank’s/)
})
