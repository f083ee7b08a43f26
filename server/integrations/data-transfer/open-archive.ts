import { createHash } from 'node:crypto'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { ImportRefusal } from './import-refusal.ts'
import { EXPORT_FORMAT, EXPORT_MANIFEST, ExportManifest, exportFileOf } from './manifest.ts'
import { type PortableTable, portableTables } from './tables.ts'

export type AccountArchive = {
  manifest: ExportManifest
  /** Yields a table's file in pieces; refuses, at its end at the latest, if it differs from the manifest. */
  read(table: PortableTable): AsyncGenerator<Buffer>
  close(): void
}

/** Limit of all files of one archive, unpacked. */
const MOST_BYTES = 20_000_000_000
const LONGEST_MANIFEST = 1_000_000
/** Highest compression ratio accepted: deflate reaches a thousand, our rows thirty. Small files are exempt. */
const MOST_RATIO = 200
const SMALL = 1_000_000

/** Opens the zip of an export. Refuses any other file before unpacking anything. */
export async function openAccountArchive(path: string, { mostBytes = MOST_BYTES } = {}): Promise<AccountArchive> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true }).catch((error: Error) => {
    throw isOfFile(error) ? error : notOurs()
  })
  try {
    const entries = await readEntries(zip, mostBytes)
    const manifest = await readManifest(zip, entries)
    return {
      manifest,
      read: (table) => readChecked(zip, entries, manifest, exportFileOf(table)),
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

const isOfFile = (error: NodeJS.ErrnoException) => error.syscall !== undefined

type Entries = ReadonlyMap<string, Entry>

async function readEntries(zip: ZipFile, mostBytes: number): Promise<Entries> {
  const expected = new Set([EXPORT_MANIFEST, ...portableTables.map(exportFileOf)])
  if (zip.entryCount > expected.size * 2) throw notOurs()
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.has(entry.fileName)) throw new ImportRefusal(`The zip holds ${entry.fileName} twice.`)
      entries.set(entry.fileName, entry)
    }
  } catch (error) {
    throw error instanceof ImportRefusal ? error : notOurs()
  }
  if (!entries.has(EXPORT_MANIFEST)) throw notOurs()
  const strange = [...entries.keys()].find((name) => !expected.has(name))
  if (strange) throw new ImportRefusal(`The zip holds ${JSON.stringify(strange)}, which this release doesn't know.`)
  let total = 0
  for (const { fileName, uncompressedSize, compressedSize } of entries.values()) {
    total += uncompressedSize
    const isBomb = uncompressedSize > SMALL && uncompressedSize > compressedSize * MOST_RATIO
    if (isBomb || total > mostBytes) throw new ImportRefusal(`${fileName} would be too large unpacked.`)
  }
  return entries
}

async function readManifest(zip: ZipFile, entries: Entries): Promise<ExportManifest> {
  const entry = entries.get(EXPORT_MANIFEST)!
  if (entry.uncompressedSize > LONGEST_MANIFEST) throw notOurs()
  const pieces: Buffer[] = []
  for await (const piece of unpacked(zip, entry)) pieces.push(piece)
  const said = parseJson(Buffer.concat(pieces).toString('utf8'))
  const format = (said as { format?: unknown } | null)?.format
  if (typeof format === 'number' && format !== EXPORT_FORMAT)
    throw new ImportRefusal(
      `This export has the format ${format}, and this release reads ${EXPORT_FORMAT}. Update first.`,
    )
  const manifest = ExportManifest.safeParse(said)
  if (!manifest.success) throw notOurs()
  const missing = [...portableTables.map(exportFileOf)].find((name) => !entries.has(name) || !manifest.data.files[name])
  if (missing) throw new ImportRefusal(`The zip is missing ${missing}. It may come from another release.`)
  return manifest.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notOurs()
  }
}

async function* readChecked(
  zip: ZipFile,
  entries: Entries,
  manifest: ExportManifest,
  name: string,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const piece of unpacked(zip, entries.get(name)!)) {
    hash.update(piece)
    yield piece
  }
  if (hash.digest('hex') !== manifest.files[name]!.sha256)
    throw new ImportRefusal(`${name} isn't what was exported: it was changed, or damaged on the way.`)
}

/** Unpacks at most the size declared in the zip. */
async function* unpacked(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let stream: AsyncIterable<Buffer>
  try {
    stream = await zip.openReadStreamPromise(entry)
    yield* stream
  } catch {
    throw new ImportRefusal(`${entry.fileName} can't be unpacked: the zip is damaged or incomplete.`)
  }
}

const notOurs = () => new ImportRefusal("This file isn't an account that Tributary exported, or it's incomplete.")
