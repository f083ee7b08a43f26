import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Config, parseSecretKey } from './config.ts'
import { keepOnce } from './data-folder.ts'
import { StartRefusal } from './start-refusal.ts'

const FILE = 'secret.key'

/**
 * The install's one key, 32 bytes: SECRET_KEY, or else the one generated into DATA_DIR the first time.
 * Refuses a kept file that holds something else, rather than making a new key that opens nothing.
 */
export async function readSecretKey(config: Pick<Config, 'secretKey' | 'dataDir'>): Promise<Buffer> {
  if (config.secretKey) return config.secretKey
  const text = await keepOnce(config.dataDir, FILE, () => randomBytes(32).toString('base64'))
  const key = parseSecretKey(text)
  if (key) return key
  throw new StartRefusal(
    `${join(config.dataDir, FILE)} holds ${text.length} characters; it should hold 32 bytes in base64. Restore it from your copy, or set SECRET_KEY.`,
  )
}
