import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { Part } from '#contract/words.ts'
import { findLanguage, getWords } from '../languages.ts'
import { partsOfModules } from '../word-files.ts'

const compress = promisify(brotliCompress)

/** Parts of the screens, each with those whose words it shows. */
const SHOWN: Record<string, readonly (Part | undefined)[]> = { before: ['before'], partner: ['before', 'partner'] }

const ADDRESS = /^\/words\/(before|partner)\/([A-Za-z0-9-]{2,35})\.json$/

const NONE = {}

export type WordsFile = { language: string; etag: string; text: Buffer; brotli: Buffer }

/**
 * Returns the words of a part of the screens at '/words/partner/de-AT.json': those of the nearest language, as this
 * install has them, and none in a language without the part. Undefined for another address. Each is made once.
 */
export function createWordsFiles() {
  const made = new Map<string, { of: unknown; file: Promise<WordsFile> }>()
  return (path: string): Promise<WordsFile> | undefined => {
    const [, part = '', tag = ''] = ADDRESS.exec(path) ?? []
    if (!tag) return undefined
    const language = findLanguage(tag, part as Part) ?? 'en'
    const words = language === 'en' ? NONE : getWords(language)
    const key = `${part} ${language}`
    const known = made.get(key)
    if (known?.of === words) return known.file
    const file = makeFile(language, words, SHOWN[part]!)
    made.set(key, { of: words, file })
    return file
  }
}

async function makeFile(language: string, words: ReturnType<typeof getWords>, shown: (typeof SHOWN)[string]) {
  const parts = partsOfModules()
  const own = Object.entries(words).filter(([module]) => shown.includes(parts.get(module)))
  const text = Buffer.from(JSON.stringify(Object.fromEntries(own)))
  const etag = `W/"${createHash('sha1').update(text).digest('base64url')}"`
  return { language, etag, text, brotli: await compress(text) }
}
