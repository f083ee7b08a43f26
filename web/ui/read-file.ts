/** `bytes`: of a file whose encoding is only a guess, to be read in another. `zip` is one, in base64. */
export type ReadFile = { name: string; csv: string; encoding: Encoding | null; bytes: Uint8Array | null; zip?: string }

const isZip = (bytes: Uint8Array) => [0x50, 0x4b, 3, 4].every((byte, at) => bytes[at] === byte)
const inBase64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

/** Encodings of files that are not Unicode, which only people can tell apart. */
export const encodings = ['windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'macintosh'] as const
export type Encoding = (typeof encodings)[number]

/** Reads a file; one that is not Unicode in the encoding chosen, else in the likely one. */
export function readFile(name: string, bytes: Uint8Array, chosen?: Encoding): ReadFile {
  // its text tells the readers of tables that it is none
  if (isZip(bytes))
    return {
      name,
      csv: new TextDecoder('windows-1252').decode(bytes),
      encoding: null,
      bytes: null,
      zip: inBase64(bytes),
    }
  const csv = unicodeText(bytes)
  if (csv !== null) return { name, csv, encoding: null, bytes: null }
  const encoding = chosen ?? likelyEncoding(bytes)
  return { name, csv: new TextDecoder(encoding).decode(bytes), encoding, bytes }
}

/** Decodes UTF-16 with its mark, or UTF-8; null for anything else. */
function unicodeText(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Only spreadsheets on a Mac end lines by CR alone; else it is Windows' encoding of Western languages. */
const likelyEncoding = (bytes: Uint8Array): Encoding =>
  bytes.includes(13) && !bytes.includes(10) ? 'macintosh' : 'windows-1252'

const MOST_WORDS = 3

/** Returns the first words of a file that differ by its encoding, as read in this one. */
export function sampleOf(bytes: Uint8Array, encoding: Encoding): string {
  const words = new TextDecoder(encoding).decode(bytes).match(/[^\s,;|"]*[^\0-\x7f][^\s,;|"]*/g) ?? []
  return [...new Set(words)].slice(0, MOST_WORDS).join(', ')
}
