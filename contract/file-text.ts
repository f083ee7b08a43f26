/** Encodings of files that are not Unicode, which only people can tell apart. */
export const encodings = ['windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'macintosh'] as const
export type Encoding = (typeof encodings)[number]

/** Whether a file is a zip, as workbooks are. */
export const isZip = (bytes: Uint8Array) => [0x50, 0x4b, 3, 4].every((byte, at) => bytes[at] === byte)

/** Whether text can be decoded from this encoding. */
export function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== 'replacement'
  } catch {
    return false
  }
}

/**
 * Decodes a file: UTF-16 with its mark, or UTF-8, else the encoding that was chosen, or the likely one. `isUnicode`: the
 * text is certain.
 */
export function textOfFile(bytes: Uint8Array, chosen?: string): { text: string; encoding: string; isUnicode: boolean } {
  const unicode = chosen ? null : unicodeText(bytes)
  if (unicode) return { ...unicode, isUnicode: true }
  const encoding = chosen ?? likelyEncoding(bytes)
  return { text: new TextDecoder(encoding).decode(bytes), encoding, isUnicode: false }
}

/** Decodes UTF-16 with its mark, or UTF-8; null for anything else. */
function unicodeText(bytes: Uint8Array): { text: string; encoding: string } | null {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return { encoding, text: new TextDecoder(encoding, { fatal: encoding === 'utf-8' }).decode(bytes) }
  } catch {
    return null
  }
}

/** Only spreadsheets on a Mac end lines by CR alone; else it is Windows' encoding of Western languages. */
const likelyEncoding = (bytes: Uint8Array): Encoding =>
  bytes.includes(13) && !bytes.includes(10) ? 'macintosh' : 'windows-1252'
