import { randomBytes } from 'node:crypto'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, parseSecretKey } from './config.ts'
import { ignoreMissing, keepOnce, syncFolder } from './data-folder.ts'
import { StartRefusal } from './start-refusal.ts'

const FILE = 'secret.key'
/** The key that is about to take its place. */
const NEXT = `${FILE}.next`

/** `work` found that the database is sealed with another key. */
export class OtherKey extends StartRefusal {}

/**
 * Works with the install's one key, 32 bytes: SECRET_KEY, or else the one generated into DATA_DIR the first time. One that
 * was generated for this is taken away again where the database is sealed with another: it would open nothing, and look
 * like the one that is missing. Refuses a kept file that holds something else, rather than making a new key.
 */
export async function withSecretKey<T>(
  { secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>,
  work: (key: Buffer) => Promise<T>,
): Promise<T> {
  if (secretKey) return work(secretKey)
  let made: string | undefined
  const text = await keepOnce(dataDir, FILE, () => {
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

/** The key kept in `dataDir`, or the one that is to follow it; null where there is none. Makes none. */
export async function findKeptKey(dataDir: string, which: 'present' | 'next'): Promise<Buffer | null> {
  const name = which === 'next' ? NEXT : FILE
  const text = await readFile(join(dataDir, name), 'utf8').catch(ignoreMissing)
  return text === undefined ? null : parsed(dataDir, name, text.trim())
}

/** Keeps the key that is to follow, on disk before anything is sealed with it, whole or not at all. */
export async function keepNextKey(dataDir: string, key: Buffer): Promise<void> {
  const draft = join(dataDir, `${NEXT}.${randomBytes(6).toString('hex')}`)
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${key.toString('base64')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, join(dataDir, NEXT))
  await syncFolder(dataDir)
}

/** The key that was to follow is the key from now on. Returns where the former one is kept. */
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
