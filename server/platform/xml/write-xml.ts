/** An element: its name, with its text or the elements in it, and its attributes; missing elements are left out. */
export type Element = [name: string, inside: string | (Element | null)[], attributes?: string]

/** Returns an element that is missing without a value. */
export const optionalElement = (name: string, value: string | null): Element | null => (value ? [name, value] : null)

/** Writes a document with this root. */
export const writeXml = (root: Element) => `<?xml version="1.0" encoding="UTF-8"?>\n${written(root, '')}`

function written([name, inside, attributes]: Element, indent: string): string {
  const open = `${indent}<${name}${attributes ? ` ${attributes}` : ''}>`
  if (typeof inside === 'string') return `${open}${escapeXml(inside)}</${name}>\n`
  const within = inside.map((one) => one && written(one, `${indent}  `)).join('')
  return `${open}\n${within}${indent}</${name}>\n`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** Writes a text as XML, without the characters that XML has not. */
export const escapeXml = (text: string) =>
  text
    .replaceAll(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll(/[&<>"']/g, (character) => entities[character]!)
