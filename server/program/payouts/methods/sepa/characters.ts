/** Letters that no accent explains, in the scheme's letters: Latin, Greek and Cyrillic ones. */
const written: Record<string, string> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  Þ: 'TH',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
  '’': "'",
  '‘': "'",
  '–': '-',
  '—': '-',
  α: 'a',
  β: 'v',
  γ: 'g',
  δ: 'd',
  ε: 'e',
  ζ: 'z',
  η: 'i',
  θ: 'th',
  ι: 'i',
  κ: 'k',
  λ: 'l',
  μ: 'm',
  ν: 'n',
  ξ: 'x',
  ο: 'o',
  π: 'p',
  ρ: 'r',
  σ: 's',
  ς: 's',
  τ: 't',
  υ: 'y',
  φ: 'f',
  χ: 'ch',
  ψ: 'ps',
  ω: 'o',
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  д: 'd',
  е: 'e',
  ж: 'zh',
  з: 'z',
  и: 'i',
  й: 'y',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'h',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'sht',
  ъ: 'a',
  ь: 'y',
  ю: 'yu',
  я: 'ya',
  ё: 'e',
  ы: 'y',
  э: 'e',
  є: 'ye',
  і: 'i',
  ї: 'yi',
  ј: 'j',
  љ: 'lj',
  њ: 'nj',
  ћ: 'c',
  ђ: 'dj',
  џ: 'dz',
  ѓ: 'gj',
  ќ: 'kj',
  ѕ: 'dz',
}

/** Returns a letter of the table; a capital by its small letter, with a capital at its start. */
function plainOf(letter: string): string | undefined {
  if (Object.hasOwn(written, letter)) return written[letter]
  const small = letter.toLowerCase()
  if (small === letter || !Object.hasOwn(written, small)) return undefined
  const plain = written[small]!
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

/**
 * Writes a text in the characters that every bank of the scheme accepts (EPC217-08): Greek and Cyrillic letters by its
 * table, others without their accents, anything else as a point. At most `most` characters; never empty.
 */
export function toLatin(text: string, most: number): string {
  const composed = [...text.normalize('NFC')].map((letter) => plainOf(letter) ?? letter).join('')
  const plain = [...composed.normalize('NFKD').replaceAll(/\p{M}/gu, '')]
    .map((letter) => plainOf(letter) ?? letter)
    .join('')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[^A-Za-z0-9/\-?:().,'+ ]/gu, '.')
  return plain.trim().slice(0, most).trim() || '.'
}

/** Writes an id: like `toLatin`, without a slash at its ends or two in a row, which banks refuse. */
export const latinId = (text: string, most: number) =>
  toLatin(text, most)
    .replaceAll(/\/{2,}/g, '/')
    .replaceAll(/^\/|\/$/g, '') || '.'
