import { randomBytes } from 'node:crypto'
import { link, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, parseSecretKey } from './config.ts'
import { ignoreMissing, openDataFolder, readOrCreate, syncFolder, writeDraft } from './data-folder.ts'
import { StartRefusal } from './start-refusal.ts'

const FILE = 'secret.key'
/** The prepared next key. */
const NEXT = `${FILE}.next`

/** `work` found that the database is sealed with another key. */
export class OtherKey extends StartRefusal {}

/**
 * Runs `work` with the install's key, 32 bytes: SECRET_KEY, or else the one generated into DATA_DIR on first use. A key
 * generated just now is deleted if the database is sealed with another: it would be useless, and hide that the right
 * one is missing. Refuses a stored file with invalid contents, rather than creating a new key.
 */
export async function withSecretKey<T>(
  { secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>,
  work: (key: Buffer) => Promise<T>,
): Promise<T> {
  const kept = secretKey ?? (await findKeptKey(dataDir, 'present'))
  if (kept) return work(kept)
  await openDataFolder(dataDir)
  let made: string | undefined
  const text = await readOrCreate(dataDir, FILE, () => {
    made = randomBytes(32).toString('base64')
    return made
  })
  try {
    return await work(parsed(dataDir, FILE, text))
  } catch (error) {
    if (text !== made || !(error instanceof OtherKey)) throw error
    const file = join(dataDir, FILE)
    await rm(file, { force: true })
    throw new StartRefusal(
      `There is no SECRET_KEY and no ${file}, and this database is sealed with a key. Put the file back from your copy, or set SECRET_KEY: without the key bank details and tokens cannot be read by anybody.`,
    )
  }
}

/** Returns the key stored in `dataDir`, or the prepared next one; null if there is none. Creates none. */
export async function findKeptKey(dataDir: string, which: 'present' | 'next'): Promise<Buffer | null> {
  const name = which === 'next' ? NEXT : FILE
  const text = await readFile(join(dataDir, name), 'utf8').catch(ignoreMissing)
  return text === undefined ? null : parsed(dataDir, name, text.trim())
}

/** Stores the next key atomically, on disk before anything is sealed with it. */
export async function saveNextKey(dataDir: string, key: Buffer): Promise<void> {
  const file = join(dataDir, NEXT)
  await rename(await writeDraft(file, key.toString('base64')), file)
  await syncFolder(dataDir)
}

/** Replaces the key by the next one. Returns the path of the former one. */
export async function turnToNextKey(dataDir: string, now: Date): Promise<string> {
  const former = join(dataDir, `${FILE}.before-${now.toISOString().replace(/[-:.]/g, '')}`)
  await link(join(dataDir, FILE), former)
  await syncFolder(dataDir)
  await rename(join(dataDir, NEXT), join(dataDir, FILE))
  await syncFolder(dataDir)
  return former
}

function parsed(dataDir: string, name: string, text: string): Buffer {
  const key = parseSecretKey(text)
  if (key) return key
  throw new StartRefusal(
    `${join(dataDir, name)} holds ${text.length} characters; it should hold 32 bytes in base64. Restore it from your copy, or set SECRET_KEY.`,
  )
}
