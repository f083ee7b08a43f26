/** Latin letters that no accent explains, in the scheme's letters. */
const written: Record<string, string> = {
  ...{ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D' },
  ...{
    ð: 'd',
    Ð: 'D',
    þ: 'th',
    Þ: 'TH',
    ı: 'i',
    ħ: 'h',
    Ħ: 'H',
    ŋ: 'n',
    Ŋ: 'N',
    '’': "'",
    '‘': "'",
    '–': '-',
    '—': '-',
  },
}

/**
 * Writes a text in the characters that every bank of the scheme accepts (EPC217-08): letters lose their accents,
 * anything else becomes a point. At most `most` characters; never empty.
 */
export function latin(text: string, most: number): string {
  const plain = [...text.normalize('NFKD').replaceAll(/\p{M}/gu, '')]
    .map((character) => written[character] ?? character)
    .join('')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[^A-Za-z0-9/\-?:().,'+ ]/gu, '.')
  return plain.trim().slice(0, most).trim() || '.'
}

/** Writes an id: like `latin`, without a slash at its ends or two in a row, which banks refuse. */
export const latinId = (text: string, most: number) =>
  latin(text, most)
    .replaceAll(/\/{2,}/g, '/')
    .replaceAll(/^\/|\/$/g, '') || '.'
