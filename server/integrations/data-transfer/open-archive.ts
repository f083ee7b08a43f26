import { createHash } from 'node:crypto'
import { type OpenZip, openZip, TwiceInZip } from '../../platform/zip.ts'
import { ImportRefusal } from './import-refusal.ts'
import { EXPORT_FORMAT, EXPORT_MANIFEST, ExportManifest, exportFileName } from './manifest.ts'
import { listPortableTables, type PortableTable } from './tables.ts'

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
  const expected = listExpected()
  const zip = await openZip(path, 2 * expected.size).catch((error) => {
    if (error instanceof TwiceInZip) throw new ImportRefusal(`The zip holds ${error.message} twice.`)
    throw isOfFile(error) ? error : notOurs()
  })
  try {
    checkEntries(zip, expected, mostBytes)
    const manifest = await readManifest(zip, expected)
    return {
      manifest,
      read: (table) => readChecked(zip, manifest, exportFileName(table)),
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

const isOfFile = (error: NodeJS.ErrnoException) => error.syscall !== undefined

const listExpected = () => new Set([EXPORT_MANIFEST, ...listPortableTables().map(exportFileName)])

function checkEntries({ entries }: OpenZip, expected: ReadonlySet<string>, mostBytes: number) {
  if (!entries.has(EXPORT_MANIFEST)) throw notOurs()
  const strange = [...entries.keys()].find((name) => !expected.has(name))
  if (strange) throw new ImportRefusal(`The zip holds ${JSON.stringify(strange)}, which this release doesn’t know.`)
  let total = 0
  for (const { fileName, uncompressedSize, compressedSize } of entries.values()) {
    total += uncompressedSize
    const isBomb = uncompressedSize > SMALL && uncompressedSize > compressedSize * MOST_RATIO
    if (isBomb || total > mostBytes) throw new ImportRefusal(`${fileName} would be too large unpacked.`)
  }
}

async function readManifest(zip: OpenZip, expected: ReadonlySet<string>): Promise<ExportManifest> {
  const content = await zip.readJson(EXPORT_MANIFEST, LONGEST_MANIFEST).catch(() => null)
  const format = (content as { format?: unknown } | null)?.format
  if (typeof format === 'number' && format !== EXPORT_FORMAT)
    throw new ImportRefusal(
      `This export has the format ${format}, and this release reads ${EXPORT_FORMAT}. Update first.`,
    )
  const manifest = ExportManifest.safeParse(content)
  if (!manifest.success) throw notOurs()
  const missing = [...expected].find(
    (name) => name !== EXPORT_MANIFEST && !(zip.entries.has(name) && manifest.data.files[name]),
  )
  if (missing) throw new ImportRefusal(`The zip is missing ${missing}. It may come from another release.`)
  return manifest.data
}

async function* readChecked(zip: OpenZip, manifest: ExportManifest, name: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const piece of unpacked(zip, name)) {
    hash.update(piece)
    yield piece
  }
  if (hash.digest('hex') !== manifest.files[name]!.sha256)
    throw new ImportRefusal(`${name} isn’t what was exported: it was changed, or damaged on the way.`)
}

async function* unpacked(zip: OpenZip, name: string) {
  try {
    yield* zip.read(name)
  } catch {
    throw new ImportRefusal(`${name} can’t be unpacked: the zip is damaged or incomplete.`)
  }
}

const notOurs = () => new ImportRefusal('This file isn’t an account that Tributary exported, or it’s incomplete.')
