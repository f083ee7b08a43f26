import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { type EmbedFile, readEmbedScript } from '../../../embed/build.ts'
import { renderEmbedScript } from '../../../embed/configuration.ts'
import type { EmbedFacts } from './queries.ts'

/** An account's script, ready to send. */
export type ScriptFile = { etag: string; plain: Buffer; br: Buffer; gzip: Buffer }

const DEFAULT_DAYS = 90
/** Most domains of a site that hand the referral over to each other; one alone has nothing to hand over to. */
const MOST_THAT_HAND_OVER = 10

const files = new LRUCache<string, Promise<ScriptFile>>({ max: 500 })
const compiled = new Map<EmbedFile, Promise<string>>()

/** Returns the script with this account's configuration. Compiled once, and compressed once per configuration. */
export async function scriptFile(endpoint: string, embedded: EmbedFacts, name: EmbedFile): Promise<ScriptFile> {
  const code = compiled.get(name) ?? readEmbedScript(name)
  compiled.set(name, code)
  code.catch(() => compiled.delete(name))
  const { attributionModel, parameters, domains, checkoutDomains, cookieDays, onlyIfReferred, consentMode, forms } =
    embedded
  const text = renderEmbedScript(await code, {
    program: embedded.publicId,
    endpoint,
    config: embedded.config,
    ...parameters,
    cookieDays: cookieDays ?? DEFAULT_DAYS,
    firstTouch: attributionModel === 'first-touch',
    onlyIfReferred,
    consentMode,
    forms,
    domains: domains.length > 1 && domains.length <= MOST_THAT_HAND_OVER ? domains : [],
    checkoutDomains,
  })
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
  let file = files.get(etag)
  if (!file) {
    file = compress(etag, Buffer.from(text))
    files.set(etag, file)
  }
  return file
}

/** Returns the smaller of two ways to write distances: either alone costs some accounts 80 bytes. */
export async function compressBrotli(plain: Buffer): Promise<Buffer> {
  const [one, other] = await Promise.all(
    [0, 12].map((distances) =>
      promisify(brotliCompress)(plain, {
        params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length, [constants.BROTLI_PARAM_NDIRECT]: distances },
      }),
    ),
  )
  return one!.length < other!.length ? one! : other!
}

async function compress(etag: string, plain: Buffer): Promise<ScriptFile> {
  const [br, zipped] = await Promise.all([compressBrotli(plain), promisify(gzip)(plain, { level: 9 })])
  return { etag, plain, br, gzip: zipped }
}
