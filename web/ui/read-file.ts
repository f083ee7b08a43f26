import { type Encoding, isZip, textOfFile } from '#contract/file-text.ts'

/** `bytes`: of a file whose encoding is only a guess, to be read in another. `zip` is one, in base64. */
export type ReadFile = { name: string; csv: string; encoding: Encoding | null; bytes: Uint8Array | null; zip?: string }

/** The bytes of a file in base64, piece by piece: a call takes only so many arguments. */
export function inBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += PIECE) text += btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE)))
  return text
}
/** A multiple of three, so that only the last piece is padded. */
const PIECE = 24_576

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
  const { text: csv, encoding, isUnicode } = textOfFile(bytes, chosen)
  return isUnicode ? { name, csv, encoding: null, bytes: null } : { name, csv, encoding: encoding as Encoding, bytes }
}

const MOST_WORDS = 3

/** Returns the first words of a file that differ by its encoding, as read in this one. */
export function findSample(bytes: Uint8Array, encoding: Encoding): string {
  const words = new TextDecoder(encoding).decode(bytes).match(/[^\s,;|"]*[^\0-\x7f][^\s,;|"]*/g) ?? []
  return [...new Set(words)].slice(0, MOST_WORDS).join(', ')
}
