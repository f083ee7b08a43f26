// Texts that people write for a page, a mail and the screens, in one plain form: an empty line parts paragraphs, a line
// with '# ' is a heading, lines with '- ' are a list, and an https address is a link. Parsed once here.

/** A piece of a line: text, or an address that is its own link. */
export type ProsePiece = { text: string; href?: string }
export type ProseBlock =
  | { kind: 'heading'; line: ProsePiece[] }
  | { kind: 'paragraph'; lines: ProsePiece[][] }
  | { kind: 'list'; items: ProsePiece[][] }

/** Characters that end an address in a sentence rather than belong to it. */
const AFTER_ADDRESS = new Set('.,:;!?\'"’”»')

/** Parses a text; every text is valid. */
export function parseProse(text: string): ProseBlock[] {
  const blocks: ProseBlock[] = []
  let open: ProseBlock | undefined
  for (const line of text
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.trim())) {
    if (!line) {
      open = undefined
    } else if (line.startsWith('# ')) {
      blocks.push({ kind: 'heading', line: piecesOf(line.slice(2).trim()) })
      open = undefined
    } else if (line.startsWith('- ')) {
      const item = piecesOf(line.slice(2).trim())
      if (open?.kind === 'list') open.items.push(item)
      else open = added(blocks, { kind: 'list', items: [item] })
    } else if (open?.kind === 'paragraph') {
      open.lines.push(piecesOf(line))
    } else {
      open = added(blocks, { kind: 'paragraph', lines: [piecesOf(line)] })
    }
  }
  return blocks
}

function added(blocks: ProseBlock[], block: ProseBlock) {
  blocks.push(block)
  return block
}

function piecesOf(line: string): ProsePiece[] {
  const pieces: ProsePiece[] = []
  let at = 0
  for (const { 0: found, index } of line.matchAll(/(?<![\p{L}\p{N}])https:\/\/[^\s<>"]+/gu)) {
    const address = trimmed(found)
    const href = hrefOf(address)
    if (!href) continue
    if (index > at) pieces.push({ text: line.slice(at, index) })
    pieces.push({ text: address, href })
    at = index + address.length
  }
  if (at < line.length) pieces.push({ text: line.slice(at) })
  return pieces
}

/** Without the sentence's own marks after it, and without a bracket that the address does not open. */
function trimmed(address: string): string {
  let surplus = address.split(')').length - address.split('(').length
  let end = address.length
  for (; end > 0; end--) {
    const last = address[end - 1]!
    if (last === ')' && surplus > 0) surplus--
    else if (!AFTER_ADDRESS.has(last)) break
  }
  return address.slice(0, end)
}

/** As browsers read it; undefined for an address with a user, whose host is not what it seems. */
function hrefOf(address: string) {
  const url = URL.parse(address)
  return url?.protocol === 'https:' && !url.username && !url.password ? url.href : undefined
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for HTML, in elements and quoted attributes. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!)

/** Returns prose as HTML, its headings as `<h{level}>`. */
export function proseHtml(blocks: readonly ProseBlock[], level: 2 | 3 = 3): string {
  return blocks
    .map((block) => {
      if (block.kind === 'heading') return `<h${level}>${htmlOf(block.line)}</h${level}>`
      if (block.kind === 'list') return `<ul>${block.items.map((item) => `<li>${htmlOf(item)}</li>`).join('')}</ul>`
      return `<p>${block.lines.map(htmlOf).join('<br>')}</p>`
    })
    .join('')
}

const htmlOf = (line: readonly ProsePiece[]) =>
  line
    .map(({ text, href }) =>
      href ? `<a href="${escapeHtml(href)}" rel="nofollow noopener">${escapeHtml(text)}</a>` : escapeHtml(text),
    )
    .join('')

/** Returns prose as plain text for mails, one text a block. */
export const proseText = (blocks: readonly ProseBlock[]): string[] =>
  blocks.map((block) => {
    if (block.kind === 'heading') return textOf(block.line)
    if (block.kind === 'list') return block.items.map((item) => `- ${textOf(item)}`).join('\n')
    return block.lines.map(textOf).join('\n')
  })

const textOf = (line: readonly ProsePiece[]) => line.map(({ text }) => text).join('')
